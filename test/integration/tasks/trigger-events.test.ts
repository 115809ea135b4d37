import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sha256 } from '../../../src/base/sha256.ts';
import type { WatchedSourceId } from '../../../src/domain/heartbeat.ts';
import type { WorkflowInstanceId } from '../../../src/domain/ids.ts';
import { EVENT_PAYLOAD_CHARS } from '../../../src/domain/run.ts';
import type { TriggerName } from '../../../src/domain/task.ts';
import { deleteTask, setStatus } from '../../../src/tasks/task-store.ts';
import { countTimers } from '../../../src/timer/timer-store.ts';
import { endWorkspaceChange, insertWorkspaceChange } from '../../../src/tools/workspace/change-store.ts';
import { temporaryFolder, temporaryStateDb } from '../../support/sessions.ts';
import { setClock } from '../../support/timers.ts';
import { triggersLife } from '../../support/triggers.ts';

const NOON = Date.UTC(2026, 10, 30, 12);
const SCAN = 'scan_done' as TriggerName;
const signal = { kind: 'signal' as const, name: SCAN };
const instanceId = 'instance' as WorkflowInstanceId;

function place() {
	const home = realpathSync(temporaryFolder());
	const db = temporaryStateDb();
	const clock = setClock(NOON);
	const on = triggersLife(db, { home, clock });
	const pass = (ms: number): void => {
		clock.at += ms;
		on.background.rulesChanged();
	};
	return { home, db, clock, on, pass };
}

test('a script’s word fires the tasks that wait for it, with whose words it brings', async () => {
	const { on, pass } = place();
	const taskId = await on.task(signal, { quietSeconds: 5 });
	await on.task({ kind: 'signal', name: 'other' as TriggerName });
	expect(on.triggers.signal(SCAN, { pages: 3 }, 'external')).toBe(1);
	expect(on.triggers.signal('nobody' as TriggerName, null, 'owner')).toBe(0);
	pass(4_999);
	expect(on.fired).toEqual([]);
	pass(1);
	expect(on.fired).toEqual([
		{
			taskId,
			slot: NOON + 5_000,
			cause: { name: 'hearth trigger scan_done', label: 'external', events: 1 },
			payload: { events: [{ pages: 3 }] },
		},
	]);
	pass(60_000);
	expect(on.fired).toHaveLength(1);
});

test('a payload that is too large tells nobody', async () => {
	const { on, db } = place();
	await on.task(signal);
	expect(() => on.triggers.signal(SCAN, 'x'.repeat(EVENT_PAYLOAD_CHARS), 'owner')).toThrow(/at most/);
	expect(countTimers(db.read)).toBe(0);
});

test('S3 keys and passwords that a script hands on are kept nowhere', async () => {
	const { on, pass, db } = place();
	await on.task(signal, { quietSeconds: 5 });
	const token = `ghp_${'a1B2'.repeat(9)}`;
	on.triggers.signal(SCAN, { token, password: 'tulip-velvet-29', pages: 3 }, 'external');
	expect(JSON.stringify(db.read.prepare('SELECT * FROM task_events').all())).not.toMatch(/ghp_|tulip-velvet/);
	pass(5_000);
	expect(JSON.stringify(on.fired)).not.toMatch(/ghp_|tulip-velvet/);
	expect(on.fired[0]?.payload).toMatchObject({ events: [{ pages: 3 }] });
});

test('S5 a stream of events that is held is counted whole, and keeps no more of their payloads than will be told', async () => {
	const { on, pass, db } = place();
	await on.task(signal, { quietSeconds: 5 });
	on.background.pauseAll();
	for (let at = 0; at < 60; at += 1) on.triggers.signal(SCAN, `${at}`.padEnd(1_000, '.'), 'external');
	expect(db.read.prepare('SELECT sum(length(payload)) FROM task_events').pluck().get()).toBeLessThan(EVENT_PAYLOAD_CHARS + 1_100);
	on.background.resumeAll();
	pass(600_000);
	expect(on.fired).toMatchObject([{ cause: { events: 60 }, payload: { leftOut: 45 } }]);
});

test('events within the quiet time are one run, and a stream without rest is one all the same', async () => {
	const { on, pass } = place();
	await on.task(signal, { quietSeconds: 10 });
	for (let at = 0; at < 25; at += 1) {
		on.triggers.signal(SCAN, at, 'owner');
		pass(9_000);
	}
	expect(on.fired.map(({ slot, cause: { events } }) => [slot - NOON, events])).toEqual([[200_000, 23]]);
	pass(10_000);
	expect(on.fired.map(({ cause: { events } }) => events)).toEqual([23, 2]);
});

test('R3 Pause all keeps what comes, and lets it go when it is taken back', async () => {
	const { on, pass } = place();
	const taskId = await on.task(signal, { quietSeconds: 5 });
	on.background.pauseAll();
	on.triggers.signal(SCAN, 'one', 'owner');
	on.background.resumeAll();
	on.background.pauseAll();
	pass(3_600_000);
	expect(on.fired).toEqual([]);
	on.background.resumeAll();
	// As it was due: whoever claims it decides what becomes of what is late.
	expect(on.fired.map((one) => [one.taskId, one.slot])).toEqual([[taskId, NOON + 5_000]]);
});

