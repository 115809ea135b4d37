import type { MemoryFile } from '../contract/methods/memory.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql } from '../db/sql.ts';
import { ErrorShape } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { MemoryPath } from '../domain/memory.ts';
import { dayOfFile, fileKind, fileRank } from './paths.ts';

/** Rows of `memory_files`: each file as Hearth last saw or wrote it. */

export interface KnownFile {
	readonly path: MemoryPath;
	/** What the ledger's entries of the file were read from. */
	readonly content: string;
	/** SHA-256 of the bytes. */
	readonly hash: string;
	readonly bytes: number;
	readonly modifiedMs: number;
	/** Why what lies on the disk now could not be read; the rest of this is as it last could. */
	readonly problem?: ErrorShape | undefined;
}

interface FileRow {
	path: MemoryPath;
	content: string;
	hash: string;
	bytes: number;
	modified_ms: number;
	problem: string | null;
}

export function knownFile(db: ReadDb, path: MemoryPath): KnownFile | undefined {
	const row = get<FileRow>(db, sql`SELECT * FROM memory_files WHERE path = ${path}`);
	return row && fileOf(row);
}

/** Whether the ledger knows what lies on the disk. */
export function isKnown(db: ReadDb, path: MemoryPath, disk: { exists: boolean; hash: string }): boolean {
	const known = get<{ hash: string; problem: string | null }>(db, sql`SELECT hash, problem FROM memory_files WHERE path = ${path}`);
	return known ? disk.exists && known.problem === null && known.hash === disk.hash : !disk.exists;
}

/** All of them without their content, in the order in which they are shown. */
export function knownFiles(db: ReadDb): Omit<KnownFile, 'content'>[] {
	const rows = all<Omit<FileRow, 'content'>>(db, sql`SELECT path, hash, bytes, modified_ms, problem FROM memory_files ORDER BY rank`);
	return rows.map((row) => fileOf({ ...row, content: '' }));
}

export function saveFile(db: WriteDb, file: KnownFile, now: Timestamp): void {
	const problem = file.problem === undefined ? null : JSON.stringify(file.problem);
	runOne(
		db,
		sql`INSERT INTO memory_files (path, rank, content, hash, bytes, modified_ms, problem, seen_at)
		VALUES (${file.path}, ${fileRank(file.path)}, ${file.content}, ${file.hash}, ${file.bytes}, ${file.modifiedMs}, ${problem}, ${now})
		ON CONFLICT (path) DO UPDATE SET content = excluded.content, hash = excluded.hash, bytes = excluded.bytes,
			modified_ms = excluded.modified_ms, problem = excluded.problem, seen_at = excluded.seen_at`,
	);
}

/** What lies on the disk can't be read. `hash` and entries stay as they were; a file never read before is known as an empty one. */
export function noteProblem(db: WriteDb, path: MemoryPath, problem: ErrorShape, now: Timestamp): void {
	const known = knownFile(db, path) ?? { path, content: '', hash: '', bytes: 0, modifiedMs: 0 };
	saveFile(db, { ...known, problem }, now);
}

/** The file is gone from the disk. */
export function dropFile(db: WriteDb, path: MemoryPath): void {
	run(db, sql`DELETE FROM memory_files WHERE path = ${path}`);
}

interface HeadingRow {
	file: MemoryPath;
	heading_path: string;
	kind: string;
	text: string;
	line_start: number;
}

/** The files with their headings, in the order in which they are shown. */
export function listFiles(db: ReadDb): MemoryFile[] {
	const counts = new Map(
		all<{ file: string; entries: number }>(
			db,
			sql`SELECT file, count(*) AS entries FROM memory_entries WHERE live = 1 AND kind <> 'heading' GROUP BY file`,
		).map(({ file, entries }) => [file, entries]),
	);
	const headings = headingsByFile(db);
	return knownFiles(db).map(({ path, bytes, problem }) => {
		const day = dayOfFile(path);
		return {
			path,
			kind: fileKind(path),
			...(day !== undefined && { day }),
			entries: counts.get(path) ?? 0,
			bytes,
			headings: headings.get(path) ?? [],
			...(problem && { problem }),
		};
	});
}

function headingsByFile(db: ReadDb): Map<MemoryPath, MemoryFile['headings']> {
	const rows = all<HeadingRow>(
		db,
		sql`SELECT file, heading_path, kind, text, line_start FROM memory_entries WHERE live = 1 AND kind = 'heading' ORDER BY rank, position`,
	);
	const under = all<{ file: MemoryPath; heading_path: string; entries: number }>(
		db,
		sql`SELECT file, heading_path, count(*) AS entries FROM memory_entries WHERE live = 1 AND kind <> 'heading' GROUP BY file, heading_path`,
	);
	// An entry counts for the heading right above it and for those above that one.
	const counts = new Map<string, number>();
	for (const { file, heading_path, entries } of under) {
		const path = JSON.parse(heading_path) as string[];
		for (let depth = path.length; depth > 0; depth--) {
			const key = keyOf(file, path.slice(0, depth));
			counts.set(key, (counts.get(key) ?? 0) + entries);
		}
	}
	const found = new Map<MemoryPath, MemoryFile['headings']>();
	const seen = new Set<string>();
	for (const row of rows) {
		const path = [...(JSON.parse(row.heading_path) as string[]), row.text];
		const key = keyOf(row.file, path);
		// A second heading of the same name in the same place is one section to whoever looks.
		if (seen.has(key)) continue;
		seen.add(key);
		const headings = found.get(row.file) ?? [];
		headings.push({ path, line: row.line_start, entries: counts.get(key) ?? 0 });
		found.set(row.file, headings);
	}
	return found;
}

function keyOf(file: string, path: readonly string[]): string {
	return JSON.stringify([file, ...path]);
}

function fileOf(row: FileRow): KnownFile {
	return {
		path: row.path,
		content: row.content,
		hash: row.hash,
		bytes: row.bytes,
		modifiedMs: row.modified_ms,
		problem: row.problem === null ? undefined : ErrorShape.parse(JSON.parse(row.problem)),
	};
}
