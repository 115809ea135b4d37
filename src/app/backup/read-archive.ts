import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Transform, Writable } from 'node:stream';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { systemCode } from '../../base/system-code.ts';
import { asStorageError } from '../../db/errors.ts';
import { HearthError, needsOwner, terminal } from '../../domain/errors.ts';
import { parseJson } from '../../domain/json.ts';
import { belongsInProfile, MANIFEST_NAME, Manifest, STATE_DB_NAME } from './manifest.ts';

/** More files than this, or a manifest beyond this, is no archive of a profile. */
const MOST_FILES = 200_000;
const MOST_MANIFEST_BYTES = 64 * 1024 * 1024;
/** Up to this all is well whatever it was packed into; beyond it no more than so many times the archive (a bomb is packed a thousandfold). */
const ALWAYS_ALLOWED_BYTES = 1024 * 1024 * 1024;
const MOST_UNPACKED_RATIO = 200;
/** Kind of file in the upper half of a Unix mode. */
const KIND_OF_FILE = 0o170000;
const REGULAR = 0o100000;

export type ArchivedFile = Manifest['files'][number];

/** An archive whose list of contents was found right: every name inside the profile, every size the manifest's, nothing twice. */
export interface Archive {
	readonly manifest: Manifest;
	/** Bytes of all its files, unpacked. */
	readonly totalBytes: number;
	/** Writes one file to `target`, which must not exist, or nowhere; throws `invalid_input` where it is not what the manifest says. */
	extract(file: ArchivedFile, target: string | undefined): Promise<void>;
	close(): void;
}

/** Rejects with `not_found`, or with `invalid_input` in words for whatever is not a whole archive of a profile. Writes nothing. */
export async function openArchive(path: string, bytes: number): Promise<Archive> {
	const zip = await openPromise(path, { autoClose: false, strictFileNames: true }).catch((error: unknown) => {
		throw refusal(error);
	});
	try {
		const entries = await listEntries(zip);
		const manifest = await readManifest(zip, entries);
		const totalBytes = compare(manifest, entries, bytes);
		return {
			manifest,
			totalBytes,
			extract: (file, target) => extract(zip, entries, file, target),
			close: () => zip.close(),
		};
	} catch (error) {
		zip.close();
		throw refusal(error);
	}
}

async function listEntries(zip: ZipFile): Promise<Map<string, Entry>> {
	if (zip.entryCount > MOST_FILES) throw notOurs(`It holds ${zip.entryCount} files.`);
	const entries = new Map<string, Entry>();
	for await (const entry of zip.eachEntry()) {
		const name = entry.fileName;
		if (entries.has(name)) throw notOurs(`It holds “${name.slice(0, 200)}” twice.`);
		if (name !== MANIFEST_NAME && !belongsInProfile(name))
			throw notOurs(`It holds “${name.slice(0, 200)}”, which is not part of a profile.`);
		const kind = (entry.externalFileAttributes >>> 16) & KIND_OF_FILE;
		if (kind !== 0 && kind !== REGULAR) throw notOurs(`“${name.slice(0, 200)}” in it is not a file.`);
		if (entry.isEncrypted()) throw notOurs('It is encrypted.');
		entries.set(name, entry);
	}
	return entries;
}

async function readManifest(zip: ZipFile, entries: ReadonlyMap<string, Entry>): Promise<Manifest> {
	const entry = entries.get(MANIFEST_NAME);
	if (!entry) throw notOurs(`It has no ${MANIFEST_NAME}.`);
	if (entry.uncompressedSize > MOST_MANIFEST_BYTES) throw notOurs(`Its ${MANIFEST_NAME} is too large.`);
	const text = await readText(await zip.openReadStreamPromise(entry));
	const parsed = Manifest.safeParse(parseJson(text));
	if (!parsed.success) throw notOurs(`Its ${MANIFEST_NAME} can’t be read.`);
	return parsed.data;
}

/** The manifest and the zip's own list must agree on every name and size. Gives the sum of the sizes. */
function compare(manifest: Manifest, entries: ReadonlyMap<string, Entry>, archiveBytes: number): number {
	const named = new Set(manifest.files.map(({ path }) => path));
	if (named.size !== manifest.files.length) throw notOurs(`Its ${MANIFEST_NAME} names a file twice.`);
	if (!named.has(STATE_DB_NAME)) throw notOurs(`It has no ${STATE_DB_NAME}.`);
	for (const name of entries.keys())
		if (name !== MANIFEST_NAME && !named.has(name))
			throw notOurs(`It holds “${name.slice(0, 200)}”, which its ${MANIFEST_NAME} does not name.`);
	let total = 0;
	for (const { path, bytes } of manifest.files) {
		const entry = entries.get(path);
		if (!entry) throw notOurs(`“${path.slice(0, 200)}” is missing from it.`);
		if (entry.uncompressedSize !== bytes) throw notOurs(`“${path.slice(0, 200)}” in it has not the size it should have.`);
		total += bytes;
	}
	if (total > Math.max(ALWAYS_ALLOWED_BYTES, archiveBytes * MOST_UNPACKED_RATIO)) throw notOurs('It would unpack to far too much.');
	return total;
}

async function extract(zip: ZipFile, entries: ReadonlyMap<string, Entry>, file: ArchivedFile, target: string | undefined): Promise<void> {
	const entry = entries.get(file.path);
	if (!entry) throw notOurs(`“${file.path.slice(0, 200)}” is missing from it.`);
	const hash = createHash('sha256');
	try {
		await pipeline(await zip.openReadStreamPromise(entry), hashing(hash), target === undefined ? nowhere() : toFile(target));
	} catch (error) {
		// What the disk says is not the archive's fault.
		if (error instanceof HearthError || /^E[A-Z]+$/.test(systemCode(error))) throw asStorageError(error);
		throw damaged(file, error);
	}
	if (hash.digest('hex') !== file.sha256) throw damaged(file);
}

function hashing(hash: Hash): Transform {
	return new Transform({
		transform(chunk: Buffer, _encoding, done) {
			hash.update(chunk);
			done(null, chunk);
		},
	});
}

function nowhere(): Writable {
	return new Writable({ write: (_chunk, _encoding, done) => done() });
}

function toFile(target: string): Writable {
	return createWriteStream(target, { flags: 'wx', mode: 0o600, flush: true });
}

function damaged(file: ArchivedFile, cause?: unknown): HearthError {
	return terminal('invalid_input', `“${file.path}” in the back-up is damaged: it is not what was put in.`, {
		action: 'Use another back-up.',
		cause,
	});
}

function notOurs(why: string): HearthError {
	return terminal('invalid_input', `This is not a whole back-up of a profile. ${why}`, {
		safe: 'Nothing was changed.',
		action: 'Choose a file that Hearth made, or another back-up.',
	});
}

function refusal(error: unknown): unknown {
	if (error instanceof HearthError) return error;
	const code = systemCode(error);
	if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR')
		return terminal('not_found', 'There is no such back-up file.', { cause: error });
	if (/^E[A-Z]+$/.test(code))
		return needsOwner('read_only', `The back-up file can’t be read (${code}).`, { action: 'Check its permissions.', cause: error });
	// The reader's own words on a file that is cut off or is no zip: they hold names at most.
	return terminal('invalid_input', 'This is not a whole zip file: it is damaged, cut off, or something else.', {
		safe: 'Nothing was changed.',
		action: 'Choose a file that Hearth made, or another back-up.',
		cause: error,
	});
}
