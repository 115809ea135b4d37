import type { MemoryPath, MemoryReceipt, Provenance } from '../../domain/memory.ts';
import type { WriteGrant } from '../../domain/write-grant.ts';
import type { MemoryCore } from '../core.ts';
import { commitWrite } from './commit.ts';

/** What is forgotten in one file (M4): `change` takes it out of the text, and neither hunk nor version of this change keeps it. */
export interface Forgetting {
	readonly grant: WriteGrant;
	readonly key: string;
	readonly provenance: Provenance;
	readonly file: MemoryPath;
	change(text: string): string;
}

export function forgetInFile(core: MemoryCore, { key, provenance, file, change }: Forgetting): Promise<MemoryReceipt> {
	return commitWrite(core, {
		kind: 'forget',
		key,
		provenance,
		forgets: true,
		parts: [{ file, compose: (text) => ({ text: change(text) }) }],
	});
}
