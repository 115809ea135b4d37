import { dialSocket } from '../../../src/app/socket.ts';
import { connect } from '../../../src/contract/client.ts';
import type { MemoryEntry } from '../../../src/domain/memory.ts';
import { type SeededLook, seedLooks } from '../../support/seeded-looks.ts';
import { startHearth } from './browser.ts';
import { homeWithMemory, type MemoryFiles, type MemoryScreen, openMemory } from './memory.ts';

/** The inbox of a profile whose memory is known and in which looks have been. `looks`: told the entries that findings may contradict. */
export async function openLooks(
	files: MemoryFiles,
	places: Parameters<typeof seedLooks>[1],
	looks: (entries: readonly MemoryEntry[]) => readonly SeededLook[],
): Promise<MemoryScreen> {
	const home = homeWithMemory(files);
	// Entries get their ids when the runtime first reads them.
	const first = await startHearth({ home, firstRunDone: false });
	const transport = await dialSocket(first.profileFolder);
	if (!transport) throw new Error('the runtime does not run');
	const { rpc, close } = await connect(transport, { client: 'test' });
	const { entries } = await rpc.memory.entries({});
	close();
	await first.stop();
	seedLooks(first.profileFolder, places, looks(entries));
	return openMemory(files, { at: '/inbox', home });
}
