import { createHash, randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { terminal } from '../domain/errors.ts';

/** Longest path of a unix socket that every system takes, in bytes: macOS allows 104 with the closing zero, Linux 108. */
const LONGEST = 103;

/** What `hearth.token` holds, for the owner's eyes only (0600): where the socket is, and the word that opens it. */
export const SocketTicket = z.object({ address: z.string().min(1), token: z.string().min(20), pid: z.number().int() });
export type SocketTicket = z.infer<typeof SocketTicket>;

export function ticketFile(profileFolder: string): string {
	return join(profileFolder, 'hearth.token');
}

/** The ticket of the process that runs this profile, or did so last; undefined where none is readable. */
export async function readTicket(profileFolder: string): Promise<SocketTicket | undefined> {
	try {
		const parsed = SocketTicket.safeParse(JSON.parse(await readFile(ticketFile(profileFolder), 'utf8')));
		return parsed.data;
	} catch {
		// No file, or half of one from a crash: then nothing can be reached through it.
		return undefined;
	}
}

/**
 * Where the socket of a profile is: `hearth.sock` in the profile; in a private folder under the system's temporary one
 * where that path is too long for the system; on Windows a pipe with a name that cannot be guessed.
 */
export async function chooseSocketAddress(profileFolder: string): Promise<string> {
	if (process.platform === 'win32') return `\\\\.\\pipe\\hearth-${randomBytes(16).toString('hex')}`;
	const usual = join(profileFolder, 'hearth.sock');
	if (Buffer.byteLength(usual) <= LONGEST) return usual;
	const folder = join(tmpdir(), `hearth-${userInfo().uid}`);
	await mkdir(folder, { mode: 0o700, recursive: true });
	const info = await lstat(folder);
	if (!info.isDirectory() || info.uid !== userInfo().uid || (info.mode & 0o077) !== 0) {
		throw terminal('unauthorised', `The folder ${folder} is not private to you, so the command line cannot be let in through it.`, {
			action: 'Remove that folder, or move the profile to a shorter path.',
		});
	}
	return join(folder, `${createHash('sha256').update(profileFolder).digest('hex').slice(0, 24)}.sock`);
}
