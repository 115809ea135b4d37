/** Commands of IMAP, as a server reads them: atoms, quoted strings, literals, lists. */

export type Token = string | Token[];

export class CommandReader {
	readonly #onCommand: (tokens: Token[]) => void;
	readonly #onLiteral: () => void;
	#buffer = Buffer.alloc(0);
	/** What the command began with, up to the literal that is awaited. */
	#begun = '';
	#awaited: number | undefined;

	/** `onLiteral`: the client waits for leave to send one. */
	constructor(onCommand: (tokens: Token[]) => void, onLiteral: () => void) {
		this.#onCommand = onCommand;
		this.#onLiteral = onLiteral;
	}

	push(bytes: Buffer): void {
		this.#buffer = Buffer.concat([this.#buffer, bytes]);
		for (;;) {
			if (this.#awaited !== undefined) {
				if (this.#buffer.length < this.#awaited) return;
				const literal = this.#buffer.subarray(0, this.#awaited).toString('latin1');
				this.#begun += `"${literal.replace(/["\\]/g, '\\$&')}"`;
				this.#buffer = this.#buffer.subarray(this.#awaited);
				this.#awaited = undefined;
			}
			const end = this.#buffer.indexOf('\r\n');
			if (end < 0) return;
			const line = this.#begun + this.#buffer.subarray(0, end).toString('latin1');
			this.#buffer = this.#buffer.subarray(end + 2);
			this.#begun = '';
			const literal = /\{(\d+)(\+?)\}$/.exec(line);
			if (literal) {
				this.#begun = line.slice(0, literal.index);
				this.#awaited = Number(literal[1]);
				if (literal[2] === '') this.#onLiteral();
			} else this.#onCommand(tokensOf(line));
		}
	}
}

function tokensOf(line: string): Token[] {
	const stack: Token[][] = [[]];
	// A section in brackets belongs to its atom: BODY.PEEK[HEADER.FIELDS (FROM)]<0.100>
	for (const [piece] of line.matchAll(/"(?:[^"\\]|\\.)*"|\(|\)|(?:[^\s()"[\]]+(?:\[[^\]]*\])?(?:<[^>]*>)?)/g)) {
		if (piece === '(') stack.push([]);
		else if (piece === ')') {
			const list = stack.pop() ?? [];
			stack.at(-1)?.push(list);
		} else stack.at(-1)?.push(piece.startsWith('"') ? piece.slice(1, -1).replace(/\\(.)/g, '$1') : piece);
	}
	return stack[0] ?? [];
}
