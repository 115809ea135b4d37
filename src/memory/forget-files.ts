import { newId } from '../base/ids.ts';
import type { Needle } from '../db/needle.ts';
import { HearthError } from '../domain/errors.ts';
import type { MemoryPath, Provenance } from '../domain/memory.ts';
import type { MemoryCore } from './core.ts';
import { readMemoryFile } from './disk.ts';
import type { ForgetJob } from './forget-store.ts';
import { removeEntry } from './markdown/edit.ts';
import { listMemoryFiles } from './reconcile/list-files.ts';
import { commitWrite } from './write/commit.ts';
import { entriesOf } from './write/locate.ts';

/** The memory files' part of forgetting (M4): through the one writer, which keeps none of the text. */

export interface HoldingFile {
	readonly file: MemoryPath;
	/** Entries that say exactly it, and other places that hold it. */
	readonly count: number;
}

/** Memory files that hold it. Those that can't be read as memory are left out: they are the owner's, and never written. */
export async function filesHolding(core: Pick<MemoryCore, 'folder'>, job: ForgetJob, needle: Needle): Promise<HoldingFile[]> {
	const found: HoldingFile[] = [];
	for (const file of (await listMemoryFiles(core.folder)).files.keys()) {
		const text = await readOrNothing(core.folder, file);
		if (text === undefined) continue;
		const without = withoutEntries(text, job.hashes);
		const count = without.count + (job.scope === 'everywhere' ? needle.placesIn(without.text).length : 0);
		if (count > 0) found.push({ file, count });
	}
	return found;
}

/** Removes the entries that say exactly it, and replaces it where it is part of something else. Rejects as writes do. */
export async function forgetInFiles(core: MemoryCore, job: ForgetJob, needle: Needle): Promise<void> {
	const provenance: Provenance = { author: 'owner', label: 'owner', origin: 'owner', sources: [], at: core.clock.now() };
	for (const { file } of await filesHolding(core, job, needle)) {
		await commitWrite(core, {
			kind: 'forget',
			key: `forget:${newId()}`,
			provenance,
			forgets: true,
			parts: [
				{
					file,
					compose: (current) => {
						const { text } = withoutEntries(current, job.hashes);
						return { text: job.scope === 'everywhere' ? needle.replaced(text) : text };
					},
				},
			],
		});
	}
}

function withoutEntries(source: string, hashes: readonly string[]): { text: string; count: number } {
	let text = source;
	for (let count = 0; ; count++) {
		const entry = entriesOf(text).find(({ hash }) => hashes.includes(hash));
		if (!entry) return { text, count };
		text = removeEntry(text, entry);
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
