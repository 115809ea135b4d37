import { expect, test } from 'vitest';
import { retryable } from '../../../src/domain/errors.ts';
import { TaskDraft } from '../../../src/domain/task.ts';
import { temporaryStateDb } from '../../support/sessions.ts';
import { Machine, scheduled } from '../../support/task-lives.ts';
import { tasksLife } from '../../support/tasks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const at = (text: string): number => Date.parse(text);
const HOURLY = { kind: 'cron', expression: '0 * * * *', zone: 'UTC' } as const;

async function begun(timing: Parameters<typeof scheduled>[0] = HOURLY, more: Record<string, unknown> = {}) {
	const db = temporaryStateDb();
	const machine = new Machine(at('2026-06-01T09:55Z'));
	const life = await tasksLife(db, machine);
	const id = await life.add(scheduled(timing, more));
	const states = () => life.rows(id).map(({ state, why }) => why ?? state);
	return { db, machine, life, id, states };
}

test('a task that is paused has no slots, until it is resumed or its pause is over', async () => {
	const { life, id, states } = await begun();
	life.runs.atOnce = 'done';
	life.tasks.pause(id, undefined);
	expect(life.view(id)).toMatchObject({ state: 'paused' });
	expect(life.view(id).next).toBeUndefined();
	await life.pass(10 * MINUTE);
	await life.tasks.resume(id);
	expect(life.view(id)).toMatchObject({ state: 'scheduled', next: { at: at('2026-06-01T11:00Z') } });
	life.tasks.pause(id, at('2026-06-01T11:30Z'));
	expect(() => life.tasks.pause(id, at('2026-06-01T10:00Z'))).toThrow(/past/);
	expect(() => life.tasks.pause(id, 8.64e15)).toThrow(/ten years/);
	await life.pass(2 * HOUR);
	expect(states()).toEqual(['done']);
	expect(life.rows(id)[0]?.slot).toBe(at('2026-06-01T12:00Z'));
	expect(life.view(id).state).toBe('scheduled');
});

test('Run now runs beside the schedule, once for a double click, also while the task is paused; a one-off ends with its time', async () => {
	const { life, id } = await begun({ kind: 'at', local: '2026-06-01T10:00', zone: 'UTC' });
	life.tasks.pause(id, undefined);
	const own = life.tasks.run(id);
	expect(life.rows(id)).toMatchObject([{ id: own, by: 'owner', state: 'running' }]);
	expect(life.tasks.run(id)).toBe(own);
	await life.pass(3_000);
	const second = life.tasks.run(id);
	expect(life.tasks.run(id)).toBe(second);
	await life.tasks.stop(second);
	await life.tasks.stop(own);
	expect(life.rows(id).map(({ state, why }) => [state, why])).toEqual([
		['stopped', 'owner'],
		['skipped', 'owner'],
	]);
	await expect(life.tasks.stop(own)).rejects.toThrow(/over already/);
	await life.tasks.resume(id);
	life.runs.atOnce = 'done';
	await life.pass(6 * MINUTE);
	expect(life.rows(id).map(({ by, state }) => `${by} ${state}`)).toContain('schedule done');
	expect(life.view(id)).toMatchObject({ state: 'ended' });
	expect(life.view(id).next).toBeUndefined();
});

test('a change counts from now on: what runs goes on as it was begun, and the new times are the only ones', async () => {
	const { life, id } = await begun();
	await life.pass(6 * MINUTE);
	const draft = TaskDraft.parse(scheduled({ kind: 'cron', expression: '30 * * * *', zone: 'UTC' }, { title: 'Another' }));
	const { shownHash } = life.tasks.preview(draft);
	await expect(life.tasks.update(id, { draft, shownHash: 'f'.repeat(64), permissions: [] })).rejects.toThrow(/not what was shown/);
	await life.tasks.update(id, { draft, shownHash, permissions: [] });
	expect(life.rows(id)).toMatchObject([{ state: 'running', slot: at('2026-06-01T10:00Z') }]);
	expect(life.view(id)).toMatchObject({ state: 'running', draft: { title: 'Another' }, next: { at: at('2026-06-01T10:30Z') } });
	await life.pass(HOUR);
	expect(life.rows(id).map(({ slot }) => slot)).toEqual([at('2026-06-01T10:00Z'), at('2026-06-01T10:30Z')]);
});

test('a task that is removed is gone with its history and its timer; what ran is stopped', async () => {
	const { db, life, id } = await begun();
	await life.pass(6 * MINUTE);
	await life.tasks.remove(id);
	await life.tasks.remove(id);
	expect(life.runs.all()).toMatchObject([{ state: 'stopped' }]);
	expect(
		db.read.prepare("SELECT (SELECT count(*) FROM task_occurrences) + (SELECT count(*) FROM timers WHERE kind = 'task')").pluck().get(),
	).toBe(0);
	expect(() => life.view(id)).toThrow(/no longer exists/);
});

