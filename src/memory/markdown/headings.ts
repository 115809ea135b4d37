/** The headings that the text being read stands under. Those nested in a list item are headings of nothing. */
export class Headings {
	#open: { level: number; text: string }[] = [];
	#path: string[] = [];

	/** Outermost first; shared by all entries that stand there. */
	get path(): string[] {
		return this.#path;
	}

	/** The path that a heading of this level stands under. */
	above(depth: number, level: number): string[] {
		return depth > 0 ? this.#path : this.#open.filter((heading) => heading.level < level).map((heading) => heading.text);
	}

	/** An empty heading ends the sections before it and begins none. */
	enter(depth: number, level: number, text: string | undefined): void {
		if (depth > 0) return;
		this.#open = this.#open.filter((heading) => heading.level < level);
		if (text !== undefined) this.#open.push({ level, text });
		this.#path = this.#open.map((heading) => heading.text);
	}
}
