import { createHash, randomBytes } from 'node:crypto';
import { constants, createWriteStream } from 'node:fs';
import { type FileHandle, link, lstat, mkdir, open, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { PassThrough, Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { syncFolder } from '../../base/atomic-file.ts';
import { move } from '../../base/move.ts';
import { systemCode } from '../../base/system-code.ts';
import { asStorageError } from '../../db/errors.ts';
import type { StateDb } from '../../db/open.ts';
import { type HearthError, needsOwner } from '../../domain/errors.ts';
import { HEARTH_VERSION } from '../version.ts';
import { type ProfileFile, profileContents } from './contents.ts';
import { MANIFEST_NAME, type Manifest, STATE_DB_NAME } from './manifest.ts';

export interface ArchiveRequest {
	readonly db: StateDb;
	/** The profile's. */
	readonly folder: string;
	/** Where the archive will be; must not exist. */
	readonly target: string;
	readonly now: number;
	/** Of the files with settings: without what they hold that is secret (S3). */
	readonly clean: (text: string) => string;
}

/** Files where an owner may have written a key by hand. */
const SETTINGS: ReadonlySet<string> = new Set(['config.json', 'policy.yaml']);

/** How often the database is copied anew because memory was written meanwhile: file and ledger belong together. */
const TRIES = 5;

/**
 * Writes the whole profile, without keys, as one zip: state.db through SQLite's back-up, then the files, then a manifest with the hash of
 * each. Under a temporary name until it is whole and on the disk; when it fails it leaves nothing behind. Rejects with `conflict` where
 * the target exists, `disk_full`, `read_only`.
 */
export async function writeArchive(request: ArchiveRequest): Promise<Manifest> {
	await refuseExisting(request.target);
	const id = `${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
	const unfinished = `${request.target}.${id}`;
	// In the profile, wherever the archive goes: a crash leaves no chats in the owner's other folders.
	const backups = join(request.folder, 'backups');
	const database = join(backups, `profile-v${request.db.schemaVersion}.zip.${id}.db`);
	try {
		await mkdir(backups, { recursive: true, mode: 0o700 });
		await copyDatabase(request, database);
		const manifest = await writeZip(request, database, unfinished);
		await intoPlace(unfinished, request.target);
		return manifest;
	} catch (error) {
		throw asStorageError(error);
	} finally {
		await rm(database, { force: true });
		await rm(unfinished, { force: true });
	}
}

/** So that no memory file of the archive is from before, or after, what the ledger in it says of the file. */
async function copyDatabase({ db, folder }: ArchiveRequest, target: string): Promise<void> {
	for (let left = TRIES; ; left--) {
		const before = await memoryPrint(folder);
		await db.copyTo(target);
		if (left === 1 || (await memoryPrint(folder)) === before) return;
		await rm(target, { force: true });
	}
}

async function memoryPrint(folder: string): Promise<string> {
	const hash = createHash('sha256');
	const { files } = await profileContents(folder);
	for (const { path, file } of files) {
		if (path !== 'MEMORY.md' && !path.startsWith('memory/')) continue;
		hash.update(`${path}\0`).update(await readFile(file).catch(() => 'gone'));
	}
	return hash.digest('hex');
}

async function writeZip(request: ArchiveRequest, database: string, unfinished: string): Promise<Manifest> {
	const zip = new ZipFile();
	const output = zip.outputStream as PassThrough;
	// Its own word on a source that failed; the source's reader hears of it as well.
	zip.on('error', (error: Error) => output.destroy(error));
	const written = pipeline(output, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }));
	// Whoever waits for it hears of it; this only keeps it from counting as unheard until then.
	written.catch(() => undefined);
	try {
		const manifest = await fill(zip, request, database, failureOf(written));
		await written;
		return manifest;
	} catch (error) {
		output.destroy();
		await written.catch(() => undefined);
		throw error;
	}
}

async function fill(
	zip: ZipFile,
	{ db, folder, now, clean }: ArchiveRequest,
	database: string,
	failure: Promise<never>,
): Promise<Manifest> {
	const { files, leftOut } = await profileContents(folder);
	const manifest: Manifest = {
		format: 'hearth-profile',
		version: 1,
		hearth: HEARTH_VERSION,
		schemaVersion: db.schemaVersion,
		profile: basename(folder),
		madeAt: now,
		files: [],
		leftOut,
	};
	const state: ProfileFile = { path: STATE_DB_NAME, file: database, bytes: 0, executable: false, mayBeLink: false };
	for (const file of [state, ...files]) {
		const handle = await openToRead(file);
		if (typeof handle === 'string') leftOut.push({ path: file.path, why: handle });
		else manifest.files.push(await Promise.race([addFile(zip, file, handle, { now, clean }), failure]));
	}
	zip.addBuffer(Buffer.from(JSON.stringify(manifest)), MANIFEST_NAME, { mtime: new Date(now), mode: 0o100600 });
	zip.end();
	return manifest;
}

/** The open file, or why it is left out. */
async function openToRead({ file, mayBeLink }: ProfileFile): Promise<FileHandle | string> {
	try {
		return await open(file, constants.O_RDONLY | (mayBeLink ? 0 : (constants.O_NOFOLLOW ?? 0)));
	} catch (error) {
		return systemCode(error) === 'ENOENT' ? 'It was removed meanwhile.' : `It could not be read (${systemCode(error)}).`;
	}
}

/** One after the other: each is hashed on its way, whatever it is by then. */
async function addFile(
	zip: ZipFile,
	file: ProfileFile,
	handle: FileHandle,
	{ now, clean }: Pick<ArchiveRequest, 'now' | 'clean'>,
): Promise<Manifest['files'][number]> {
	const hash = createHash('sha256');
	let bytes = 0;
	const count = new Transform({
		transform(chunk: Buffer, _encoding, done) {
			hash.update(chunk);
			bytes += chunk.length;
			done(null, chunk);
		},
	});
	const source = new PassThrough();
	zip.addReadStream(source, file.path, { mtime: new Date(now), mode: file.executable ? 0o100700 : 0o100600 });
	const content = SETTINGS.has(file.path) ? Readable.from([await cleaned(handle, clean)]) : handle.createReadStream();
	await pipeline(content, count, source);
	return { path: file.path, bytes, sha256: hash.digest('hex'), executable: file.executable };
}

async function cleaned(handle: FileHandle, clean: (text: string) => string): Promise<Buffer> {
	try {
		return Buffer.from(clean(await handle.readFile('utf8')), 'utf8');
	} finally {
		await handle.close();
	}
}

/** Never resolves: rejects when the disk refuses the archive, which nobody who only feeds it would hear of. */
function failureOf(written: Promise<void>): Promise<never> {
	const failure = new Promise<never>((_, reject) => void written.catch(reject));
	failure.catch(() => undefined);
	return failure;
}

async function refuseExisting(target: string): Promise<void> {
	const found = await lstat(target).catch((error: unknown) => {
		if (systemCode(error) === 'ENOENT') return undefined;
		throw asStorageError(error);
	});
	if (found) throw exists(target);
}

function exists(target: string): HearthError {
	return needsOwner('conflict', `${target} exists already.`, { safe: 'It was not touched.', action: 'Choose another name.' });
}

async function intoPlace(unfinished: string, target: string): Promise<void> {
	try {
		// Unlike a rename it never replaces a file that came meanwhile.
		await link(unfinished, target);
	} catch (error) {
		if (systemCode(error) === 'EEXIST') throw exists(target);
		if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].includes(systemCode(error))) throw error;
		// A file system without second names, as on many USB sticks.
		await move(unfinished, target);
	}
	await syncFolder(dirname(target));
}
