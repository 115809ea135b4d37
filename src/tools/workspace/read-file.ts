import { z } from 'zod';
import { terminal } from '../../domain/errors.ts';
import { cutCodePoints } from '../../domain/text.ts';
import type { Tool } from '../port.ts';
import { PATH } from './arguments.ts';
import { type FilesOfCalls, grantsFor, touchesOf } from './by-call.ts';
import { plainName } from './plain-name.ts';
import { sizeInWords, textOf } from './text.ts';

const Arguments = z.object({
	path: PATH.describe('The file, such as notes/plan.md.'),
	from_line: z.number().int().min(1).default(1).describe('First line to read.'),
	lines: z.number().int().min(1).optional().describe('How many lines at most.'),
	from_char: z.number().int().min(1).optional().describe('Only within a very long line: the first character of from_line to read.'),
});

/** UTF-16 units of the file that are handed over at once. */
const MOST_CHARS = 60_000;

/** Text and PDFs. A long file is read in parts: each says where the next one begins. */
export function readFileTool(of: FilesOfCalls): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'read_file',
		title: 'Read a file',
		description: 'Reads a text file or a PDF. A long one comes in parts: read on from the line that the last part names.',
		schema: Arguments,
		sinks: ['file'],
		sources: ['file'],
		effect: 'pure',
		timeoutMs: 60_000,
		outputCap: MOST_CHARS + 4_000,
		touches: ({ path }, at) => touchesOf(of, [[path, 'read']], at),
		run: async ({ path, from_line, lines: most, from_char = 1 }, context) => {
			const file = await of.files.read(path, await grantsFor(of, [[path, 'read']], context));
			if (!file) throw terminal('not_found', `There is no file ${path}. list_files names what is there.`);
			const name = plainName(file.path);
			const found = await textOf(file);
			if (!found) return { text: `${name} is not text (${sizeInWords(file.bytes.length)}), so it can’t be read.`, isError: true };
			const part = partOf(found.text, from_line, most, from_char);
			if (!part) return { text: `${name} has only ${linesOf(found.text).length} lines.`, isError: true };
			const notes = [`${name}, ${part.where}`, ...(found.note === undefined ? [] : [found.note])].join('; ');
			return {
				text: `[${notes}]\n${part.text}${part.next === undefined ? '' : `\n[cut here: go on with ${part.next}]`}`,
				isError: false,
				summary: part.where,
				label: file.label,
				sources: file.sources,
			};
		},
	};
}

interface Part {
	readonly text: string;
	/** In words. */
	readonly where: string;
	/** The arguments of the next part; undefined at the end. */
	readonly next: string | undefined;
}

/** Undefined where it would begin behind the end. Whole lines, but of a line that is longer than a part. */
function partOf(text: string, fromLine: number, most: number | undefined, fromChar: number): Part | undefined {
	if (text === '') return fromLine === 1 ? { text: '', where: 'empty', next: undefined } : undefined;
	const lines = linesOf(text);
	if (fromLine > lines.length) return undefined;
	const taken: string[] = [];
	let chars = 0;
	for (const [index, line] of lines.slice(fromLine - 1, most === undefined ? undefined : fromLine - 1 + most).entries()) {
		const rest = index === 0 ? line.slice(fromChar - 1) : line;
		if (chars + rest.length > MOST_CHARS) {
			if (index > 0) break;
			const head = cutCodePoints(rest, MOST_CHARS);
			const end = fromChar - 1 + head.length;
			const where = `line ${fromLine} of ${lines.length}, characters ${fromChar} to ${end} of ${line.length}`;
			return { text: head, where, next: `from_line ${fromLine} and from_char ${end + 1}` };
		}
		taken.push(rest);
		chars += rest.length + 1;
	}
	const last = fromLine - 1 + taken.length;
	const where = fromLine === last ? `line ${last} of ${lines.length}` : `lines ${fromLine} to ${last} of ${lines.length}`;
	return { text: taken.join('\n'), where, next: last < lines.length ? `from_line ${last + 1}` : undefined };
}

/** What is behind the last line end is no line of its own. */
function linesOf(text: string): string[] {
	const lines = text.split('\n');
	if (lines.length > 1 && lines.at(-1) === '') lines.pop();
	return lines;
}
