import type { Needle } from '../db/needle.ts';
import { HearthError } from '../domain/errors.ts';
import type { MemoryPath } from '../domain/memory.ts';
import { readMemoryFile } from './disk.ts';
import { entriesOf } from './entries.ts';
import type { ForgetJob } from './forget-store.ts';
import { removeEntry } from './markdown/edit.ts';
import { listMemoryFiles } from './reconcile/list-files.ts';

/** What forgetting means for the text of a memory file (M4). */

export interface HoldingFile {
	readonly file: MemoryPath;
	/** Entries that say exactly it, and other places that hold it. */
	readonly count: number;
}

type Forgotten = Pick<ForgetJob, 'hashes' | 'scope'>;

/** Memory files that hold it. Those that can't be read as memory are left out: they are the owner's, and never written. */
export async function filesHolding(folder: string, forgotten: Forgotten, needle: Needle): Promise<HoldingFile[]> {
	const found: HoldingFile[] = [];
	for (const file of (await listMemoryFiles(folder)).files.keys()) {
		const text = await readOrNothing(folder, file);
		const rest = text === undefined ? undefined : withoutEntries(text, forgotten.hashes);
		if (!rest) continue;
		const count = rest.count + (forgotten.scope === 'everywhere' ? needle.placesIn(rest.text).length : 0);
		if (count > 0) found.push({ file, count });
	}
	return found;
}

/** Without the entries that say exactly it; `[forgotten]` in its place where it is part of something else. */
export function forgottenIn(text: string, forgotten: Forgotten, needle: Needle): string {
	const rest = withoutEntries(text, forgotten.hashes).text;
	return forgotten.scope === 'everywhere' ? needle.replaced(rest) : rest;
}

/** What is nested in an entry moves up. */
function withoutEntries(source: string, hashes: readonly string[]): { text: string; count: number } {
	let text = source;
	for (let count = 0; ; count++) {
		const entry = entriesOf(text).find(({ hash }) => hashes.includes(hash));
		if (!entry) return { text, count };
		text = removeEntry(text, entry, { withChildren: false }).source;
	}
}

async function readOrNothing(folder: string, file: MemoryPath): Promise<string | undefined> {
	try {
		return (await readMemoryFile(folder, file)).text;
	} catch (error) {
		if (error instanceof HearthError) return undefined;
		throw error;
	}
}
