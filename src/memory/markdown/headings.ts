/** The headings that the text being read stands under. */
export class Headings {
	#open: { level: number; text: string }[] = [];
	#path: string[] = [];

	/** Outermost first; shared by all entries that stand there. */
	get path(): string[] {
		return this.#path;
	}

	above(level: number): string[] {
		return this.#open.filter((heading) => heading.level < level).map((heading) => heading.text);
	}

	/** An empty heading ends the sections before it and begins none. */
	enter(level: number, text: string | undefined): void {
		this.#open = this.#open.filter((heading) => heading.level < level);
		if (text !== undefined) this.#open.push({ level, text });
		this.#path = this.#open.map((heading) => heading.text);
	}
}
