import { expect, test } from 'vitest';
import { retryable } from '../../../src/domain/errors.ts';
import type { TaskId } from '../../../src/domain/task.ts';
import { temporaryStateDb } from '../../support/sessions.ts';
import { FAILS, Machine, scheduled } from '../../support/task-lives.ts';
import { tasksLife } from '../../support/tasks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = (text: string): number => Date.parse(text);
const hours = (rows: readonly { slot: number }[]): string[] => rows.map(({ slot }) => new Date(slot).toISOString().slice(0, 16));

const DAILY = { kind: 'cron', expression: '0 9 * * *', zone: 'UTC' } as const;
const HOURLY = { kind: 'cron', expression: '0 * * * *', zone: 'UTC' } as const;

/** A task, ten minutes before nine, UTC, with one life of the runtime. */
async function begun(timing: Parameters<typeof scheduled>[0], more: Record<string, unknown> = {}, start = '2026-06-02T08:50Z') {
	const db = temporaryStateDb();
	const machine = new Machine(at(start));
	const life = await tasksLife(db, machine, { atOnce: 'done' });
	const id = await life.add(scheduled(timing, more));
	/** Dies and is started anew so much later. */
	const closedFor = async (ms: number) => {
		last.life.die();
		machine.sleep(ms);
		last.life = await tasksLife(db, machine, { atOnce: 'done' });
		await last.life.settle();
		return last.life;
	};
	const last = { life };
	return { db, machine, life, id, closedFor };
}

test('R5 a slot is one row and one run, in time, however often it is looked at', async () => {
	const { machine, life, id } = await begun(DAILY);
	await life.pass(at('2026-06-02T08:59:59.999Z') - machine.at);
	expect(life.rows(id)).toEqual([]);
	expect(life.view(id)).toMatchObject({ state: 'scheduled', next: { at: at('2026-06-02T09:00Z') } });
	machine.pass(1);
	for (let time = 0; time < 5; time += 1) await life.settle();
	expect(life.rows(id)).toMatchObject([{ state: 'done', by: 'schedule', slot: at('2026-06-02T09:00Z'), attempt: 1 }]);
	expect(life.runs.all()).toHaveLength(1);
	expect(life.view(id).next?.at).toBe(at('2026-06-03T09:00Z'));
});

test('R5 sch-3 what came while Hearth was closed has its rows: by its policy the newest is caught up, the others say why not', async () => {
	const { id, closedFor } = await begun(DAILY);
	const life = await closedFor(2 * DAY + 2 * HOUR);
	expect(life.rows(id)).toMatchObject([
		{ state: 'missed', why: 'late', note: 'Hearth was closed. More than 12 hours had passed.' },
		{ state: 'missed', why: 'late' },
		{ state: 'done', note: 'Late: Hearth was closed.' },
	]);
	expect(hours(life.rows(id))).toEqual(['2026-06-02T09:00', '2026-06-03T09:00', '2026-06-04T09:00']);
	expect(life.runs.all()).toHaveLength(1);
	expect(life.told).toEqual([]);
	expect(life.view(id)).toMatchObject({ state: 'scheduled', missed: [] });
});

test('R5 sch-3 with the policy skip nothing is caught up, and each row says that Hearth was closed', async () => {
	const { id, closedFor } = await begun(DAILY, { missed: { kind: 'skip' } });
	const life = await closedFor(2 * DAY);
	expect(life.rows(id)).toMatchObject([
		{ state: 'missed', why: 'closed' },
		{ state: 'missed', why: 'closed' },
	]);
	expect(life.view(id)).toMatchObject({ state: 'missed', missed: [{}, {}] });
	expect(life.status()).toMatchObject({ missed: 2, needOwner: 1 });
});

test('R5 every missed one, capped: the newest run one after another, the older ones say that newer ones stand for them', async () => {
	const { id, closedFor } = await begun(DAILY, { missed: { kind: 'every', most: 3 } });
	const life = await closedFor(5 * DAY);
	await expect.poll(() => life.rows(id).map(({ state }) => state)).not.toContain('queued');
	expect(life.rows(id).map(({ state, why }) => why ?? state)).toEqual(['many', 'many', 'done', 'done', 'done']);
	expect(life.runs.all()).toHaveLength(3);
});

test('R5 ask: nothing runs until the owner says for each; a double click runs it once', async () => {
	const { id, closedFor } = await begun(DAILY, { missed: { kind: 'ask' } });
	const life = await closedFor(2 * DAY);
	const [first, second] = life.rows(id);
	expect(life.view(id).state).toBe('missed');
	expect(life.runs.all()).toEqual([]);
	if (!first || !second) throw new Error('two rows');
	life.tasks.decide(first.id, 'run');
	expect(() => life.tasks.decide(first.id, 'run')).toThrow(/nothing to decide/);
	life.tasks.decide(second.id, 'skip');
	await life.settle();
	expect(life.rows(id)).toMatchObject([
		{ state: 'done', note: 'Hearth was closed. You let it run later.' },
		{ state: 'skipped', why: 'closed', note: 'You skipped it.' },
	]);
	expect(life.runs.all()).toHaveLength(1);
});