test('the same request makes one task', async () => {
	const { life } = await begun();
	const draft = TaskDraft.parse(scheduled(HOURLY));
	const make = () => life.tasks.make({ draft, label: 'owner', makeKey: 'k1' });
	expect(await make()).toBe(await make());
	expect(life.status()).toMatchObject({ on: 2, next: { at: at('2026-06-01T10:00Z') } });
});

test('R5 resumed after its pause was over: what came since then has its rows', async () => {
	const { life, id, states } = await begun(HOURLY, { missed: { kind: 'every', most: 2 } });
	life.runs.atOnce = 'done';
	life.settings = { ...life.settings, activeHours: { from: '12:30', to: '20:00' } };
	life.tasks.pause(id, at('2026-06-01T10:30Z'));
	await life.pass(2 * HOUR + 15 * MINUTE);
	expect(life.rows(id)).toEqual([]);
	await life.tasks.resume(id);
	expect(life.rows(id).map(({ slot }) => slot)).toEqual([at('2026-06-01T11:00Z'), at('2026-06-01T12:00Z')]);
	await life.pass(30 * MINUTE);
	expect(states()).toEqual(['done', 'done']);
});

test('R5 a slot whose delay is not over when the task is paused, or its times are changed, says so in its row', async () => {
	const delayed = { schedule: { jitterSeconds: 3_500 } };
	const { life, id } = await begun(HOURLY, delayed);
	const { dueAt = 0 } = life.view(id).next ?? {};
	expect(dueAt).toBeGreaterThan(at('2026-06-01T10:02Z'));
	await life.pass(6 * MINUTE);
	life.tasks.pause(id, undefined);
	await life.tasks.resume(id);
	expect(life.rows(id)).toMatchObject([
		{ slot: at('2026-06-01T10:00Z'), state: 'skipped', note: 'It was paused before its delay was over.' },
	]);
	await life.pass(HOUR);
	const draft = TaskDraft.parse(scheduled({ kind: 'cron', expression: '30 5 * * *', zone: 'UTC' }));
	await life.tasks.update(id, { draft, shownHash: life.tasks.preview(draft).shownHash, permissions: [] });
	await life.pass(2 * HOUR);
	expect(life.rows(id).at(-1)).toMatchObject({ slot: at('2026-06-01T11:00Z') });
});

test('a task that is removed while runs of it wait behind one that is under way leaves none of them', async () => {
	const { life, id } = await begun();
	await life.pass(2 * HOUR + 10 * MINUTE);
	expect(life.rows(id).map(({ state }) => state)).toEqual(['running', 'queued', 'queued']);
	await life.tasks.remove(id);
	await life.settle();
	expect(life.runs.all()).toMatchObject([{ state: 'stopped' }]);
});

test('a pause also holds what came and waits for its turn: its row says so', async () => {
	const { life, id } = await begun();
	await life.pass(2 * HOUR + 10 * MINUTE);
	life.tasks.pause(id, undefined);
	const [running] = life.rows(id);
	if (running) life.runs.set(running, 'done');
	await life.settle();
	expect(life.rows(id)).toMatchObject([
		{ state: 'done' },
		{ state: 'skipped', why: 'owner', note: 'You paused it.' },
		{ state: 'skipped', note: 'You paused it.' },
	]);
	expect(life.runs.all()).toHaveLength(1);
});

test('sch-5 Run now of a task whose run waits for its next try is that try, and no run beside it', async () => {
	const { life, id } = await begun();
	await life.pass(6 * MINUTE);
	const [failing] = life.rows(id);
	if (failing) life.runs.set(failing, 'failed', retryable('model_unreachable', 'Not just now.').shape);
	expect(life.rows(id)).toMatchObject([{ state: 'queued', attempt: 1 }]);
	expect(life.tasks.run(id)).toBe(failing?.id);
	expect(life.rows(id)).toMatchObject([{ state: 'running', attempt: 2 }]);
	expect(life.runs.all()).toMatchObject([{ tries: 2 }]);
});

test('a one-off that is paused until after its time has ended, then as before', async () => {
	const { life, id } = await begun({ kind: 'at', local: '2026-06-01T10:00', zone: 'UTC' });
	life.tasks.pause(id, at('2026-06-01T11:00Z'));
	await life.pass(2 * HOUR);
	expect(life.view(id).state).toBe('ended');
});

test('R5 events beyond what may wait, or of a task that is blocked, stand as one row, and are told once', async () => {
	const { db, life } = await begun();
	const id = await life.add({
		title: 'Signal',
		when: { kind: 'trigger', trigger: { kind: 'signal', name: 'x' } },
		work: { kind: 'prompt', text: 'Do it.' },
	});
	const fire = () => {
		db.write((tx) => life.tasks.runner.fired(tx, id, { slot: life.machine.at, cause: { name: 'x', label: 'owner', events: 1 } }));
		life.tasks.runner.look();
	};
	for (let nth = 0; nth < 40; nth++) fire();
	expect(life.rows(id).at(-1)).toMatchObject({ state: 'missed', why: 'queue_full', count: 19 });
	expect(life.rows(id)).toHaveLength(22);
	expect(life.told).toMatchObject([{ what: 'missed' }]);
});
