import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { moveSync } from './move.ts';
import { systemCode } from './system-code.ts';

/**
 * A small file of JSON lines beside a database, written at once and without a transaction. Not synced unless asked: a process that is killed
 * loses nothing of it. Throws the system's errors.
 */
export class LineFile<Line> {
	readonly #file: string;
	readonly #parse: (line: string) => Line | undefined;
	#handle: number | undefined;
	#bytes = 0;

	/** `parse`: undefined for what is no line of it. */
	constructor(file: string, parse: (line: string) => Line | undefined) {
		this.#file = file;
		this.#parse = parse;
	}

	/** Bytes in it, once something was written. */
	get bytes(): number {
		return this.#bytes;
	}

	append(line: Line): void {
		this.#bytes += writeSync(this.#open(), textOf(line));
	}

	/** What was appended is on the disk when it returns. */
	sync(): void {
		fsyncSync(this.#open());
	}

	/** Whole or not at all. */
	replace(lines: readonly Line[]): void {
		this.close();
		const draft = `${this.#file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
		const handle = openSync(draft, 'wx', 0o600);
		try {
			writeSync(handle, lines.map(textOf).join(''));
			fsyncSync(handle);
		} finally {
			closeSync(handle);
		}
		moveSync(draft, this.#file);
	}

	/** Empty where there is no such file. A line that a crash cut in two is none. */
	lines(): Line[] {
		return this.#text()
			.split('\n')
			.flatMap((text) => this.#parse(text) ?? []);
	}

	close(): void {
		if (this.#handle !== undefined) closeSync(this.#handle);
		this.#handle = undefined;
	}

	#open(): number {
		if (this.#handle !== undefined) return this.#handle;
		const before = this.#text();
		this.#handle = openSync(this.#file, 'a', 0o600);
		this.#bytes = Buffer.byteLength(before);
		// Behind a line that was cut in two.
		if (before !== '' && !before.endsWith('\n')) this.#bytes += writeSync(this.#handle, '\n');
		return this.#handle;
	}

	#text(): string {
		try {
			return readFileSync(this.#file, 'utf8');
		} catch (error) {
			if (systemCode(error) === 'ENOENT') return '';
			throw error;
		}
	}
}

function textOf(line: unknown): string {
	return `${JSON.stringify(line)}\n`;
}
