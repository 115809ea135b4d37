import { parseMended } from '../base/mend-json.ts';

/**
 * Tool calls that a model prints as text instead of making them (chat-7): bare JSON, in a fence, with trailing commas, or in
 * tags. Pure. Only names of known tools count; all else is an answer that happens to hold JSON.
 */
export interface TextCall {
	readonly tool: string;
	/** JSON text. */
	readonly args: string;
}

const NAME_KEYS = ['name', 'tool', 'tool_name', 'function'];
const ARGUMENT_KEYS = ['arguments', 'args', 'parameters', 'input'];
const FIRST_KEYS = [...NAME_KEYS, ...ARGUMENT_KEYS, 'type', 'id', 'tool_call', 'function_call', 'tool_calls'];

/** Where a call may begin: a tag anywhere, a fence or a bracket at the start of a line. The last line of the pattern is a beginning that is cut off. */
const OPENER =
	/<(?:tool_call|function_call)>|\[TOOL_CALLS\]|(?<=^|\n)[ \t]*(?:```[\w-]*[ \t]*(?:\n|$)|`{1,2}$|\{|\[)|<(?:t(?:o(?:o(?:l(?:_(?:c(?:a(?:l(?:l)?)?)?)?)?)?)?)?|f(?:u(?:n(?:c(?:t(?:i(?:o(?:n(?:_(?:c(?:a(?:l(?:l)?)?)?)?)?)?)?)?)?)?)?)?)?$/;
const CLOSER = /^\s*(?:```|<\/(?:tool_call|function_call)>)?[,;]?/;
/** Text that looks like a call for longer than this is an answer. */
const LONGEST_CALL = 100_000;
/** A call names its tool within so many characters, unless its arguments come first. */
const NAME_WITHIN = 300;

/** Takes a stream of text; gives back at once what can't be part of a call, and holds the rest until it is known. */
export class TextCallScanner {
	readonly #known: ReadonlySet<string>;
	readonly #calls: TextCall[] = [];
	#held = '';
	#atLineStart = true;

	constructor(known: Iterable<string>) {
		this.#known = new Set(known);
	}

	/** Returns the text that may be shown now. */
	push(text: string): string {
		this.#held += text;
		return this.#advance(false);
	}

	/** No more text comes: returns what is left to show, and the calls. */
	end(): { text: string; calls: TextCall[] } {
		const text = this.#advance(true);
		return { text, calls: this.#calls };
	}

	#advance(ended: boolean): string {
		let shown = '';
		while (this.#held !== '') {
			const at = this.#opener();
			if (at < 0) return shown + this.#release(this.#held.length);
			shown += this.#release(at);
			const verdict = readCall(this.#held, this.#known, ended);
			if (verdict.kind === 'maybe') return shown;
			if (verdict.kind === 'no') shown += this.#release(verdict.length);
			else {
				this.#calls.push(...verdict.calls);
				this.#held = this.#held.slice(verdict.length);
				this.#atLineStart = true;
				shown = shown.replace(/[ \t]+$/, '');
			}
		}
		return shown;
	}

	#opener(): number {
		// The pattern sees the start of the held text as the start of a line; a character before it tells that it is none.
		const lead = this.#atLineStart ? '' : '.';
		const found = OPENER.exec(lead + this.#held);
		return found ? found.index - lead.length : -1;
	}

	#release(length: number): string {
		const text = this.#held.slice(0, length);
		this.#held = this.#held.slice(length);
		const ownLine = text.slice(text.lastIndexOf('\n') + 1);
		this.#atLineStart = (this.#atLineStart || text.includes('\n')) && ownLine.trim() === '';
		return text;
	}
}

/** All at once: for text that is complete. */
export function findTextCalls(text: string, known: Iterable<string>): { text: string; calls: TextCall[] } {
	const scanner = new TextCallScanner(known);
	const before = scanner.push(text);
	const rest = scanner.end();
	return { text: before + rest.text, calls: rest.calls };
}

/** The part of an unfinished text that can be shown: without what looks like the beginning of a call. */
export function withoutUnfinishedCall(text: string, known: Iterable<string>): string {
	return new TextCallScanner(known).push(text);
}

type Verdict = { kind: 'maybe' } | { kind: 'no'; length: number } | { kind: 'calls'; calls: TextCall[]; length: number };

const LEAD = /^(?:<(?:tool_call|function_call)>|\[TOOL_CALLS\]|[ \t]*```[\w-]*[ \t]*\n)?\s*/;

/** `text` begins with an opener. */
function readCall(text: string, known: ReadonlySet<string>, ended: boolean): Verdict {
	const lead = LEAD.exec(text)?.[0] ?? '';
	const body = text.slice(lead.length);
	const no: Verdict = { kind: 'no', length: Math.max(1, lead.length) };
	if (!ended && '[TOOL_CALLS]'.startsWith(text)) return { kind: 'maybe' };
	if (body === '') return ended ? { kind: 'no', length: text.length } : { kind: 'maybe' };
	if (!/^[[{]/.test(body)) {
		// The opener itself may be cut off: `<tool_`, or two of three back-ticks.
		const unfinished = !ended && (/^[ \t]*(?:`{1,2}|```[\w-]*[ \t]*)$/.test(text) || /^<[a-z_]*$/.test(text));
		return unfinished ? { kind: 'maybe' } : no;
	}
	const length = closedLength(body);
	if (length === undefined) {
		if (!ended) return couldBeCall(body, known) ? { kind: 'maybe' } : no;
		const calls = parseCalls(body.replace(/\s*(?:```|<\/(?:tool_call|function_call)>)\s*$/, ''), known);
		return calls ? { kind: 'calls', calls, length: text.length } : no;
	}
	const calls = parseCalls(body.slice(0, length), known);
	if (!calls) return { kind: 'no', length: lead.length + length };
	const closer = CLOSER.exec(body.slice(length))?.[0] ?? '';
	// The fence or tag that closes it may still be on its way.
	if (!ended && lead.trim() !== '' && !/[`>]/.test(closer) && /^\s*[`<]?[^\n]{0,20}$/.test(body.slice(length))) return { kind: 'maybe' };
	return { kind: 'calls', calls, length: lead.length + length + closer.length };
}

/** Length of the JSON value that `text` begins with; undefined while it is not closed. */
function closedLength(text: string): number | undefined {
	let depth = 0;
	let quoted = false;
	for (let index = 0; index < text.length; index += 1) {
		const character = text[index];
		if (quoted) {
			if (character === '\\') index += 1;
			else if (character === '"') quoted = false;
		} else if (character === '"') quoted = true;
		else if (character === '{' || character === '[') depth += 1;
		else if (character === '}' || character === ']') {
			depth -= 1;
			if (depth === 0) return index + 1;
		}
	}
	return undefined;
}

/** Whether an unfinished value can still become a call: its first key and its name, as far as they are there. */
function couldBeCall(text: string, known: ReadonlySet<string>): boolean {
	if (text.length > LONGEST_CALL) return false;
	const object = text.replace(/^\[?\s*/, '');
	if (object === '') return true;
	const [, , key = '', rest = ''] = /^\{\s*(["']?)(\w*)([\s\S]*)$/.exec(object) ?? [];
	if (!object.startsWith('{')) return false;
	if (rest === '') return FIRST_KEYS.some((candidate) => candidate.startsWith(key));
	if (!FIRST_KEYS.includes(key) || !/^["']?\s*(?::|$)/.test(rest)) return false;
	// The name comes after the arguments, which may hold anything.
	if (ARGUMENT_KEYS.includes(key)) return true;
	const name = /["']?\b(?:name|tool|tool_name|function)["']?\s*:\s*(["'])([\w.-]*)(\1)?/.exec(text);
	if (!name) return text.length <= NAME_WITHIN;
	const [, , value = '', closed] = name;
	return closed ? known.has(value) : [...known].some((tool) => tool.startsWith(value));
}

function parseCalls(text: string, known: ReadonlySet<string>): TextCall[] | undefined {
	// Not JSON in any reading: then it is no call, and stays the text that it is.
	const value = parseMended(text)?.value;
	const items = Array.isArray(value) ? value : isRecord(value) && Array.isArray(value.tool_calls) ? value.tool_calls : [value];
	const calls = items.map((item) => callOf(item, known));
	return calls.length > 0 && calls.every((call) => call !== undefined) ? calls : undefined;
}

function callOf(value: unknown, known: ReadonlySet<string>): TextCall | undefined {
	if (!isRecord(value)) return undefined;
	for (const wrapper of ['function', 'tool_call', 'function_call']) if (isRecord(value[wrapper])) return callOf(value[wrapper], known);
	const tool = NAME_KEYS.map((key) => value[key]).find((name) => typeof name === 'string');
	if (typeof tool !== 'string' || !known.has(tool)) return undefined;
	const key = ARGUMENT_KEYS.find((candidate) => candidate in value);
	if (key === undefined) return Object.keys(value).every((own) => FIRST_KEYS.includes(own)) ? { tool, args: '{}' } : undefined;
	const args = value[key];
	return { tool, args: typeof args === 'string' ? args : JSON.stringify(args ?? {}) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
