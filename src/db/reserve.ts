import { randomFillSync } from 'node:crypto';
import { rmSync, statSync, truncateSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { move } from '../base/move.ts';
import { systemCode } from '../base/system-code.ts';

export const RESERVE_BYTES = 8 * 1024 * 1024;
export const RESERVE_PARTS = 4;
const BLOCK_BYTES = 1024 * 1024;

/**
 * Room held back on the disk as a file of random bytes (a file system may store zeros in no space at all). When the disk is full it
 * is given up, so that what makes room can still be written: deleting a chat, stopping a reply.
 */
export class Reserve {
	readonly #file: string;

	constructor(file: string) {
		this.#file = file;
	}

	/** Gives one part of the room up, so that something is left where another program takes it at once. False where there is none. */
	release(): boolean {
		try {
			const left = statSync(this.#file).size - RESERVE_BYTES / RESERVE_PARTS;
			if (left > 0) truncateSync(this.#file, left);
			else rmSync(this.#file);
			return true;
		} catch (error) {
			// A file that cannot be cut is no room either.
			if (systemCode(error) !== '') return false;
			throw error;
		}
	}

	/** Holds room back again where it was given up. Rejects with what the file system said; then nothing is left behind. */
	async fill(): Promise<void> {
		if ((await sizeOf(this.#file)) === RESERVE_BYTES) return;
		const draft = `${this.#file}.new`;
		try {
			const file = await open(draft, 'w', 0o600);
			try {
				for (let written = 0; written < RESERVE_BYTES; written += BLOCK_BYTES) {
					await file.writeFile(randomFillSync(Buffer.allocUnsafe(BLOCK_BYTES)));
				}
				await file.datasync();
			} finally {
				await file.close();
			}
			await move(draft, this.#file);
		} catch (error) {
			await rm(draft, { force: true });
			throw error;
		}
	}
}

async function sizeOf(file: string): Promise<number | undefined> {
	try {
		return (await stat(file)).size;
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return undefined;
		throw error;
	}
}
