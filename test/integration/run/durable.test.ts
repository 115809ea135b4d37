import { expect, test } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import type { LiveEvent } from '../../../src/contract/events.ts';
import { sql, run as write } from '../../../src/db/sql.ts';
import { findRun } from '../../../src/run/journal-store.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { fillDisk, freeDisk } from '../../support/run/disk.ts';
import type { Harness } from '../../support/run/harness.ts';
import { scripted } from '../../support/run/scripted.ts';
import { readLedger } from '../../support/test-tools.ts';

/** An effect that the owner approved has happened, and its tool takes `afterMs` more to say so. */
async function effectUnderWay(afterMs: number) {
	const stage = await scripted([calls('test_effectful', { value: 'x', afterMs }), says('Done.')]);
	const { harness } = stage;
	const sent = await harness.send(harness.newSession(), 'Go');
	await harness.settled(sent.runId);
	const [open] = await harness.chat.interrupts({});
	await harness.chat.answer({ interruptId: open?.id as never, shownHash: open?.shownHash ?? '', answer: { type: 'approve' } });
	await harness.until(() => readLedger(harness.ledger).length === 1, 'the effect');
	return { ...stage, sent };
}

test('dur-2 a disk that fills up in mid-stream loses nothing: the reply is whole once there is room', async () => {
	const words = Array.from({ length: 400 }, (_, index) => `word${index} `.repeat(20));
	const { harness } = await scripted([{ steps: words.map((text) => ({ type: 'text' as const, text, delayMs: 1 })) }, says('Next.')]);
	const sessionId = harness.newSession();
	const sent = await harness.send(sessionId, 'Write a lot');
	await harness.until(() => harness.events.some((event) => event.type === 'message_delta'), 'text');
	fillDisk(harness.db);
	await harness.until(
		() => harness.events.some((event) => event.type === 'message_delta' && event.text.includes('word399')),
		'the end of the stream',
	);
	expect(harness.message(sent.messageId).status).toBe('streaming');
	freeDisk(harness.db);
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(harness.message(sent.messageId).parts).toEqual([{ type: 'text', text: words.join('') }]);
});

test('a send on a full disk says so and keeps nothing half done', async () => {
	const { harness } = await scripted([says('Fine.')]);
	const sessionId = harness.newSession();
	fillDisk(harness.db);
	await expect(harness.send(sessionId, 'x'.repeat(100_000))).rejects.toMatchObject({ code: 'disk_full' });
	freeDisk(harness.db);
	const sent = await harness.send(sessionId, 'Small');
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(harness.message(sent.messageId).versions).toHaveLength(1);
});

test('R3 a run that waits is nothing but rows: after a restart its question is there and one answer lets it go on', async () => {
	const { harness, reopen } = await scripted([calls('test_effectful', { value: 'x' }), says('Done.')]);
	const sent = await harness.send(harness.newSession(), 'Do');
	expect(await harness.settled(sent.runId)).toBe('waiting');
	const [before] = await harness.chat.interrupts({});
	const second = await reopen();
	expect(await second.chat.interrupts({})).toEqual([before]);
	expect(second.events.find((event) => event.type === 'recovered')).toEqual({ type: 'recovered', runs: [] });
	await second.chat.answer({ interruptId: before?.id as never, shownHash: before?.shownHash ?? '', answer: { type: 'approve' } });
	expect(await second.settled(sent.runId)).toBe('done');
	expect(readLedger(second.ledger)).toHaveLength(1);
});

test('an orderly end in mid-stream leaves what a crash would leave: the text, interrupted, announced after the start', async () => {
	const { harness, reopen } = await scripted([
		{
			steps: [
				{ type: 'text', text: 'So far so good' },
				{ type: 'silence', ms: 30_000 },
			],
		},
		says(', and done.'),
	]);
	const sent = await harness.send(harness.newSession(), 'Go');
	await harness.until(() => harness.events.some((event) => event.type === 'message_delta'), 'text');
	const second = await reopen();
	expect(second.message(sent.messageId)).toMatchObject({ status: 'interrupted', parts: [{ type: 'text', text: 'So far so good' }] });
	expect(second.events.find((event) => event.type === 'recovered')).toMatchObject({
		runs: [{ runId: sent.runId, outcome: 'interrupted' }],
	});
	await second.chat.continue({ messageId: sent.messageId });
	expect(await second.settled(sent.runId)).toBe('done');
	expect(second.message(sent.messageId).parts).toEqual([{ type: 'text', text: 'So far so good, and done.' }]);
});

test('an orderly end lets a tool that is under way finish; the next start goes on after it and asks nothing (R2)', async () => {
	const { reopen, sent } = await effectUnderWay(300);
	const second = await reopen();
	expect(await second.settled(sent.runId)).toBe('done');
	expect(second.journal(sent.runId)).not.toContain('process_died');
	expect(readLedger(second.ledger)).toHaveLength(1);
});

test('an orderly end does not wait for a tool without end: the next start asks whether it happened (R2)', async () => {
	const { reopen, sent } = await effectUnderWay(60_000);
	const second = await reopen();
	expect(await second.settled(sent.runId)).toBe('waiting');
	expect(await second.chat.interrupts({})).toMatchObject([{ detail: { kind: 'did_it_happen', tool: 'test_effectful' } }]);
});