test('a task that is paused or removed gathers nothing, and what it had gathered is gone', async () => {
	const { on, db, pass } = place();
	const paused = await on.task(signal, { quietSeconds: 5 });
	const removed = await on.task(signal, { quietSeconds: 5 });
	on.triggers.signal(SCAN, 'before', 'owner');
	db.write((tx) => {
		setStatus(tx, paused, 'paused');
		on.triggers.paused(tx, paused);
		deleteTask(tx, removed);
	});
	expect(on.triggers.signal(SCAN, 'meanwhile', 'owner')).toBe(0);
	pass(60_000);
	expect(on.fired).toEqual([]);
	expect(countTimers(db.read)).toBe(0);
});

test('a start of Hearth is told once a start, and that of one command is none', async () => {
	const { home, db, on, pass } = place();
	const taskId = await on.task({ kind: 'app_start' });
	await on.close();
	const second = triggersLife(db, { home, clock: setClock(NOON + 1_000) });
	await expect.poll(() => second.fired).toMatchObject([{ taskId, cause: { name: 'Hearth started', label: 'owner' }, payload: undefined }]);
	second.triggers.changed();
	await second.close();
	const command = triggersLife(db, { home, clock: setClock(NOON + 2_000), starts: false });
	command.triggers.start({ stays: false });
	command.background.timers.start();
	expect(command.fired).toEqual([]);
	pass(0);
});

test('waking, and coming back after long enough, are told to those that wait for them', async () => {
	const { on, pass } = place();
	const wake = await on.task({ kind: 'wake' });
	const hour = await on.task({ kind: 'unlock', idleMinutes: 60 });
	on.triggers.woke();
	on.triggers.unlocked(59.9);
	pass(1);
	expect(on.fired.map(({ taskId }) => taskId)).toEqual([wake]);
	on.triggers.unlocked(60);
	pass(1);
	expect(on.fired.map(({ taskId }) => taskId)).toEqual([wake, hour]);
});

test('B1 new findings tell their number and their source’s title, and no word of theirs', async () => {
	const { on, db, pass } = place();
	const sourceId = 'source' as WatchedSourceId;
	const any = await on.task({ kind: 'finding' });
	const one = await on.task({ kind: 'finding', sourceId });
	const found = (id: WatchedSourceId, title: string, findings: number) =>
		db.write((tx) => on.triggers.found(tx, { sourceId: id, sourceTitle: title, findings }));
	found('another' as WatchedSourceId, 'News', 2);
	pass(1);
	expect(on.fired).toMatchObject([
		{ taskId: any, cause: { name: 'New findings of “News”', label: 'approved' }, payload: { events: [{ source: 'News', findings: 2 }] } },
	]);
	found(sourceId, 'Post', 1);
	pass(1);
	expect(on.fired.slice(1).map(({ taskId }) => taskId)).toEqual([any, one]);
});

test('a state that an instance comes to is told in the transaction of the move: both or neither', async () => {
	const { on, db, pass } = place();
	const taskId = await on.task({ kind: 'workflow', workflow: 'invoice', state: 'SIGNED' });
	const reached = (state: string) => db.write((tx) => on.triggers.reached(tx, { instanceId, workflow: 'invoice', state }));
	reached('SENT');
	expect(() =>
		db.write((tx) => {
			on.triggers.reached(tx, { instanceId, workflow: 'invoice', state: 'SIGNED' });
			throw new Error('the move was refused');
		}),
	).toThrow('refused');
	pass(1);
	expect(on.fired).toEqual([]);
	reached('SIGNED');
	pass(1);
	expect(on.fired).toMatchObject([
		{
			taskId,
			cause: { name: 'Workflow invoice reached SIGNED' },
			payload: { events: [{ workflow: 'invoice', state: 'SIGNED', instance: instanceId }] },
		},
	]);
});

test('what a tool of Hearth wrote into a watched folder is no event of it', async () => {
	const { home, db } = place();
	const inbox = join(home, 'Inbox');
	mkdirSync(inbox);
	const life = triggersLife(db, { home });
	await life.task({ kind: 'files', path: inbox, mine: false });
	db.write((tx) => {
		const path = join(inbox, 'summary.md');
		const after = sha256('By Hearth.');
		const nobody = { runId: undefined, step: undefined, restoreId: undefined, stepKey: undefined };
		const change = { ...nobody, path, root: inbox, before: null, after, bytes: 10, label: 'agent' as const, sources: [], at: 1 };
		endWorkspaceChange(tx, insertWorkspaceChange(tx, change), 'done');
	});
	writeFileSync(join(inbox, 'summary.md'), 'By Hearth.');
	writeFileSync(join(inbox, 'theirs.md'), 'By them.');
	await expect.poll(() => life.files(inbox)).toEqual(['theirs.md']);
	writeFileSync(join(inbox, 'summary.md'), 'By others.');
	await expect.poll(() => life.files(inbox)).toEqual(['theirs.md', 'summary.md']);
});
