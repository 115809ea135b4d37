import { HearthError } from '../domain/errors.ts';
import { parseJson } from '../domain/json.ts';
import { cutError } from '../net/errors.ts';
import { type CallSubject, looksLikeHtml, notAnApiError, pageError, reportedError } from './provider-errors.ts';

/** What of a piece of a stream may be handed on, and why nothing follows, where nothing does. */
export interface Checked {
	pass: string;
	failure?: HearthError;
}

export interface StreamCheck {
	/** Takes the text of each piece; `done` with the last. */
	check(text: string, done: boolean): Checked;
	/** What tells the client library that the stream is over, after a failure. */
	ending: string;
}

/** No event of a stream is longer, in UTF-16 units: libraries keep a line in memory until it ends. */
const LINE_LIMIT = 4 * 1024 * 1024;
const DOCUMENT_LIMIT = 16_384;

/** Server-sent events: they start with a field name (a page or a JSON document does not), and their lines end some time. */
export function checkEvents(subject: CallSubject): StreamCheck {
	let start = '';
	let decided = false;
	let lineLength = 0;
	return {
		ending: '',
		check: (text, done) => {
			lineLength = text.includes('\n') ? text.length - text.lastIndexOf('\n') : lineLength + text.length;
			if (lineLength > LINE_LIMIT) return { pass: '', failure: new HearthError(notAnApiError(subject)) };
			if (decided) return { pass: text };
			start += text;
			const first = start.trimStart()[0];
			if (first === '<') return { pass: '', failure: new HearthError(pageError(subject, 200)) };
			if (first === '{' || first === '[') {
				// The whole document is needed to read the error in it.
				return done || start.length >= DOCUMENT_LIMIT ? { pass: '', failure: bodyError(start, subject) } : { pass: '' };
			}
			decided = first !== undefined;
			return { pass: text };
		},
	};
}

/** One JSON object a line; a line that is something else, or an error, is the last. */
export function checkLines(subject: CallSubject): StreamCheck {
	let partial = '';
	let sawAny = false;
	let sawEnd = false;

	function checkLine(line: string): HearthError | undefined {
		if (looksLikeHtml(null, line)) return new HearthError(pageError(subject, 200));
		const value = parseJson(line);
		if (value === null || typeof value !== 'object') return new HearthError(notAnApiError(subject));
		if ('error' in value) return new HearthError(reportedError(value, subject));
		sawAny = true;
		if ('done' in value && value.done === true) sawEnd = true;
		return undefined;
	}

	return {
		ending: '{"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}\n',
		check: (text, done) => {
			const lines = (partial + text).split('\n');
			partial = lines.pop() ?? '';
			if (done && isJson(partial)) lines.push(partial);
			let pass = '';
			for (const line of lines) {
				if (line.trim() === '') continue;
				const failure = checkLine(line);
				if (failure) return { pass, failure };
				pass += `${line}\n`;
			}
			if (partial.length > LINE_LIMIT) return { pass, failure: new HearthError(notAnApiError(subject)) };
			if (!done || sawEnd) return { pass };
			if (partial.trim() !== '' && !partial.trimStart().startsWith('{')) {
				return { pass, failure: checkLine(partial) ?? new HearthError(notAnApiError(subject)) };
			}
			const cut = sawAny || partial.trim() !== '';
			return cut ? { pass, failure: cutError(subject.provider.name) } : { pass };
		},
	};
}

/** A JSON document where a stream should be: an error, or an answer of another kind of server. */
export function bodyError(body: string, subject: CallSubject): HearthError {
	const value = parseJson(body);
	const isError = value !== null && typeof value === 'object' && ('error' in value || 'message' in value);
	return new HearthError(isError ? reportedError(value, subject) : notAnApiError(subject));
}

function isJson(text: string): boolean {
	return text.trim() !== '' && parseJson(text) !== undefined;
}
