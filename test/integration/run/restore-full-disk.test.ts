import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { ContentFiles } from '../../../src/base/content-files.ts';
import { newId } from '../../../src/base/ids.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { mintWriteGrant } from '../../../src/domain/write-grant.ts';
import { createMemory } from '../../../src/memory/memory.ts';
import { createRestores } from '../../../src/run/restore.ts';
import { unfinishedRestores } from '../../../src/run/restore-store.ts';
import { createWorkspaceFiles } from '../../../src/tools/workspace/files.ts';
import { workspaceTools } from '../../../src/tools/workspace/tools.ts';
import { says } from '../../support/model-server/index.ts';
import { fillDisk, freeDisk } from '../../support/run/disk.ts';
import { scripted } from '../../support/run/scripted.ts';
import { temporaryFolder } from '../../support/sessions.ts';
import { openWorkspace } from '../../support/workspace/harness.ts';

const FILES = Array.from({ length: 60 }, (_, index) => `${'long-name-'.repeat(10)}${index}.txt`);

/** A run that wrote many files, with what restores it over the same database. */
async function worked() {
	const folder = temporaryFolder();
	const steps = FILES.map((path) => ({ type: 'tool_call' as const, tool: 'write_file', args: { path, content: 'one' } }));
	// The tools have a connection of their own, as the engine's is made after them.
	const tools = openWorkspace(folder);
	const { harness } = await scripted([{ steps }, says('Done.')], {
		folder,
		tools: [...workspaceTools({ files: tools.files, granted: () => [], trash: { keep: async () => false } })],
	});
	const { db } = harness;
	const common = { db, clock: systemClock, logger: silentLogger };
	const files = createWorkspaceFiles({
		...common,
		folder: join(folder, 'workspace'),
		hearth: folder,
		blobs: new ContentFiles(join(folder, 'blobs')),
	});
	const memory = createMemory({ ...common, folder, embedding: undefined, watch: false });
	await memory.ready;
	onTestFinished(() => memory.close());
	const restores = createRestores({
		...common,
		announce: () => undefined,
		log: harness.engine.log,
		toolTitle: () => undefined,
		workspace: files,
		memory: memory.writer,
	});
	onTestFinished(() => restores.close());
	const sessionId = harness.newSession();
	const { runId } = await harness.send(sessionId, 'Do the work');
	expect(await harness.settled(runId)).toBe('done');
	return { harness, db, files, restores, sessionId, runId };
}

const grant = mintWriteGrant({ by: 'owner' });

test('dur-2 R4 on a full disk a restore changes nothing, or goes on when there is room; nothing begins on top of half of it', async () => {
	const { harness, db, files, restores, sessionId, runId } = await worked();
	const asked = (requestId: string) => ({
		place: { runId, step: 0 },
		ticked: { chat: true, files: 'safe' as const, memory: true },
		requestId,
	});
	fillDisk(db);
	await expect(restores.restore(grant, asked(newId()))).rejects.toMatchObject({ shape: { code: 'disk_full' } });
	expect(unfinishedRestores(db.read)).toEqual([]);
	expect((await files.read(FILES[0] ?? ''))?.bytes.toString()).toBe('one');

	// Room for what is intended, and for no more.
	let refused: unknown;
	for (let spare = 1; unfinishedRestores(db.read).length === 0; spare += 1) {
		expect(spare).toBeLessThan(20);
		freeDisk(db);
		fillDisk(db, spare);
		refused = await restores.restore(grant, asked(newId())).catch((error: unknown) => error);
	}
	expect(refused).toMatchObject({ shape: { code: 'disk_full' } });
	freeDisk(db);
	await expect(harness.send(sessionId, 'And now?')).rejects.toThrow('not finished yet');

	await restores.finish(grant);
	expect(unfinishedRestores(db.read)).toEqual([]);
	for (const path of FILES) expect(await files.read(path)).toBeUndefined();
	const reply = harness.message((await harness.send(sessionId, 'And now?')).messageId);
	expect(reply.parentId).toBeTruthy();
});
