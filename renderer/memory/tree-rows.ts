import type { MemoryFile } from '../../src/contract/methods/memory.ts';
import { samePath } from './groups.ts';

/** Days that the tree names one by one; those before are one row until the owner opens it. */
export const RECENT_DAYS = 7;

/** Headings of one file that the tree names before the owner asks for more: a long tree is slow, and nobody reads it. */
export const HEADINGS_AT_ONCE = 200;

export type TreeRow =
	| { readonly kind: 'file'; readonly file: MemoryFile; readonly name: string }
	| {
			readonly kind: 'heading';
			readonly file: MemoryFile;
			readonly headingPath: readonly string[];
			readonly name: string;
			readonly entries: number;
			/** 0 for the outermost heading that is shown. */
			readonly depth: number;
	  }
	| { readonly kind: 'older'; readonly count: number; readonly open: boolean }
	/** Headings of this file that are not named yet. */
	| { readonly kind: 'more'; readonly file: MemoryFile; readonly count: number };

export interface Tree {
	readonly longTerm: readonly TreeRow[];
	readonly daily: readonly TreeRow[];
	readonly notes: readonly TreeRow[];
}

/**
 * The files as rows: MEMORY.md with its headings, the newest days, other notes. `current` is what is shown: the headings of its file
 * are named too, and an older day that is shown opens the older ones. Of each file at most `headings` are named, or as many as it
 * takes to name the one that is shown.
 */
export function treeOf(
	files: readonly MemoryFile[],
	current: { file: string; headingPath: readonly string[] } | undefined,
	olderOpen: boolean,
	headings: number = HEADINGS_AT_ONCE,
): Tree {
	const withHeadings = (file: MemoryFile): TreeRow[] => [
		fileRow(file),
		...(file.kind === 'long_term' || file.path === current?.file ? cutTo(headings, file, headingRows(file, current), current) : []),
	];
	const of = (kind: MemoryFile['kind']): MemoryFile[] => files.filter((file) => file.kind === kind);
	const days = of('daily').sort((a, b) => ((a.day ?? a.path) < (b.day ?? b.path) ? 1 : -1));
	const older = days.slice(RECENT_DAYS);
	const open = olderOpen || older.some((file) => file.path === current?.file);
	return {
		longTerm: of('long_term').flatMap(withHeadings),
		daily: [
			...days.slice(0, RECENT_DAYS).flatMap(withHeadings),
			...(older.length > 0 ? [{ kind: 'older' as const, count: older.length, open }] : []),
			...(open ? older.flatMap(withHeadings) : []),
		],
		notes: of('note')
			.sort((a, b) => a.path.localeCompare(b.path))
			.flatMap(withHeadings),
	};
}

/** A day by its date, another file by its place in the folder. */
export function fileName(file: Pick<MemoryFile, 'path' | 'day'>): string {
	return file.day ?? file.path.replace(/^memory\//, '');
}

function fileRow(file: MemoryFile): TreeRow {
	return { kind: 'file', file, name: fileName(file) };
}

/** The outermost level at which there is a choice (a single title over the whole file is none), and below the one that is shown. */
function headingRows(file: MemoryFile, current: { file: string; headingPath: readonly string[] } | undefined): TreeRow[] {
	const deepest = Math.max(0, ...file.headings.map(({ path }) => path.length));
	let level = 1;
	while (level < deepest && file.headings.filter(({ path }) => path.length === level).length < 2) level++;
	const shown = current?.file === file.path ? current.headingPath : [];
	return file.headings
		.filter(({ path }) => path.length === level || (path.length > level && samePath(path.slice(0, -1), shown.slice(0, path.length - 1))))
		.map(({ path, entries }) => ({
			kind: 'heading' as const,
			file,
			headingPath: path,
			name: path.at(-1) ?? '',
			entries,
			depth: path.length - level,
		}));
}

function cutTo(
	limit: number,
	file: MemoryFile,
	rows: TreeRow[],
	current: { file: string; headingPath: readonly string[] } | undefined,
): TreeRow[] {
	const shown = current?.file === file.path ? current.headingPath : [];
	const at = shown.length === 0 ? -1 : rows.findIndex((row) => row.kind === 'heading' && samePath(row.headingPath, shown));
	const count = Math.max(limit, at + 1);
	return rows.length <= count ? rows : [...rows.slice(0, count), { kind: 'more', file, count: rows.length - count }];
}
