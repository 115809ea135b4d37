/** Shorter repeats are taken for words of the answer, not for a repeat. */
const SHORTEST_OVERLAP = 12;
/** How much of the end of a text a model is taken to repeat. */
const TAIL = 4_000;

/**
 * A model asked to go on after a cut-off text often repeats its end, or all of it, first. Takes the new text as it streams
 * and gives back only what is new: text is held while it repeats the old one, and dropped when it reaches its end.
 */
export class OverlapFilter {
	readonly #old: string;
	/** Undefined once it is known that nothing more is repeated. */
	#held: string | undefined = '';
	/** Nothing but white space came so far. */
	#blank = true;
	#places: number[];
	/** White space at the end of the old text: a new text that begins with it repeats it. */
	#space: string;

	constructor(old: string) {
		this.#old = old.trimEnd();
		this.#space = old.slice(this.#old.length);
		const tail = Math.max(0, this.#old.length - TAIL);
		this.#places = [...new Set([0, ...Array.from({ length: this.#old.length - tail }, (_, index) => tail + index)])];
	}

	push(text: string): string {
		if (this.#held === undefined) return this.#withoutSpace(text);
		this.#held += text;
		if (this.#blank && text.trim() === '') return '';
		this.#blank = false;
		const start = this.#held.length - this.#held.trimStart().length;
		const fresh = this.#held.slice(start);
		// Places where the new text, as far as both go, says what the old one says from there to its end.
		this.#places = this.#places.filter((place) => agree(this.#old, place, fresh));
		const reached = this.#places.find((place) => this.#old.length - place <= fresh.length);
		const whole = reached === undefined ? 0 : this.#old.length - reached;
		if (whole >= SHORTEST_OVERLAP) return this.#finish(start + whole);
		return this.#places.some((place) => this.#old.length - place > fresh.length) ? '' : this.#finish(0);
	}

	/** What is still held when the stream ends. */
	end(): string {
		return this.#held === undefined ? '' : this.#finish(0);
	}

	#finish(from: number): string {
		const rest = (this.#held ?? '').slice(from);
		this.#held = undefined;
		return this.#withoutSpace(rest);
	}

	#withoutSpace(text: string): string {
		if (this.#space === '' || text === '') return text;
		let same = 0;
		while (same < text.length && same < this.#space.length && text[same] === this.#space[same]) same += 1;
		this.#space = same === text.length ? this.#space.slice(same) : '';
		return text.slice(same);
	}
}

function agree(old: string, place: number, fresh: string): boolean {
	const length = Math.min(old.length - place, fresh.length);
	return length > 0 && old.startsWith(fresh.slice(0, length), place);
}
