import { readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeFileAtomic } from './atomic-file.ts';
import { Sequencer } from './sequencer.ts';
import { sha256 } from './sha256.ts';
import { systemCode } from './system-code.ts';

/** A folder of contents, `attachments/` or `blobs/`: one file for each distinct content, named by its SHA-256. */
export class ContentFiles {
	readonly #folder: string;
	readonly #sequencer = new Sequencer();

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Keeps the bytes; on the disk when it resolves, and before `record` adds the row that names them. */
	put<T>(bytes: Uint8Array, record: (hash: string) => T): Promise<T> {
		return this.#exclusive(async () => record(await this.#keep(bytes)));
	}

	/** The same for contents that one row names. */
	putAll<T>(contents: readonly Uint8Array[], record: () => T): Promise<T> {
		return this.#exclusive(async () => {
			for (const bytes of contents) await this.#keep(bytes);
			return record();
		});
	}

	/** `undefined` where there is no such file, or where it is not what its name says. */
	async read(hash: string): Promise<Uint8Array | undefined> {
		try {
			const bytes = await readFile(this.#path(hash));
			return sha256(bytes) === hash ? bytes : undefined;
		} catch (error) {
			if (isMissing(error)) return undefined;
			throw error;
		}
	}

	/** As `read`, within a step that can't wait. */
	readNow(hash: string): Uint8Array | undefined {
		try {
			const bytes = readFileSync(this.#path(hash));
			return sha256(bytes) === hash ? bytes : undefined;
		} catch (error) {
			if (isMissing(error)) return undefined;
			throw error;
		}
	}

	/** Removes those of the files that nothing names any more. `unreferenced` is asked while no file is being added. */
	remove(hashes: readonly string[], unreferenced: (hashes: readonly string[]) => readonly string[]): Promise<void> {
		return this.#exclusive(async () => {
			const gone = unreferenced(hashes);
			for (const hash of gone) await rm(this.#path(hash), { force: true });
			if (gone.length > 0) await syncFolder(this.#folder).catch(ignoreMissing);
		});
	}

	/** Removes what a crash left behind: files that no row names, and files that were being written. */
	collect(unreferenced: (hashes: readonly string[]) => readonly string[]): Promise<void> {
		return this.#exclusive(async () => {
			const names = await readdir(this.#folder).catch((error) => (isMissing(error) ? [] : Promise.reject(error)));
			const unfinished = names.filter((name) => /^[0-9a-f]{64}\..*\.tmp$/.test(name));
			const stale = unreferenced(names.filter((name) => /^[0-9a-f]{64}$/.test(name)));
			for (const name of [...unfinished, ...stale]) await rm(join(this.#folder, name), { force: true });
		});
	}

	/** Resolves when no file is being added or removed. */
	idle(): Promise<void> {
		return this.#sequencer.idle();
	}

	async #keep(bytes: Uint8Array): Promise<string> {
		const hash = sha256(bytes);
		const path = this.#path(hash);
		// A file of this name and size is this content: it was written whole or not at all.
		if ((await sizeOf(path)) !== bytes.length) {
			await mkdir(this.#folder, { recursive: true, mode: 0o700 });
			await writeFileAtomic(path, bytes);
		}
		return hash;
	}

	#path(hash: string): string {
		if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('not a hash');
		return join(this.#folder, hash);
	}

	#exclusive<T>(task: () => Promise<T>): Promise<T> {
		return this.#sequencer.run('files', task);
	}
}

async function sizeOf(path: string): Promise<number | undefined> {
	try {
		return (await stat(path)).size;
	} catch (error) {
		if (isMissing(error)) return undefined;
		throw error;
	}
}

function isMissing(error: unknown): boolean {
	return systemCode(error) === 'ENOENT';
}

function ignoreMissing(error: unknown): void {
	if (!isMissing(error)) throw error;
}
