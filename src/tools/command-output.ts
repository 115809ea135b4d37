import { StringDecoder } from 'node:string_decoder';
import { cutCodePoints, cutCodePointsFromStart } from '../domain/text.ts';

/** Text that a command puts out: shown as it comes, and kept as head and tail. */

export interface OutputLimits {
	/** UTF-16 units of the beginning and of the end that are kept. */
	readonly head: number;
	readonly tail: number;
	/** Of what is shown while it runs. */
	readonly shown: number;
	/** Milliseconds between two pieces that are shown. */
	readonly everyMs: number;
}

export const OUTPUT_LIMITS: OutputLimits = { head: 10_000, tail: 20_000, shown: 200_000, everyMs: 100 };

// biome-ignore lint/suspicious/noControlCharactersInRegex: what terminals are steered with.
const STEERING = /\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)|[PX^_][^\u001B]*\u001B\\|[ -/]*[0-~])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above, not at its end yet.
const UNFINISHED = /(?:\u001B(?:\[[0-?]*[ -/]*|[\]PX^_][^\u0007\u001B]{0,500}|[ -/]*)?|\r)$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what is not text.
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]/g;

export class CommandOutput {
	readonly #limits: OutputLimits;
	readonly #show: (text: string) => void;
	readonly #decoder = new StringDecoder('utf8');
	#unfinished = '';
	#head = '';
	#tail = '';
	#left = 0;
	#bytes = 0;
	#binary = false;
	#waiting = '';
	#shown = 0;
	#timer: NodeJS.Timeout | undefined;

	constructor(show: (text: string) => void, limits: OutputLimits = OUTPUT_LIMITS) {
		this.#show = show;
		this.#limits = limits;
	}

	get bytes(): number {
		return this.#bytes;
	}

	push(chunk: Buffer): void {
		this.#bytes += chunk.length;
		// No text holds one.
		if (chunk.includes(0)) this.#binary = true;
		if (this.#binary) return;
		const text = this.#unfinished + this.#decoder.write(chunk);
		const rest = UNFINISHED.exec(text)?.[0] ?? '';
		this.#unfinished = rest;
		this.#take(plain(text.slice(0, text.length - rest.length)));
	}

	/** What is kept; shows what was not yet. Bytes that are no text are told and not given. */
	end(): string {
		this.#take(plain(this.#unfinished + this.#decoder.end()));
		this.#unfinished = '';
		clearTimeout(this.#timer);
		this.#flush();
		if (this.#binary)
			return `${this.#head === '' ? '' : `${this.#head}\n`}[output that is not text, ${this.#bytes.toLocaleString('en')} bytes: not shown. Let the command write it to a file.]`;
		if (this.#left === 0) return this.#head + this.#tail;
		return `${this.#head}\n[${this.#left.toLocaleString('en')} characters left out here]\n${this.#tail}`;
	}

	#take(text: string): void {
		if (text === '') return;
		const room = this.#limits.head - this.#head.length;
		// Once something went to the tail, all that follows does.
		const first = this.#tail === '' && this.#left === 0 && room > 0 ? cutCodePoints(text, room) : '';
		this.#head += first;
		const tail = this.#tail + text.slice(first.length);
		this.#tail = cutCodePointsFromStart(tail, this.#limits.tail);
		this.#left += tail.length - this.#tail.length;
		this.#showSoon(text);
	}

	#showSoon(text: string): void {
		const room = this.#limits.shown - this.#shown;
		if (room <= 0) return;
		const piece = cutCodePoints(text, room);
		this.#shown += piece.length;
		this.#waiting += piece;
		if (piece.length < text.length) {
			this.#shown = this.#limits.shown;
			this.#waiting += '\n[more: it is in the result]\n';
		}
		this.#timer ??= setTimeout(() => this.#flush(), this.#limits.everyMs);
	}

	#flush(): void {
		this.#timer = undefined;
		const text = this.#waiting;
		this.#waiting = '';
		if (text !== '') this.#show(text);
	}
}

/** Without what steers a terminal. A line that was written over and over is what it was at last. */
function plain(text: string): string {
	return text
		.replace(STEERING, '')
		.replaceAll('\r\n', '\n')
		.replace(/[^\n]*\r(?=[^\n])/g, '')
		.replace(CONTROL, '');
}
