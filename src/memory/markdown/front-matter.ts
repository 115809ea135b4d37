/** What stands in front of the body of a file. */
import { type Lines, skipBlanks } from './lines.ts';

const FENCE = '---';

/** The length of a byte order mark. */
export function byteOrderMark(source: string): number {
	return source.charCodeAt(0) === 0xfeff ? 1 : 0;
}

/** How many lines the front matter takes, its two `---` included; 0 where there is none. */
export function frontMatterLines(source: string, { starts, ends }: Lines): number {
	const isFence = (line: number, from: number) => {
		const end = ends[line] ?? 0;
		return source.startsWith(FENCE, from) && from + FENCE.length <= end && skipBlanks(source, from + FENCE.length, end) === end;
	};
	if (starts.length === 0 || !isFence(0, byteOrderMark(source))) return 0;
	for (let line = 1; line < starts.length; line++) if (isFence(line, starts[line] ?? 0)) return line + 1;
	return 0;
}
