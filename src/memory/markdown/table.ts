/** GFM tables: whether a line and the one below it begin one. */
import type { Containers } from './containers.ts';
import { type Lines, trimBlanksEnd } from './lines.ts';
import { delimiterCells, listMarkerAt, rowCells } from './starts.ts';

/** The line the cursor stands in must have as many cells as the delimiter row below, which stands in the same containers. */
export function beginsTable(source: string, lines: Lines, line: number, containers: Containers): boolean {
	const from = lines.starts[line + 1];
	const end = lines.ends[line + 1];
	if (from === undefined || end === undefined) return false;
	// Most lines end otherwise: no closer look at them.
	const last = source[trimBlanksEnd(source, from, end) - 1];
	if (last !== '-' && last !== ':' && last !== '|') return false;
	const delimiters = containers.peek(from, end, (next) => {
		// `- | -` begins a list.
		const isRow = next.indent < 4 && listMarkerAt(source, next.text, next.end) === undefined;
		return isRow ? delimiterCells(source, next.text, next.end) : 0;
	});
	if (delimiters === undefined || delimiters === 0) return false;
	return delimiters === rowCells(source, containers.cursor.text, containers.cursor.end);
}
