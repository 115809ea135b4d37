import { lstat } from 'node:fs/promises';
import { extname, normalize, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { sha256 } from '../../base/sha256.ts';
import { HearthError, terminal } from '../../domain/errors.ts';
import { readPage } from '../../tools/web/read-page.ts';
import type { OwnPlaces } from '../../tools/workspace/denied.ts';
import { type DiskFile, readDiskFile } from '../../tools/workspace/disk.ts';
import { walkFolder } from '../../tools/workspace/listing.ts';
import { ownersPath } from '../../tools/workspace/owners-path.ts';
import type { Place, Root } from '../../tools/workspace/place.ts';
import type { WorkspaceEntry } from '../../tools/workspace/port.ts';
import { sizeInWords, textOf } from '../../tools/workspace/text.ts';
import { GLANCE_ITEMS, type ReadItem, type Reading, type ReadRequest, type SourceReader } from '../ports.ts';
import { checkWanted } from './stopped.ts';

const DEEPEST = 20;
const MOST_ENTRIES = 20_000;
/** Bytes of one file. */
const LARGEST_FILE = 20_000_000;
/** Bytes of all files of one reading. */
const MOST_BYTES = 64_000_000;
/** Without a dot. A file without any is looked at, too. */
const TEXT_NAMES = new Set(
	'txt text md markdown mdown rst org adoc tex csv tsv log json jsonl yaml yml toml xml ini srt vtt html htm pdf'.split(' '),
);
/** A file that changed so shortly before may change again without its time showing it. */
const STILL_MOVING_MS = 2_000;

/** Files that were looked at and gave nothing, by path, time and size: they are not opened again while they are the same. */
const Cursor = z.object({ nothing: z.array(z.string().length(16)).max(MOST_ENTRIES) });

/**
 * A folder of text, Markdown and PDFs: each file is an item, and again where its content is another. Files whose name begins with a dot are left
 * out, links are not followed, and nothing is written.
 */
export function createFolderReader({ own }: { own: OwnPlaces }): SourceReader<'folder'> {
	return {
		kind: 'folder',
		read: async (request) => {
			checkWanted(request.signal);
			const { real, isShut } = await ownersPath(request.place.path, own);
			if (!(await lstat(real)).isDirectory())
				throw terminal('invalid_input', `${request.place.path} is a file, not a folder.`, { action: 'Name the folder that it lies in.' });
			const root: Root = { name: real, absolute: real, mine: false };
			const { entries, more } = await walkFolder(placeIn(root, real), { depth: DEEPEST, limit: MOST_ENTRIES, isShut });
			const files = entries.filter(isCandidate).sort((a, b) => a.modifiedAt - b.modifiedAt || (a.path < b.path ? -1 : 1));
			const few = request.glance ? files.slice(-GLANCE_ITEMS) : files;
			const reading = await new FolderReading(root, request).read(few, more);
			return few.length < files.length ? { ...reading, more: true } : reading;
		},
	};
}

class FolderReading {
	readonly #root: Root;
	readonly #request: ReadRequest<'folder'>;
	readonly #items: ReadItem[] = [];
	readonly #nothing: Set<string>;
	readonly #missed = { unreadable: 0, large: 0, linked: 0 };
	#bytes = 0;

	constructor(root: Root, request: ReadRequest<'folder'>) {
		this.#root = root;
		this.#request = request;
		this.#nothing = new Set(Cursor.safeParse(request.cursor).data?.nothing);
	}

	async read(files: readonly WorkspaceEntry[], isCut: boolean): Promise<Reading> {
		const { limits, known, signal } = this.#request;
		const still: string[] = [];
		let more = false;
		for (const file of files) {
			checkWanted(signal);
			const look = lookKey(file);
			if (this.#nothing.has(short(look))) still.push(short(look));
			else if (!more && !known([look])) {
				if (this.#items.length >= limits.maxItems || this.#bytes >= MOST_BYTES) more = true;
				else if (await this.#open(file, look)) still.push(short(look));
			}
		}
		return { items: this.#items, cursor: { nothing: still }, more, bytes: this.#bytes, note: this.#note(isCut) };
	}

	/** Whether there was nothing in it that need be looked at again. */
	async #open(file: WorkspaceEntry, look: string): Promise<boolean> {
		if (file.bytes > LARGEST_FILE) {
			this.#missed.large += 1;
			return false;
		}
		try {
			const found = await readDiskFile(placeIn(this.#root, normalize(file.path)), LARGEST_FILE);
			if (!found) return false;
			this.#bytes += found.bytes.length;
			if (found.hasOtherNames) {
				this.#missed.linked += 1;
				return false;
			}
			const isSettled = file.modifiedAt < this.#request.now - STILL_MOVING_MS;
			const key = `file:${sha256(`${file.path}\n${found.hash}`)}`;
			const text = this.#request.known([key]) ? '' : await this.#textOf(file, found);
			if (text.trim() === '') return isSettled;
			this.#items.push({
				keys: isSettled ? [key, look] : [key],
				title: relative(this.#root.absolute, normalize(file.path)).split(sep).join('/'),
				url: pathToFileURL(file.path).href,
				publishedAt: Math.min(file.modifiedAt, this.#request.now),
				text,
				fetchedHash: found.hash,
			});
			return false;
		} catch (error) {
			if (!(error instanceof HearthError)) throw error;
			this.#missed.unreadable += 1;
			return false;
		}
	}

	/** Empty where it is no text, or none that can be read. */
	async #textOf({ path }: WorkspaceEntry, { bytes }: DiskFile): Promise<string> {
		const read = await textOf({ path, bytes }).catch((error: unknown) => {
			if (!(error instanceof HearthError)) throw error;
			this.#missed.unreadable += 1;
		});
		if (!read) return '';
		if (/\.html?$/i.test(path)) return (await readPage(read.text, pathToFileURL(path).href)).text;
		return read.note === undefined ? read.text : `${read.text}\n\n(Of this file ${read.note}.)`;
	}

	/** Names of files are somebody else's words: they are counted, not told. */
	#note(isCut: boolean): string | undefined {
		const { unreadable, large, linked } = this.#missed;
		const parts = [
			...(unreadable > 0 ? [`${files(unreadable)} can’t be read`] : []),
			...(large > 0 ? [`${files(large)} larger than ${sizeInWords(LARGEST_FILE)}`] : []),
			...(linked > 0 ? [`${files(linked)} with another name elsewhere (a hard link)`] : []),
			...(isCut ? [`what comes after the first ${MOST_ENTRIES.toLocaleString('en')} files and folders`] : []),
		];
		return parts.length === 0 ? undefined : `Left out: ${parts.join('; ')}.`;
	}
}

function files(count: number): string {
	return count === 1 ? 'one file' : `${count} files`;
}

function isCandidate({ kind, path, bytes }: WorkspaceEntry): boolean {
	if (kind !== 'file' || bytes === 0) return false;
	const extension = extname(path).slice(1).toLowerCase();
	return extension === '' || TEXT_NAMES.has(extension);
}

/** The file as it looks from outside: while that is the same, its content is taken to be. */
function lookKey({ path, modifiedAt, bytes }: WorkspaceEntry): string {
	return `look:${sha256(`${path}\n${modifiedAt}\n${bytes}`)}`;
}

function short(look: string): string {
	return look.slice('look:'.length, 'look:'.length + 16);
}

function placeIn(root: Root, absolute: string): Place {
	return { path: absolute, absolute, root, exists: true };
}
