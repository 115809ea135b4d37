import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { isBelow } from '../../base/below.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { Sequencer } from '../../base/sequencer.ts';
import { systemCode } from '../../base/system-code.ts';
import type { BackupInfo } from '../../contract/methods/memory.ts';
import { asStorageError } from '../../db/errors.ts';
import type { StateDb } from '../../db/open.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { Redactor } from '../../firewall/ports.ts';
import type { ProfilePaths } from '../profile-folder.ts';
import { infoOf } from './check-archive.ts';
import { openArchive } from './read-archive.ts';
import { writeArchive } from './write-archive.ts';

const NAME = /^profile-v(\d+)-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})Z\.zip$/;
const LEFTOVER = /^profile-v.*\.zip\.\d+-[0-9a-f]{8}\.tmp(?:\.db)?(?:-wal|-shm|-journal)?$/;
/** Older ones are removed when a new one is complete. */
const KEPT = 3;

export interface ProfileBackups {
	/** Those in the profile's own folder, newest first. */
	list(): Promise<BackupInfo[]>;
	/** Names say when: no archive is opened for it. */
	newestMadeAt(): Promise<number | undefined>;
	create(): Promise<BackupInfo>;
	/** At a place of the owner's, which must be absolute, outside the profile and not taken. */
	export(path: string): Promise<{ path: string; bytes: number; files: number }>;
	/** Removes these archives, by name, because of what is in them. True where any was there. */
	remove(names: readonly string[]): Promise<boolean>;
	/** Waits for one under way. */
	close(): Promise<void>;
}

export interface ProfileBackupsDeps {
	readonly db: StateDb;
	readonly paths: ProfilePaths;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Takes keys that were written by hand out of the settings that go into an archive. */
	readonly redactor: Pick<Redactor, 'redact'>;
}

/** Archives of the whole profile in `backups/`: the last few, each with memory, ledger, chats and files, none with keys. */
export function createProfileBackups({ db, paths, clock, logger, redactor }: ProfileBackupsDeps): ProfileBackups {
	const clean = (text: string): string => redactor.redact(text).text;
	const { backups: folder } = paths;
	// One at a time: each copies the whole database.
	const sequencer = new Sequencer();
	const inOrder = <T>(work: () => Promise<T>): Promise<T> => sequencer.run('archive', work);

	async function names(): Promise<{ name: string; madeAt: number; schemaVersion: number }[]> {
		const found = await readdir(folder).catch((error: unknown) => {
			if (systemCode(error) === 'ENOENT') return [];
			throw asStorageError(error);
		});
		return found.flatMap((name) => readName(name) ?? []).toSorted((a, b) => b.madeAt - a.madeAt);
	}

	async function create(): Promise<BackupInfo> {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		for (const left of await readdir(folder)) if (LEFTOVER.test(left)) await rm(join(folder, left), { force: true });
		// Later than the newest there is, so that the order stays right when the clock jumped back (dur-6).
		const madeAt = Math.max(clock.now(), ((await names())[0]?.madeAt ?? 0) + 1);
		const name = `profile-v${db.schemaVersion}-${new Date(madeAt).toISOString().replaceAll(/[-:.]/g, '')}.zip`;
		const path = join(folder, name);
		const manifest = await writeArchive({ clean, db, folder: paths.folder, target: path, now: madeAt });
		for (const old of (await names()).slice(KEPT)) await rm(join(folder, old.name), { force: true });
		const info = infoOf(path, (await stat(path)).size, manifest);
		logger.info('profile_backup_made', { name, bytes: info.bytes, files: info.files, leftOut: info.leftOut.length });
		return info;
	}

	async function describe({ name, madeAt, schemaVersion }: { name: string; madeAt: number; schemaVersion: number }): Promise<BackupInfo[]> {
		const path = join(folder, name);
		const found = await stat(path).catch(() => undefined);
		if (!found) return [];
		const archive = await openArchive(path, found.size).catch(() => undefined);
		archive?.close();
		// One that can't be read is listed, too: `verify` says what is wrong with it.
		return [
			archive
				? infoOf(path, found.size, archive.manifest)
				: { name, path, bytes: found.size, madeAt, schemaVersion, files: 0, leftOut: [] },
		];
	}

	return {
		list: async () => (await Promise.all((await names()).map(describe))).flat(),
		newestMadeAt: async () => (await names())[0]?.madeAt,
		create: () => inOrder(create),
		export: (given) =>
			inOrder(async () => {
				const path = await placeOf(given, paths.folder);
				const manifest = await writeArchive({ clean, db, folder: paths.folder, target: path, now: clock.now() });
				return { path, bytes: (await stat(path)).size, files: manifest.files.length };
			}),
		remove: (given) =>
			inOrder(async () => {
				const there = (await names()).filter(({ name }) => given.includes(name));
				for (const { name } of there) await rm(join(folder, name), { force: true });
				return there.length > 0;
			}),
		close: () => sequencer.idle(),
	};
}

function readName(name: string): { name: string; madeAt: number; schemaVersion: number } | undefined {
	const match = NAME.exec(name);
	if (!match) return undefined;
	const [, version, year, month, day, hour, minute, second, milli] = match;
	return { name, schemaVersion: Number(version), madeAt: Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${milli}Z`) };
}

/** Where the owner wants it; throws `invalid_input` or `not_found` in words. */
async function placeOf(given: string, profileFolder: string): Promise<string> {
	if (!isAbsolute(given)) throw terminal('invalid_input', 'The place of an export must be a whole path.', { safe: 'Nothing was written.' });
	const path = resolve(given);
	const parent = await realpath(dirname(path)).catch((error: unknown) => {
		throw terminal('not_found', `There is no folder ${dirname(path)}.`, {
			safe: 'Nothing was written.',
			action: 'Choose one that exists.',
			cause: error,
		});
	});
	if (isBelow(await realpath(profileFolder), parent))
		throw needsOwner('invalid_input', 'An export goes to a place outside the profile.', {
			safe: 'Nothing was written.',
			action: 'Choose another folder. For a copy inside it, make a back-up.',
		});
	return join(parent, basename(path));
}
