import { expect, onTestFinished, test } from 'vitest';
import type { RunId, SessionId } from '../../../src/domain/ids.ts';
import { messageText } from '../../../src/domain/message.ts';
import { deleteSession } from '../../../src/sessions/session-store.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { fillDisk, freeDisk } from '../../support/run/disk.ts';
import { type Harness, openHarness } from '../../support/run/harness.ts';
import { scripted } from '../../support/run/scripted.ts';
import { readLedger } from '../../support/test-tools.ts';

const LONG = 'Far too much for what is left. '.repeat(10_000);

/** A reply under way whose text no longer fits on the disk. */
async function streamingOnFullDisk(reserve?: { release(): boolean }) {
	const steps = [
		{ type: 'text' as const, text: 'It begins. ' },
		{ type: 'silence' as const, ms: 300 },
		{ type: 'text' as const, text: LONG },
		{ type: 'silence' as const, ms: 60_000 },
	];
	const { harness, server, reopen } = await scripted([{ steps }, says('Next.')], { reserve });
	const sessionId = harness.newSession();
	const sent = await harness.send(sessionId, 'Write a lot');
	await harness.until(() => harness.events.some((event) => event.type === 'message_delta'), 'text');
	fillDisk(harness.db);
	const live = () => messageText(harness.engine.withLiveText(harness.message(sent.messageId)));
	await harness.until(() => live().length > LONG.length, 'all of the text');
	return { harness, server, reopen, sessionId, sent };
}

const stop = (harness: Harness, runId: RunId) => harness.chat.stop({ runId });

test('dur-2 R2 Stop on a full disk answers at once and ends the stream; what arrived is saved when there is room', async () => {
	const { harness, server, sent } = await streamingOnFullDisk();
	const refused = { code: 'disk_full', safe: expect.stringContaining('kept in memory') };
	await expect(stop(harness, sent.runId)).rejects.toMatchObject({ shape: refused });
	await harness.until(() => server.log.requests[0]?.aborted === true, 'the end of the call');
	// Pressed again, it says the same.
	await expect(stop(harness, sent.runId)).rejects.toMatchObject({ shape: refused });
	expect(messageText(harness.engine.withLiveText(harness.message(sent.messageId)))).toBe(`It begins. ${LONG}`);
	freeDisk(harness.db);
	expect(await harness.settled(sent.runId)).toBe('stopped');
	expect(harness.message(sent.messageId)).toMatchObject({ status: 'stopped', parts: [{ type: 'text', text: `It begins. ${LONG}` }] });
});

test('dur-2 Stop on a full disk gives up the reserve, and then it is written', async () => {
	let released = 0;
	const disk: { harness?: Harness } = {};
	const release = (): boolean => {
		released += 1;
		if (disk.harness) freeDisk(disk.harness.db);
		return true;
	};
	const { harness, sent } = await streamingOnFullDisk({ release });
	disk.harness = harness;
	expect(released).toBe(0);
	await stop(harness, sent.runId);
	expect(released).toBe(1);
	expect(harness.message(sent.messageId)).toMatchObject({ status: 'stopped', parts: [{ type: 'text', text: `It begins. ${LONG}` }] });
});

test('dur-2 deleting a chat does not wait for its run, which waits for the disk', async () => {
	const { harness, server, sessionId, sent } = await streamingOnFullDisk();
	harness.db.write((tx) => deleteSession(tx, sessionId), { makesRoom: true });
	await harness.engine.endDeleted();
	expect(await harness.settled(sent.runId)).toBe('gone');
	await harness.until(() => server.log.requests[0]?.aborted === true, 'the end of the call');
	// The room that it took is free for what comes next.
	const next = await harness.send(harness.newSession(), 'Go on');
	expect(await harness.settled(next.runId)).toBe('done');
});

test('dur-2 R1 an end of the runtime does not wait for the disk, also after Stop; the next start finds the reply cut off', async () => {
	const { harness, sent, reopen } = await streamingOnFullDisk();
	await expect(stop(harness, sent.runId)).rejects.toMatchObject({ code: 'disk_full' });
	const second = await reopen();
	expect(second.message(sent.messageId)).toMatchObject({ status: 'interrupted', parts: [{ type: 'text', text: 'It begins. ' }] });
});

test('dur-2 R2 a tool whose start could not be written does not run once the owner has stopped it', async () => {
	const { harness } = await scripted([calls('test_idempotent', { value: 'x'.repeat(200_000) }), says('Done.')]);
	const sessionId: SessionId = harness.newSession();
	const sent = await harness.send(sessionId, 'Do');
	let filled = false;
	await harness.until(() => {
		// The model's answer fits, what it asks for does not.
		if (!filled && harness.journal(sent.runId).includes('model_started')) {
			fillDisk(harness.db);
			filled = true;
		}
		return filled;
	}, 'the call');
	await stop(harness, sent.runId).catch((error: unknown) => expect(error).toMatchObject({ code: 'disk_full' }));
	freeDisk(harness.db);
	expect(await harness.settled(sent.runId)).toBe('stopped');
	expect(readLedger(harness.ledger)).toEqual([]);
});

test('dur-2 S5 a start on a full disk leaves a cut-off reply as it is, and shows it as cut off as soon as there is room', async () => {
	const steps = [
		{ type: 'text' as const, text: LONG },
		{ type: 'silence' as const, ms: 60_000 },
	];
	const { harness, server } = await scripted([{ steps }]);
	const sent = await harness.send(harness.newSession(), 'Write a lot');
	const saved = () => harness.db.read.prepare('SELECT sum(length(text)) FROM stream_chunks').pluck().get() as number | null;
	await harness.until(() => (saved() ?? 0) >= LONG.length, 'all of the text on the disk');
	await harness.close();

	const next = openHarness({ folder: harness.folder, modelUrl: server.openaiUrl });
	onTestFinished(() => next.close());
	fillDisk(next.db);
	next.engine.recover({ goOn: true });
	expect(next.message(sent.messageId).status).toBe('streaming');
	expect(next.events).toContainEqual({ type: 'recovered', runs: [] });
	freeDisk(next.db);
	expect(await next.settled(sent.runId)).toBe('interrupted');
	expect(next.message(sent.messageId)).toMatchObject({ status: 'interrupted', parts: [{ type: 'text', text: LONG }] });
});
