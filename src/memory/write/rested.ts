import { setTimeout as sleep } from 'node:timers/promises';
import type { MemoryPath } from '../../domain/memory.ts';
import type { MemoryCore } from '../core.ts';
import { type DiskFile, readMemoryFile } from '../disk.ts';
import { isKnown } from '../file-store.ts';

const LOOK_AGAIN_MS = 30;
/** A program that never rests is not waited for. */
const MOST_LOOKS = 2;
/** Many programs empty or remove a file before they write it anew. */
const MOST_LOOKS_EMPTY = 12;

/** The file once nobody is in the middle of writing it: at once where it is as the ledger knows it, else when it stays as it is. */
export async function readRested(core: MemoryCore, file: MemoryPath): Promise<DiskFile> {
	let disk = await readMemoryFile(core.folder, file);
	for (let looks = 0; !isKnown(core.db.read, file, disk); looks++) {
		if (looks >= (disk.bytes === 0 ? MOST_LOOKS_EMPTY : MOST_LOOKS)) break;
		await sleep(LOOK_AGAIN_MS);
		const now = await readMemoryFile(core.folder, file);
		const rests = now.exists === disk.exists && now.hash === disk.hash && now.bytes > 0;
		disk = now;
		if (rests) break;
	}
	return disk;
}
