import { closeSync, existsSync, fstatSync, mkdirSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FILE_NAME = /^hearth-(\d{4}-\d{2}-\d{2})(?:\.(\d+))?\.log$/;
const DAY = 86_400_000;

export interface RotatingFileOptions {
	folder: string;
	days: number;
	maxBytes: number;
	now: () => number;
}

/**
 * Log files by UTC day and size, old ones removed. Never throws from `write`: when the disk is full, lines are counted and
 * the count is written once there is room again.
 */
export class RotatingFile {
	readonly #options: RotatingFileOptions;
	#days: number;
	#descriptor: number | undefined;
	#day = '';
	#part = 0;
	#bytes = 0;
	#dropped = 0;
	/** The file ends in the middle of a line. */
	#torn = false;
	#closed = false;

	constructor(options: RotatingFileOptions) {
		this.#options = options;
		this.#days = options.days;
	}

	write(line: string): void {
		if (this.#closed) return;
		try {
			const bytes = Buffer.byteLength(line);
			const descriptor = this.#fileFor(bytes);
			if (this.#dropped > 0) {
				this.#append(descriptor, `${JSON.stringify({ level: 'warn', event: 'log_lines_dropped', count: this.#dropped })}\n`);
				this.#dropped = 0;
			}
			this.#append(descriptor, line);
		} catch {
			// A log that cannot be written must not stop the app; health tells the owner about a full disk.
			this.#dropped++;
			this.#release();
		}
	}

	keepDays(days: number): void {
		this.#days = days;
		if (existsSync(this.#options.folder)) this.#removeOld();
	}

	close(): void {
		this.#closed = true;
		this.#release();
	}

	#append(descriptor: number, line: string): void {
		const whole = Buffer.from(this.#torn ? `\n${line}` : line);
		const written = writeSync(descriptor, whole);
		this.#bytes += written;
		// A disk that is nearly full takes part of a line and reports no error.
		this.#torn = written < whole.length && (written > 0 || this.#torn);
		if (written < whole.length) throw new Error('the line was cut');
	}

	#fileFor(bytes: number): number {
		const day = new Date(this.#options.now()).toISOString().slice(0, 10);
		if (this.#descriptor !== undefined && day === this.#day && this.#bytes + bytes <= this.#options.maxBytes) return this.#descriptor;
		const full = this.#descriptor !== undefined && day === this.#day;
		this.#release();
		mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
		this.#part = full ? this.#part + 1 : this.#newestPart(day);
		this.#day = day;
		for (;;) {
			const name = this.#part === 0 ? `hearth-${day}.log` : `hearth-${day}.${this.#part}.log`;
			const descriptor = openSync(join(this.#options.folder, name), 'a', 0o600);
			this.#descriptor = descriptor;
			this.#bytes = fstatSync(descriptor).size;
			// A line longer than a whole file still gets one of its own.
			if (this.#bytes === 0 || this.#bytes + bytes <= this.#options.maxBytes) break;
			this.#release();
			this.#part++;
		}
		if (this.#bytes === 0) this.#torn = false;
		this.#removeOld();
		return this.#descriptor;
	}

	#newestPart(day: string): number {
		let newest = 0;
		for (const name of readdirSync(this.#options.folder)) {
			const match = FILE_NAME.exec(name);
			if (match?.[1] === day) newest = Math.max(newest, Number(match[2] ?? 0));
		}
		return newest;
	}

	/** By the date in the name. A clock that jumped ahead and back leaves files "of the future", which stay until their day has passed. */
	#removeOld(): void {
		const oldest = new Date(this.#options.now() - (this.#days - 1) * DAY).toISOString().slice(0, 10);
		const names = readdirSync(this.#options.folder).filter((name) => FILE_NAME.test(name));
		for (const name of names) {
			const day = FILE_NAME.exec(name)?.[1];
			if (day !== undefined && day < oldest) rmSync(join(this.#options.folder, name), { force: true });
		}
	}

	#release(): void {
		if (this.#descriptor !== undefined) closeSync(this.#descriptor);
		this.#descriptor = undefined;
	}
}
