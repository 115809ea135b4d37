/** The block quotes and list items that are open, and whose block takes the lines: at most one of them is. */
import { Block, type LineMode } from './block.ts';
import { LineCursor } from './cursor.ts';

type Container = { kind: 'quote'; block?: Block } | { kind: 'item'; block?: Block; width: number; empty: boolean };

export class Containers {
	readonly cursor: LineCursor;
	readonly #source: string;
	readonly #finish: (block: Block) => void;
	readonly #open: Container[] = [];
	/** A quote in no other's block, or an item without nested items so far. */
	#owning: Container | undefined;
	#quotes = 0;
	/** Offset of the content behind the marks of the owning container on this line, and the columns left of a tab cut in two. */
	#origin = { from: 0, pad: 0 };

	/** `finish` takes each block whose container ends. */
	constructor(source: string, finish: (block: Block) => void) {
		this.#source = source;
		this.#finish = finish;
		this.cursor = new LineCursor(source);
	}

	get depth(): number {
		return this.#open.length;
	}

	/** The block that takes the lines of whatever is read here; undefined where each leaf has a block of its own. */
	get owner(): Block | undefined {
		return this.#owning?.block;
	}

	/** Steps over the marks of the open containers; answers how many go on in this line. */
	match(): number {
		const { cursor } = this;
		this.originHere();
		let index = 0;
		for (const container of this.#open) {
			if (container.kind === 'quote') {
				if (cursor.indent >= 4 || cursor.blank || this.#source[cursor.text] !== '>') break;
				cursor.overQuoteMark();
			} else if (cursor.blank) {
				if (container.empty) break;
				cursor.toText();
			} else if (cursor.indent >= container.width) cursor.advance(container.width);
			else break;
			if (container.block !== undefined) this.originHere();
			index++;
		}
		return index;
	}

	/** Looks what `read` finds in another line behind the marks of all open containers; undefined where one does not go on there. */
	peek<Found>(from: number, end: number, read: (cursor: LineCursor) => Found): Found | undefined {
		const place = this.cursor.save();
		const origin = this.#origin;
		this.cursor.enter(from, end);
		const found = this.match() === this.#open.length ? read(this.cursor) : undefined;
		this.cursor.restore(place);
		this.#origin = origin;
		return found;
	}

	openQuote(line: number, headingPath: string[]): void {
		const start = this.cursor.text;
		const owned = this.owner !== undefined || this.#quotes > 0;
		this.fill();
		this.cursor.overQuoteMark();
		const block = owned ? undefined : new Block('quote', start, line, this.#open.length, headingPath);
		this.#quotes++;
		this.#push({ kind: 'quote', ...(block === undefined ? {} : { block }) });
		block?.add(line, { mode: 'marks', leaf: 0, from: start, to: start, pad: 0 }, start + 1);
	}

	/** A nested item ends the block of the one around it. */
	openItem(line: number, headingPath: string[], markerEnd: number, restBlank: boolean): void {
		const { cursor } = this;
		const start = cursor.text;
		const inQuote = this.#quotes > 0;
		const parent = this.#open.at(-1);
		this.fill();
		if (!inQuote && parent !== undefined) this.#end(parent);
		const before = cursor.indent + markerEnd - start;
		cursor.advance(before);
		const padding = restBlank || cursor.indent > 4 ? 1 : cursor.indent;
		if (!restBlank) cursor.advance(padding);
		const block = inQuote ? undefined : new Block('item', start, line, this.#open.length, headingPath);
		this.#push({ kind: 'item', width: before + padding, empty: restBlank, ...(block === undefined ? {} : { block }) });
		block?.add(line, { mode: 'marks', leaf: 0, from: start, to: start, pad: 0 }, markerEnd);
		// The bare marker is all that this line of the quote says.
		if (restBlank && inQuote) this.add(line, 'text', 0, this.owner, cursor.end);
	}

	/** Something was put into the innermost one; those around it were filled when it was opened. */
	fill(): void {
		const last = this.#open.at(-1);
		if (last?.kind === 'item') last.empty = false;
	}

	/** Ends all but the `kept` outermost ones. */
	close(kept: number): void {
		for (const container of this.#open.splice(kept)) {
			this.#end(container);
			if (container.kind === 'quote') this.#quotes--;
		}
	}

	/** The content of the block begins where the cursor is. */
	originHere(): void {
		this.#origin = { from: this.cursor.at, pad: this.cursor.pad };
	}

	/** The content of the block begins behind the blanks. */
	originAtText(): void {
		this.#origin = { from: this.cursor.text, pad: 0 };
	}

	/** Adds the rest of the line to a block, to the owner's where none is given. `reaches`: where the block ends then. */
	add(line: number, mode: LineMode, leaf: number, block = this.owner, reaches = this.cursor.blank ? undefined : this.cursor.end): void {
		block?.add(line, { mode, leaf, from: this.#origin.from, to: this.cursor.end, pad: this.#origin.pad }, reaches);
	}

	#push(container: Container): void {
		this.#open.push(container);
		if (container.block === undefined) return;
		this.#owning = container;
		this.originHere();
	}

	#end(container: Container): void {
		if (container.block !== undefined) this.#finish(container.block);
		container.block = undefined;
		if (this.#owning === container) this.#owning = undefined;
	}
}
