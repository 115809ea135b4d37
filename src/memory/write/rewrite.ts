import type { MemoryPath, MemoryReceipt, Provenance } from '../../domain/memory.ts';
import type { WriteGrant } from '../../domain/write-grant.ts';
import type { MemoryCore } from '../core.ts';
import { commitWrite, once } from './commit.ts';

/** What is forgotten in one file (M4): `change` takes it out of the text, and neither hunk nor version of this change keeps it. */
export interface Forgetting {
	readonly grant: WriteGrant;
	readonly key: string;
	readonly provenance: Provenance;
	readonly file: MemoryPath;
	change(text: string): string;
}

export function forgetInFile(core: MemoryCore, { key, provenance, file, change }: Forgetting): Promise<MemoryReceipt> {
	const parts = [{ file, compose: (text: string) => ({ text: change(text) }) }] as const;
	return once(core, key, () => commitWrite(core, { kind: 'forget', key, provenance, forgets: true, parts }));
}
