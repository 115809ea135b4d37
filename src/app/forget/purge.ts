import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ContentFiles } from '../../base/content-files.ts';
import { systemCode } from '../../base/system-code.ts';
import type { Needle } from '../../db/needle.ts';
import type { StateDb } from '../../db/open.ts';
import type { MemoryPath } from '../../domain/memory.ts';
import type { OpenMemory } from '../../memory/memory.ts';
import { attachmentContents } from '../../sessions/attachment-store.ts';
import { decodeText } from '../../sessions/decode-text.ts';
import type { ProfileBackups } from '../backup/profile-backups.ts';
import type { ProfilePaths } from '../profile-folder.ts';
import { forgetInBlobs } from './blobs.ts';
import { countIn, leaveNothing, type PrepareScrub, scrubBackup } from './databases.ts';
import { archiveHolds, attachmentsHolding, type FilePart, forgetInAttachments, forgetInLog, partOf, UNPACKED } from './files.ts';
import { fileHolds, linesHolding, type ProfileFile, profileFiles } from './scan.ts';

/** The files of a profile that hold a text, by what they are, and what is done with each (M4). */

export interface PurgeDeps {
	readonly db: StateDb;
	readonly paths: ProfilePaths;
	readonly attachments: ContentFiles;
	readonly blobs: ContentFiles;
	readonly archives: Pick<ProfileBackups, 'remove'>;
	readonly memory: Pick<OpenMemory, 'files'>;
	/** Builds index.db anew. */
	readonly reindex: () => Promise<void>;
	/** Takes it out of one memory file. */
	readonly forgetInFile: (file: MemoryPath) => Promise<void>;
}

export interface Scan {
	/** How many files were read. */
	readonly scanned: number;
	readonly holding: readonly (ProfileFile & { readonly part: FilePart })[];
}

/** Reads every file, and changes none. `except`: parts that are not looked at. */
export async function scanProfile(
	{ db, paths, memory }: Pick<PurgeDeps, 'db' | 'paths' | 'memory'>,
	needle: Needle,
	except: readonly FilePart[] = [],
): Promise<Scan> {
	const readable = new Set<string>(memory.files().flatMap(({ path, problem }) => (problem ? [] : [path])));
	const partIn = (path: string): FilePart => (partOf(path) === 'memory' && !readable.has(path) ? 'owner' : partOf(path));
	const files = (await profileFiles(paths.folder)).map((file) => ({ ...file, part: partIn(file.path) }));
	const looked = files.filter(({ part }) => !except.includes(part));
	const attached = new Set((await attachmentsHolding(db, looked, needle)).map(({ hash }) => `attachments/${hash}`));
	const holding = [];
	for (const file of looked) if (attached.has(file.path) || (await holds(file, paths, needle))) holding.push(file);
	return { scanned: looked.length, holding };
}

async function holds(file: ProfileFile & { part: FilePart }, paths: ProfilePaths, needle: Needle): Promise<boolean> {
	if (file.part === 'backups' && file.path.endsWith('.zip')) return archiveHolds(file, paths.backups, needle);
	if (await fileHolds(file.file, needle)) return true;
	// Longer values lie in pieces in a database's file.
	return (file.part === 'backups' || file.part === 'index') && file.path.endsWith('.db') && (await countIn(file.file, needle)) > 0;
}

/** The owner's own files among them, each with the lines that hold it. */
export async function keptBy({ holding }: Scan, needle: Needle): Promise<{ path: string; line: number }[]> {
	const owners = holding.filter(({ part }) => part === 'owner');
	return (await Promise.all(owners.map(({ path, file }) => keptIn(path, file, needle)))).flat();
}

/** The same of files outside of the profile, by their whole paths. One that can't be read may hold it, and is named. */
export async function keptElsewhere(paths: readonly string[], needle: Needle): Promise<{ path: string; line: number }[]> {
	const kept = [];
	for (const path of paths) {
		try {
			const isFile = (await stat(path)).isFile();
			if (isFile && (await fileHolds(path, needle))) kept.push(...(await keptIn(path, path, needle)));
		} catch (error) {
			if (!['ENOENT', 'ENOTDIR'].includes(systemCode(error))) kept.push({ path, line: 1 });
		}
	}
	return kept;
}

async function keptIn(path: string, file: string, needle: Needle): Promise<{ path: string; line: number }[]> {
	const decoded = decodeText(await readFile(file), Number.POSITIVE_INFINITY);
	const lines = decoded ? linesHolding(decoded.text, needle) : [];
	return (lines.length > 0 ? lines : [1]).map((line) => ({ path, line }));
}

/** What an earlier look into archives left when its process died. */
export async function sweepUnpacked(backups: string): Promise<void> {
	for (const name of await readdir(backups)) if (name.startsWith(UNPACKED)) await rm(join(backups, name), { recursive: true, force: true });
}

/**
 * Takes it out of each of these files in the way that fits. The owner's are not touched. True where an archive was removed. Rejects where
 * a file can't be written.
 */
export async function purgeFiles(deps: PurgeDeps, { holding }: Scan, needle: Needle, prepare: PrepareScrub): Promise<boolean> {
	const { db, attachments, blobs, archives } = deps;
	const of = (part: FilePart) => holding.filter((file) => file.part === part);
	for (const { file } of of('leftover')) await rm(file, { force: true });
	for (const { path } of of('memory')) await deps.forgetInFile(path as MemoryPath);
	for (const { file } of of('logs')) await forgetInLog(file, needle);
	await forgetInAttachments(db, attachments, await attachmentsHolding(db, of('attachments'), needle), needle);
	// What no attachment names was left by a crash.
	for (const { path, file } of of('attachments')) if (!isNamed(db, basename(path))) await rm(file, { force: true });
	await forgetInBlobs(db, blobs, of('blobs'), needle);
	if (of('index').length > 0) await deps.reindex();
	if (of('state').length > 0) await leaveNothing(db, { rebuild: true });
	for (const { path, file } of of('backups')) if (!path.endsWith('.zip')) await forgetInBackup(path, file, needle, prepare);
	return archives.remove(of('backups').flatMap(({ path }) => (path.endsWith('.zip') ? [basename(path)] : [])));
}

function isNamed(db: StateDb, hash: string): boolean {
	return attachmentContents(db.read, hash).length > 0;
}

/** Copies of state.db are scrubbed; what else lies there and holds it, such as a list of changes, is of no use without it. */
async function forgetInBackup(path: string, file: string, needle: Needle, prepare: PrepareScrub): Promise<void> {
	if (path.endsWith('.db')) await scrubBackup(file, needle, prepare);
	else await rm(file, { force: true });
}
