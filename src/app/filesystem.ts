import { execFile } from 'node:child_process';
import { readFile, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isBelow } from '../base/below.ts';
import { type ErrorShape, needsOwner } from '../domain/errors.ts';

/**
 * A file system that is shared between machines, or a folder that a sync program rewrites. SQLite's write-ahead log needs
 * memory shared by all its users, which no network file system gives, and locks there are often only promises.
 *
 * Hearth warns and goes on, with a single connection that needs no shared memory (`openStateDb`, `exclusive`): refusing would
 * lock out everyone whose home is on a server, and one machine at a time works there.
 * Known limits: on Windows only `\\server\share` paths are recognised, not drive letters mapped to them.
 */
export type SharedPlace = { kind: 'network'; type: string } | { kind: 'synced'; type: string };

export interface FilesystemSource {
	platform: NodeJS.Platform;
	/** Linux: the text of /proc/self/mounts. macOS: the output of `mount`. */
	mounts(): Promise<string>;
	/** The path with links resolved. */
	realpath(path: string): Promise<string>;
}

export const systemFilesystem: FilesystemSource = {
	platform: process.platform,
	mounts: async () =>
		process.platform === 'darwin' ? (await promisify(execFile)('/sbin/mount')).stdout : await readFile('/proc/self/mounts', 'utf8'),
	realpath: (path) => realpath(path),
};

const NETWORK_TYPES =
	/^(nfs\d?|cifs|smb\d?|smbfs|smb2|ncpfs|9p|afs|afpfs|ceph|glusterfs|lustre|beegfs|gpfs|orangefs|coda|davfs|webdav|vboxsf|vmhgfs|prl_fs|drvfs|fuse\.(sshfs|rclone|s3fs|goofys|gcsfuse|glusterfs|cephfs|ceph|davfs2?|smbnetfs|vmhgfs-fuse|curlftpfs|seaweedfs|juicefs))$/;
const SYNCED_FOLDERS: readonly [RegExp, string][] = [
	[/[\\/]Dropbox[\\/]/i, 'Dropbox'],
	[/[\\/]OneDrive[^\\/]*[\\/]/i, 'OneDrive'],
	[/[\\/]Google ?Drive[\\/]/i, 'Google Drive'],
	[/[\\/]Mobile Documents[\\/]/, 'iCloud Drive'],
	[/[\\/]CloudStorage[\\/]/, 'a cloud storage program'],
	[/[\\/]Nextcloud[\\/]/i, 'Nextcloud'],
];

/** Undefined for a plain local folder, and where the system does not tell. */
export async function sharedPlaceOf(folder: string, source: FilesystemSource = systemFilesystem): Promise<SharedPlace | undefined> {
	const real = await source.realpath(folder);
	for (const [shape, type] of SYNCED_FOLDERS) if (shape.test(`${real}/`)) return { kind: 'synced', type };
	if (source.platform === 'win32') return /^\\\\(?!\?\\[A-Za-z]:|\.\\)/.test(real) ? { kind: 'network', type: 'smb' } : undefined;
	if (source.platform !== 'linux' && source.platform !== 'darwin') return undefined;
	// Without a list of mounts there is nothing to warn of; that must not keep Hearth from starting.
	const mounts = await source.mounts().catch(() => '');
	const type = typeAt(real, parseMounts(mounts, source.platform));
	return type !== undefined && NETWORK_TYPES.test(type) ? { kind: 'network', type } : undefined;
}

interface Mount {
	at: string;
	type: string;
}

function parseMounts(text: string, platform: 'linux' | 'darwin'): Mount[] {
	const mounts: Mount[] = [];
	for (const line of text.split('\n')) {
		if (platform === 'linux') {
			const [, at, type] = line.split(' ');
			// Spaces and the like are written as octal escapes.
			if (at && type)
				mounts.push({ at: at.replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))), type });
		} else {
			const match = / on (.+) \(([^,)]+)/.exec(line);
			if (match?.[1] && match[2]) mounts.push({ at: match[1], type: match[2] });
		}
	}
	return mounts;
}

/** The longest mount point that holds the path; of two at the same place, the later one lies on top. */
function typeAt(path: string, mounts: readonly Mount[]): string | undefined {
	let best: Mount | undefined;
	for (const mount of mounts) {
		if (isBelow(mount.at, path) && (!best || mount.at.length >= best.at.length)) best = mount;
	}
	return best?.type;
}

export function sharedPlaceWarning(place: SharedPlace): ErrorShape {
	if (place.kind === 'network') {
		return needsOwner('read_only', `This profile lies on a network file system (${place.type}).`, {
			safe: 'Hearth works there as carefully as it can, but cannot promise that a power cut or a lost connection harms nothing.',
			action: 'Move the profile to a local disk, and never open it on two machines at once.',
		}).shape;
	}
	return needsOwner('read_only', `This profile lies in a folder that ${place.type} keeps in step with other machines.`, {
		safe: 'It works, but a sync program may copy a database in the middle of a change, or bring back an older one.',
		action: 'Move the profile out of that folder, and use back-ups to carry it elsewhere.',
	}).shape;
}
