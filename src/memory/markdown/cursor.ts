/** A place in one line that counts columns: a tab reaches to the next multiple of four and may be used up in part. */
import { isBlankCode, TAB } from './lines.ts';

const TAB_STOP = 4;

export type CursorPlace = { at: number; pad: number; column: number; end: number };

export class LineCursor {
	/** Offset of the next character. */
	at = 0;
	/** Columns left of a tab that was used up in part; `at` is behind that tab. */
	pad = 0;
	end = 0;
	/** Columns of blanks in front of the text. */
	indent = 0;
	/** Offset of the first character that is no blank; `end` on a blank line. */
	text = 0;
	#column = 0;
	readonly #source: string;

	constructor(source: string) {
		this.#source = source;
	}

	get blank(): boolean {
		return this.text === this.end;
	}

	enter(from: number, end: number): void {
		this.restore({ at: from, pad: 0, column: 0, end });
	}

	save(): CursorPlace {
		return { at: this.at, pad: this.pad, column: this.#column, end: this.end };
	}

	restore(place: CursorPlace): void {
		this.at = place.at;
		this.pad = place.pad;
		this.#column = place.column;
		this.end = place.end;
		this.#look();
	}

	/** Over so many columns. */
	advance(columns: number): void {
		let left = columns;
		const padding = Math.min(left, this.pad);
		this.pad -= padding;
		this.#column += padding;
		left -= padding;
		while (left > 0 && this.at < this.end) {
			const width = this.#source.charCodeAt(this.at) === TAB ? TAB_STOP - (this.#column % TAB_STOP) : 1;
			this.at++;
			if (width > left) this.pad = width - left;
			this.#column += Math.min(width, left);
			left -= Math.min(width, left);
		}
		this.#look();
	}

	/** Over the indentation, a `>` and one column of blank behind it. */
	overQuoteMark(): void {
		this.advance(this.indent + 1);
		if (this.indent > 0) this.advance(1);
	}

	toText(): void {
		this.advance(this.indent);
	}

	#look(): void {
		let index = this.at;
		let column = this.#column + this.pad;
		while (index < this.end && isBlankCode(this.#source.charCodeAt(index))) {
			column += this.#source.charCodeAt(index) === TAB ? TAB_STOP - (column % TAB_STOP) : 1;
			index++;
		}
		this.text = index;
		this.indent = column - this.#column;
	}
}