test('R5 of a long absence the oldest stand as one row that counts them', async () => {
	const { id, closedFor } = await begun(HOURLY, { missed: { kind: 'skip' } });
	const life = await closedFor(10 * DAY);
	const rows = life.rows(id);
	expect(rows).toHaveLength(51);
	expect(rows[0]).toMatchObject({ state: 'missed', why: 'closed', slot: at('2026-06-02T09:00Z'), count: 190 });
	expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(240);
});

test('sch-1 a daily time that a day lacks comes at the first minute after the gap, one that it has twice comes once, and the row says so', async () => {
	const zone = 'Europe/Berlin';
	const timing = { kind: 'cron', expression: '30 2 * * *', zone } as const;
	const spring = await begun(timing, {}, '2026-03-29T00:50Z');
	for (const time of ['2026-03-29T01:00Z', '2026-03-29T02:00Z']) await spring.life.pass(at(time) - spring.machine.at);
	expect(spring.life.rows(spring.id)).toMatchObject([
		{ slot: at('2026-03-29T01:00Z'), state: 'done', note: 'The clocks were set over its time, so it came at 03:00.' },
	]);
	expect(spring.life.view(spring.id).next?.at).toBe(at('2026-03-30T00:30Z'));
	const autumn = await begun(timing, {}, '2026-10-25T00:20Z');
	for (const time of ['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T01:40Z']) await autumn.life.pass(at(time) - autumn.machine.at);
	expect(autumn.life.rows(autumn.id)).toMatchObject([
		{ slot: at('2026-10-25T00:30Z'), note: 'The clock on the wall showed 02:30 twice; this was the first.' },
	]);
	expect(autumn.life.view(autumn.id).next?.at).toBe(at('2026-10-26T01:30Z'));
});

test('sch-2 asleep over its time: caught up at the wake, with the reason; a run that was under way stays running, never done', async () => {
	const { machine, life, id } = await begun(DAILY);
	life.runs.atOnce = undefined;
	await life.pass(at('2026-06-02T09:00Z') - machine.at);
	expect(life.view(id).state).toBe('running');
	machine.sleep(DAY + HOUR);
	await life.settle();
	expect(life.rows(id)).toMatchObject([
		{ slot: at('2026-06-02T09:00Z'), state: 'running' },
		{ slot: at('2026-06-03T09:00Z'), state: 'queued', note: 'Late: the computer was asleep.' },
	]);
	const [running] = life.rows(id);
	if (!running) throw new Error('a row');
	life.runs.set(running, 'done');
	expect(life.rows(id).map(({ state }) => state)).toEqual(['done', 'running']);
});

test('sch-2 killed with one that waits for its turn: it is judged anew, late', async () => {
	const { id, closedFor, life, machine } = await begun(DAILY, { missed: { kind: 'skip' } });
	life.settings.taskRunsAtOnce = 0;
	await life.pass(at('2026-06-02T09:00Z') - machine.at);
	expect(life.rows(id)).toMatchObject([{ state: 'queued' }]);
	const next = await closedFor(HOUR);
	expect(next.rows(id)).toMatchObject([{ state: 'missed', why: 'closed' }]);
	expect(next.runs.all()).toEqual([]);
});

test('sch-4 after a start stale ones do not begin at once: one run for each task, so many at a time, with time between', async () => {
	const db = temporaryStateDb();
	const machine = new Machine(at('2026-06-01T12:00Z'));
	const first = await tasksLife(db, machine);
	const ids: TaskId[] = [];
	for (let count = 0; count < 5; count += 1) ids.push(await first.add(scheduled(HOURLY)));
	first.die();
	machine.sleep(5 * HOUR + MINUTE * 5);
	const life = await tasksLife(db, machine, { pace: { firstMs: 10_000, betweenMs: 5_000 } });
	await life.settle();
	const states = () => ids.map((id) => life.rows(id).at(-1)?.state);
	expect(states()).toEqual(Array(5).fill('queued'));
	expect(life.rows(ids[0] as TaskId).map(({ why }) => why)).toEqual(['many', 'many', 'many', 'many', undefined]);
	machine.pass(10_000);
	life.tasks.runner.look();
	expect(states()).toEqual(['running', 'queued', 'queued', 'queued', 'queued']);
	machine.pass(5_000);
	life.tasks.runner.look();
	machine.pass(5_000);
	life.tasks.runner.look();
	// Two at a time.
	expect(states()).toEqual(['running', 'running', 'queued', 'queued', 'queued']);
	const [running] = life.rows(ids[0] as TaskId).slice(-1);
	if (!running) throw new Error('a row');
	machine.pass(5_000);
	// What waits for the owner takes nobody's place.
	life.runs.set(running, 'waiting');
	expect(states()).toEqual(['running', 'running', 'running', 'queued', 'queued']);
	expect(life.view(ids[0] as TaskId).state).toBe('waiting');
});

