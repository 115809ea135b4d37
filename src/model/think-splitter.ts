/** A piece of a model's output, told apart. */
export interface Piece {
	type: 'text' | 'reasoning';
	text: string;
}

const OPENING = ['<think>', '<thinking>'];
const CLOSING = ['</think>', '</thinking>'];

export interface ThinkSplitter {
	/** What is certain so far. A tag that may go on in the next delta is held back. */
	push(delta: string): Piece[];
	/** The rest; an unclosed `<think>` stays reasoning. */
	end(): Piece[];
}

/**
 * Tells `<think>…</think>` in a stream of text apart from the answer, wherever the deltas are cut (chat-8): the result
 * depends on the text only, never on its chunking. Tags in code (`…` or a ``` fence) are the answer's own words. White
 * space around the tags goes, since servers put blank lines there; the answer's own stays, also at its start: a reply that
 * goes on after an interruption may begin with a space.
 */
export function createThinkSplitter(): ThinkSplitter {
	let buffer = '';
	let inside = false;
	/** `start`: nothing but white space so far, which is held. `tag`: just after a tag, where white space is dropped. */
	let edge: 'start' | 'tag' | 'none' = 'start';
	let heldSpace = '';
	const code = createCodeTracker();

	function take(final: boolean): Piece[] {
		const pieces: Piece[] = [];
		const emit = (text: string) => {
			let rest = text;
			if (edge === 'start') {
				if (text.trim() === '') {
					heldSpace += text;
					return;
				}
				rest = heldSpace + text;
				heldSpace = '';
			} else if (edge === 'tag') {
				rest = text.trimStart();
				if (rest === '') return;
			}
			edge = 'none';
			if (!inside) code.see(rest);
			const type = inside ? 'reasoning' : 'text';
			const last = pieces.at(-1);
			if (last?.type === type) last.text += rest;
			else pieces.push({ type, text: rest });
		};
		while (buffer !== '') {
			const at = buffer.indexOf('<');
			if (at !== 0) {
				emit(at === -1 ? buffer : buffer.slice(0, at));
				buffer = at === -1 ? '' : buffer.slice(at);
				continue;
			}
			const tags = inside ? CLOSING : OPENING;
			if (!final && tags.some((each) => each.length > buffer.length && each.startsWith(buffer))) break;
			const tag = tags.find((each) => buffer.startsWith(each));
			if (tag && (inside || !code.inCode())) {
				buffer = buffer.slice(tag.length);
				inside = !inside;
				edge = 'tag';
				heldSpace = '';
			} else {
				emit('<');
				buffer = buffer.slice(1);
			}
		}
		return pieces;
	}

	return {
		push: (delta) => {
			buffer += delta;
			return take(false);
		},
		end: () => take(true),
	};
}

/** Whether the text so far ends inside inline code or a fence. Fed one character at a time, whatever the chunking. */
function createCodeTracker(): { see(text: string): void; inCode(): boolean } {
	let fenced = false;
	let inline = false;
	let run = 0;
	let blankLine = true;
	let runStartsLine = false;
	return {
		see: (text) => {
			for (const char of text) {
				if (char === '`') {
					if (run === 0) {
						runStartsLine = blankLine;
						if (!fenced) inline = !inline;
					}
					run++;
					if (run === 3 && runStartsLine) {
						fenced = !fenced;
						inline = false;
					}
					blankLine = false;
					continue;
				}
				run = 0;
				if (char === '\n') {
					inline = false;
					blankLine = true;
				} else if (char !== ' ' && char !== '\t') blankLine = false;
			}
		},
		inCode: () => fenced || inline,
	};
}
