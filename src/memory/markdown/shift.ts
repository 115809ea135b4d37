/** Lines moved to the left or right by columns, tabs counted as what they reach to. */
import type { Layout } from './layout.ts';
import { isBlankCode, TAB } from './lines.ts';
import { asBlanks, columnsOf } from './write.ts';

/** Each line without up to `columns` of its indentation and with `before` in front of it; blank lines become empty. */
export function shifted(lines: readonly string[], columns: number, before: string): string[] {
	return lines.map((line) => {
		const rest = withoutColumns(line, columns);
		return rest === '' ? '' : before + rest;
	});
}

/** The lines of the entries from `index` up to `end`, the first one from its marker on, the others moved left as far. */
export function blockLines(layout: Layout, index: number, end: number): string[] {
	const first = layout.entries[index];
	const last = layout.entries[end - 1];
	if (first === undefined || last === undefined) return [];
	const columns = columnsOf(layout.before(first));
	const lines: string[] = [];
	for (let line = first.lineStart; line <= last.lineEnd; line++) {
		const text = layout.source.slice(layout.lineStart(line), layout.lineEnd(line));
		lines.push(
			withoutColumns(
				line === first.lineStart ? asBlanks(layout.before(first)) + layout.source.slice(first.start, layout.lineEnd(line)) : text,
				columns,
			),
		);
	}
	const { open } = layout.scan;
	// A fence that only the end of the file closes would go on at another place.
	const isOpen = open?.kind === 'fence' && last.kind === 'code' && last.depth === 0 && end === layout.entries.length;
	return isOpen ? [...lines, open.fence.sign.repeat(open.fence.length)] : lines;
}

function withoutColumns(line: string, columns: number): string {
	let index = 0;
	let column = 0;
	while (index < line.length && column < columns && isBlankCode(line.charCodeAt(index))) {
		column += line.charCodeAt(index) === TAB ? 4 - (column % 4) : 1;
		index++;
	}
	const rest = line.slice(index);
	return rest.trim() === '' ? rest.replace(/^[ \t]+$/, '') : ' '.repeat(Math.max(0, column - columns)) + rest;
}
