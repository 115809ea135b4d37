/** The ways to put whole lines into a file, the plainest first: more and more is put around them until they stand for themselves. */
import type { Layout } from './layout.ts';
import type { MarkdownEdit } from './prove.ts';

export type Insertion = {
	/** An end of line, or the beginning of the body. */
	at: number;
	lines: readonly string[];
	/** Whether a blank line belongs in front. */
	blank: boolean;
};

/** Keeps apart what Markdown would join, and shows nothing. */
const SEPARATOR = '<!-- -->';

export function* insertions(layout: Layout, { at, lines, blank }: Insertion): Iterable<MarkdownEdit> {
	const { source, eol } = layout;
	const written = lines.join(eol);
	const put = (front: string, back: string): MarkdownEdit => {
		const start = at + front.length;
		return { source: source.slice(0, at) + front + written + back + source.slice(at), range: { start, end: start + written.length } };
	};
	const atTop = at === 0 || (at === 1 && source[0] === '\uFEFF');
	const onFreshLine = atTop || /[\r\n]/.test(source[at - 1] ?? '');
	const rest = source.slice(at, at + 200);
	if (onFreshLine) {
		const back = rest === '' || /^[ \t]*[\r\n]/.test(rest) ? eol : eol + eol;
		// A file that ends behind its front matter, or is empty, ends with a newline from now on.
		yield put(blank && !atTop ? eol : '', back);
		yield put('', eol);
		yield put(eol, eol + eol);
		yield put('', `${eol}${eol}${SEPARATOR}${eol}${eol}`);
		return;
	}
	const followed = /^(?:\r\n|\n|\r)[ \t]*[^ \t\r\n]/.test(rest);
	if (blank) {
		if (followed) yield put(eol + eol, eol);
		yield put(eol + eol, '');
	} else {
		yield put(eol, '');
		yield put(eol, eol);
		yield put(eol + eol, '');
		yield put(eol + eol, eol);
	}
	yield put(`${eol}${eol}${SEPARATOR}${eol}${eol}`, '');
	yield put(`${eol}${eol}${SEPARATOR}${eol}${eol}`, eol);
	yield put(eol + eol, `${eol}${eol}${SEPARATOR}${eol}`);
	yield put(`${eol}${eol}${SEPARATOR}${eol}${eol}`, `${eol}${eol}${SEPARATOR}${eol}`);
}

/** The lines that end what is still open at the end of the file and would swallow everything behind it. */
export function closersOf(layout: Layout): string[] | undefined {
	const { open } = layout.scan;
	if (open === undefined) return undefined;
	if (open.kind === 'fence') return [open.fence.sign.repeat(open.fence.length), ''];
	const closers = { 1: '</script>', 2: '-->', 3: '?>', 4: '>', 5: ']]>' } as const;
	return open.html >= 1 && open.html <= 5 ? [closers[open.html as 1 | 2 | 3 | 4 | 5], ''] : undefined;
}
