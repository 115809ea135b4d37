import type { VerifyProblem } from '../../contract/methods/memory.ts';
import { HearthError } from '../../domain/errors.ts';
import type { MemoryPath } from '../../domain/memory.ts';
import { openIntents } from '../change-store.ts';
import { openConflicts } from '../conflict-store.ts';
import { inTurn, type MemoryCore } from '../core.ts';
import { type DiskFile, readMemoryFile } from '../disk.ts';
import { knownFile, knownFiles } from '../file-store.ts';
import { openForgetJobs } from '../forget-store.ts';
import { identify } from '../identity.ts';
import { entriesByRowid, liveEntries } from '../ledger-store.ts';
import { parseMarkdown } from '../markdown/parse.ts';
import { listMemoryFiles } from './list-files.ts';

export interface VerifyReport {
	readonly files: number;
	readonly entries: number;
	readonly problems: VerifyProblem[];
}

/** Of the index: rowids of entries that it lacks, and of those that it has and the ledger does not. */
export type IndexDifference = () => { missing: readonly number[]; ghosts: readonly number[] };

/** Reads every file and compares it with the ledger, and the ledger with the index. Changes nothing. */
export async function verifyMemory(core: MemoryCore, difference: IndexDifference): Promise<VerifyReport> {
	const { files: there } = await listMemoryFiles(core.folder);
	const paths = new Set<MemoryPath>([...there.keys(), ...knownFiles(core.db.read).map(({ path }) => path)]);
	const problems: VerifyProblem[] = [];
	let entries = 0;
	for (const file of [...paths].toSorted()) {
		const found = await inTurn(core, [file], () => verifyFile(core, file));
		problems.push(...found.problems);
		entries += found.entries;
	}
	return { files: paths.size, entries, problems: [...problems, ...unfinished(core), ...ofIndex(core, difference)] };
}

async function verifyFile(core: MemoryCore, file: MemoryPath): Promise<{ entries: number; problems: VerifyProblem[] }> {
	const problem = (kind: VerifyProblem['kind'], detail: string) => ({ kind, file, detail });
	const rows = liveEntries(core.db.read, file);
	const known = knownFile(core.db.read, file);
	let disk: DiskFile;
	try {
		disk = await readMemoryFile(core.folder, file);
	} catch (error) {
		if (!(error instanceof HearthError)) throw error;
		return { entries: rows.length, problems: [problem('disk_differs', error.message)] };
	}
	const told = (...problems: VerifyProblem[]) => ({ entries: rows.length, problems });
	if (!disk.exists) return told(problem('missing_file', 'The ledger knows it, and it is not on the disk.'));
	if (!known) return told(problem('new_file', 'It is on the disk, and the ledger does not know it.'));
	if (known.problem || known.hash !== disk.hash)
		return told(problem('disk_differs', 'It was changed outside Hearth and not looked at since.'));
	const said = identify(parseMarkdown(disk.text).entries);
	const first = said.findIndex(({ hash, ordinal, lineStart, lineEnd }, index) => {
		const row = rows[index];
		return row?.hash !== hash || row.ordinal !== ordinal || row.line_start !== lineStart || row.line_end !== lineEnd;
	});
	if (first < 0 && rows.length === said.length) return told();
	const line = said[first]?.lineStart;
	const where = line === undefined ? '' : `, first at line ${line}`;
	return told(problem('ledger_differs', `The file has ${said.length} entries and the ledger ${rows.length}${where}.`));
}

/** Writes under way count: where nothing is being written now, a crash left them. */
function unfinished(core: MemoryCore): VerifyProblem[] {
	const { read } = core.db;
	return [
		...openIntents(read).map(({ file, kind }) => ({ kind: 'intent_open' as const, file, detail: `A write (${kind}) was not finished.` })),
		...openForgetJobs(read).map(() => ({ kind: 'intent_open' as const, file: '', detail: 'A text is not yet forgotten everywhere.' })),
		...openConflicts(read).map(({ file }) => ({
			kind: 'conflict' as const,
			file,
			detail: 'Two texts for one place wait for your choice.',
		})),
	];
}

function ofIndex(core: MemoryCore, difference: IndexDifference): VerifyProblem[] {
	const { missing, ghosts } = difference();
	const byFile = new Map<MemoryPath, number>();
	for (const { file } of entriesByRowid(core.db.read, missing)) byFile.set(file, (byFile.get(file) ?? 0) + 1);
	return [
		...[...byFile].map(([file, count]) => ({ kind: 'index_missing' as const, file, detail: `${count} of its entries cannot be found.` })),
		...(ghosts.length > 0
			? [{ kind: 'index_ghost' as const, file: '', detail: `${ghosts.length} that are gone can still be found.` }]
			: []),
	];
}