test('a journal that can not be read fails its reply and nothing else', async () => {
	const { harness, server, reopen } = await scripted([{ steps: [{ type: 'silence', ms: 30_000 }] }, says('Still here.')]);
	const sessionId = harness.newSession();
	const sent = await harness.send(sessionId, 'Go');
	await harness.until(() => server.log.requests.length === 1, 'the call');
	harness.db.write((tx) => write(tx, sql`UPDATE journal SET event = '{"type":"unheard_of"}' WHERE seq = 2 AND run_id = ${sent.runId}`));
	const second = await reopen();
	expect(second.message(sent.messageId)).toMatchObject({ status: 'failed', error: { code: 'internal' } });
	const next = await second.send(sessionId, 'Hello?');
	expect(await second.settled(next.runId)).toBe('done');
});

test('R1 a reply whose end can not be written down at all keeps its text: Stop ends it, Continue goes on', async () => {
	let stuck = false;
	const logger = { ...silentLogger, error: (event: string) => (stuck ||= event === 'run_stuck') };
	const { harness } = await scripted([{ steps: [{ type: 'text', text: 'Half of an ans' }, { type: 'cut' }] }, says('wer.')], { logger });
	// No disk that is full: SQLite refuses these rows for a reason that nobody foresaw.
	harness.db.write((tx) =>
		tx.exec(`CREATE TRIGGER refuse BEFORE INSERT ON journal WHEN json_extract(new.event, '$.type') IN ('model_failed', 'run_failed')
			BEGIN SELECT RAISE(ABORT, 'refused'); END`),
	);
	const sent = await harness.send(harness.newSession(), 'Ask');
	await harness.until(() => harness.events.some((event) => event.type === 'message_delta'), 'text');
	await harness.until(() => stuck, 'the run to be stuck');
	harness.db.write((tx) => tx.exec('DROP TRIGGER refuse'));
	await harness.chat.stop({ runId: sent.runId });
	expect(harness.message(sent.messageId)).toMatchObject({ status: 'stopped', parts: [{ type: 'text', text: 'Half of an ans' }] });
	await harness.chat.continue({ messageId: sent.messageId });
	expect(await harness.settled(sent.runId)).toBe('done');
	expect(harness.message(sent.messageId).parts).toEqual([{ type: 'text', text: 'Half of an answer.' }]);
});

test('R1 a database that can no longer be read leaves its run stuck, and the runtime goes on', async () => {
	let stuck = 0;
	const logger = { ...silentLogger, error: (event: string) => (stuck += event === 'run_stuck' ? 1 : 0) };
	const { harness } = await scripted(
		[
			{
				steps: [
					{ type: 'text', text: 'Half' },
					{ type: 'silence', ms: 300 },
				],
			},
			says('Whole.'),
		],
		{ logger },
	);
	const sent = await harness.send(harness.newSession(), 'Ask');
	await harness.until(() => harness.events.some((event) => event.type === 'message_delta'), 'text');
	// For SQLite the table is gone, which each read of the run trips over.
	harness.db.write((tx) => tx.exec('ALTER TABLE runs RENAME TO unreadable'));
	await harness.until(() => stuck > 0, 'the run to be stuck');
	harness.db.write((tx) => tx.exec('ALTER TABLE unreadable RENAME TO runs'));
	await harness.chat.stop({ runId: sent.runId });
	expect(harness.message(sent.messageId)).toMatchObject({ status: 'stopped' });
	const next = await harness.send(harness.newSession(), 'And now?');
	expect(await harness.settled(next.runId)).toBe('done');
});

test('R1 a database that breaks just as a run ends does not take the runtime with it', async () => {
	let stuck = 0;
	const logger = { ...silentLogger, error: (event: string) => (stuck += event === 'run_stuck' ? 1 : 0) };
	const broken: { harness?: Harness | undefined } = {};
	const onEvent = (event: LiveEvent) => {
		if (event.type !== 'run_changed' || event.run.status !== 'done' || stuck > 0) return;
		// After the announcement of the end and before the driver looks whether there is more to do.
		queueMicrotask(() => broken.harness?.db.write((tx) => tx.exec('ALTER TABLE runs RENAME TO unreadable')));
	};
	const { harness } = await scripted([says('One.'), says('Two.')], { logger, onEvent });
	broken.harness = harness;
	const sent = await harness.send(harness.newSession(), 'Ask');
	await harness.until(() => stuck > 0, 'the run to be stuck');
	broken.harness = undefined;
	harness.db.write((tx) => tx.exec('ALTER TABLE unreadable RENAME TO runs'));
	expect(harness.message(sent.messageId)).toMatchObject({ status: 'complete' });
	const next = await harness.send(harness.newSession(), 'And now?');
	expect(await harness.settled(next.runId)).toBe('done');
});

test('R2 a start that leaves runs to a later one still asks whether an effect happened, and calls no model', async () => {
	const { server, reopen, sent } = await effectUnderWay(60_000);
	const second = await reopen({}, { goOn: false });
	expect(await second.settled(sent.runId)).toBe('waiting');
	expect(await second.chat.interrupts({})).toMatchObject([{ detail: { kind: 'did_it_happen' } }]);
	expect(server.log.requests).toHaveLength(1);
});

test('R1 a start that leaves runs to a later one does not begin their next step; the later one does', async () => {
	const { harness, server, reopen } = await scripted([calls('test_pure', { value: 'x', afterMs: 60_000 }), says('Done.')]);
	const sent = await harness.send(harness.newSession(), 'Go');
	await harness.until(() => readLedger(harness.ledger).length === 1, 'the effect');
	const second = await reopen({}, { goOn: false });
	expect(findRun(second.db.read, sent.runId)?.status).toBe('running');
	expect(readLedger(second.ledger)).toHaveLength(1);
	const third = await reopen();
	await third.until(() => readLedger(third.ledger).length === 2, 'the redone look');
	expect(server.log.requests).toHaveLength(1);
});