test('sch-5 what failed is tried again after longer and longer pauses, on its own run; then it has failed, and is not done', async () => {
	const { machine, life, id } = await begun(DAILY, { failure: { tries: 3, pauseSeconds: 60, stopAfter: 2 } });
	life.runs.atOnce = undefined;
	const fail = () => {
		const row = life.rows(id).at(-1);
		if (!row) throw new Error('a row');
		life.runs.set(row, 'failed', retryable('network_cut', 'The line was cut.').shape);
	};
	await life.pass(at('2026-06-02T09:00Z') - machine.at);
	fail();
	expect(life.rows(id)).toMatchObject([{ state: 'queued', attempt: 1, nextTryAt: machine.at + MINUTE, error: { code: 'network_cut' } }]);
	expect(life.view(id).state).toBe('waiting');
	machine.pass(MINUTE - 1);
	await life.settle();
	expect(life.rows(id)).toMatchObject([{ state: 'queued' }]);
	machine.pass(1);
	await life.settle();
	expect(life.rows(id)).toMatchObject([{ state: 'running', attempt: 2 }]);
	fail();
	machine.pass(2 * MINUTE);
	await life.settle();
	fail();
	await expect.poll(() => life.rows(id)).toMatchObject([{ state: 'failed', attempt: 3, tokens: 7, delivered: true }]);
	expect(life.runs.all()).toMatchObject([{ tries: 3 }]);
	expect(life.view(id)).toMatchObject({ state: 'failed', failures: 1, current: { state: 'failed' } });
});

test('so many failures in a row block it, what comes then is missed and counted in one row, until the owner lets it go on', async () => {
	const { life, id } = await begun(HOURLY, { failure: { tries: 1, pauseSeconds: 60, stopAfter: 2 } });
	life.runs.refuses = FAILS;
	for (let hour = 0; hour < 5; hour += 1) {
		await life.pass(HOUR);
	}
	expect(life.rows(id)).toMatchObject([
		{ state: 'failed' },
		{ state: 'failed' },
		{ state: 'missed', why: 'blocked', count: 3, lastSlot: at('2026-06-02T13:00Z') },
	]);
	expect(life.view(id)).toMatchObject({ state: 'blocked', problem: { message: expect.stringContaining('2 times in a row') } });
	expect(life.view(id).next).toBeUndefined();
	expect(life.told.map(({ what }) => what)).toContain('blocked');
	life.runs.refuses = undefined;
	await life.tasks.resume(id);
	await life.pass(HOUR);
	expect(life.rows(id).at(-1)).toMatchObject({ state: 'done' });
	expect(life.view(id)).toMatchObject({ failures: 0 });
});

test('what only the owner can mend blocks it at once', async () => {
	const { life, id } = await begun(HOURLY);
	life.runs.refuses = { kind: 'needs_owner', code: 'model_auth', message: 'The key was refused.' };
	await life.pass(HOUR);
	expect(life.view(id)).toMatchObject({ state: 'blocked', problem: { code: 'model_auth' } });
	expect(life.rows(id)).toMatchObject([{ state: 'failed', attempt: 1 }]);
});

test.each([
	{ overlap: 'queue', states: ['running', 'queued'], after: ['done', 'running'] },
	{ overlap: 'skip', states: ['running', 'skipped'], after: ['done', 'skipped'] },
	{ overlap: 'replace', states: ['stopped', 'running'], after: ['stopped', 'done'] },
] as const)('R5 a slot that comes while the run before is not over: $overlap', async ({ overlap, states, after }) => {
	const { life, id } = await begun(HOURLY, { overlap });
	life.runs.atOnce = undefined;
	for (let hour = 0; hour < 2; hour += 1) {
		await life.pass(HOUR);
	}
	const now = () => life.rows(id).map(({ state }) => state);
	await expect.poll(now).toEqual(states);
	const running = life.rows(id).find(({ state }) => state === 'running');
	if (!running) throw new Error('a row');
	life.runs.set(running, 'done');
	expect(now()).toEqual(after);
});

test('R5 no more than so many wait for their turn; what comes beyond says that the queue was full', async () => {
	const { life, id } = await begun({ kind: 'every', seconds: 60, anchor: 0 });
	life.runs.atOnce = undefined;
	await life.pass(23 * MINUTE);
	const states = life.rows(id).map(({ state, why }) => why ?? state);
	expect(states).toEqual(['running', ...Array(20).fill('queued'), 'queue_full', 'queue_full']);
});
