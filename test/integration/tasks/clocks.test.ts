import { expect, test } from 'vitest';
import { temporaryStateDb } from '../../support/sessions.ts';
import { Machine, scheduled } from '../../support/task-lives.ts';
import { tasksLife } from '../../support/tasks.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const at = (text: string): number => Date.parse(text);

const HOURLY = { kind: 'cron', expression: '0 * * * *', zone: 'UTC' } as const;
const AT_NINE = { kind: 'cron', expression: '0 9 * * *' } as const;

async function begun(
	timing: Parameters<typeof scheduled>[0],
	start: string,
	given: { zone?: string; more?: Record<string, unknown> } = {},
) {
	const db = temporaryStateDb();
	const machine = new Machine(at(start));
	const life = await tasksLife(db, machine, { atOnce: 'done', ...given });
	const id = await life.add(scheduled(timing, given.more));
	const slots = () => life.rows(id).map(({ slot, state, why }) => `${new Date(slot).toISOString().slice(5, 16)} ${why ?? state}`);
	return { db, machine, life, id, slots };
}

test('R5 the clock is set back an hour: what ran does not run again, and what comes next comes once', async () => {
	const { machine, life, slots } = await begun(HOURLY, '2026-06-01T09:50Z');
	await life.pass(15 * MINUTE);
	expect(slots()).toEqual(['06-01T10:00 done']);
	machine.set(-HOUR);
	await life.pass(2 * HOUR);
	expect(slots()).toEqual(['06-01T10:00 done', '06-01T11:00 done']);
	expect(life.runs.all()).toHaveLength(2);
});

test('R5 the clock is set forward: what it jumped over is missed for that reason, or caught up', async () => {
	const { machine, life, slots } = await begun(HOURLY, '2026-06-01T09:50Z', { more: { missed: { kind: 'skip' } } });
	machine.set(3 * HOUR);
	await life.settle();
	expect(slots()).toEqual(['06-01T10:00 clock', '06-01T11:00 clock', '06-01T12:00 clock']);
	expect(life.runs.all()).toEqual([]);
});

test('R5 a clock that was years ahead and is set right: what it passed over comes in its time after all', async () => {
	const { machine, life, id, slots } = await begun(HOURLY, '2026-06-01T09:50Z', { more: { missed: { kind: 'skip' } } });
	machine.set(400 * DAY);
	await life.settle();
	expect(slots()).toHaveLength(51);
	machine.set(-400 * DAY);
	await life.settle();
	await life.pass(70 * MINUTE);
	expect(slots()).toEqual(['06-01T10:00 done', '06-01T11:00 done']);
	expect(life.view(id).state).toBe('scheduled');
});

test('R5 set back while Hearth was closed: none twice, none lost', async () => {
	const { db, machine, life, id } = await begun(HOURLY, '2026-06-01T09:50Z');
	await life.pass(15 * MINUTE);
	await life.close();
	machine.set(-2 * HOUR);
	const next = await tasksLife(db, machine, { atOnce: 'done' });
	await next.settle();
	expect(next.view(id).next?.at).toBe(at('2026-06-01T09:00Z'));
	await next.pass(3 * HOUR);
	expect(next.rows(id).map(({ slot }) => new Date(slot).getUTCHours())).toEqual([9, 10, 11]);
	expect(next.runs.all()).toHaveLength(3);
});

test('R5 a clock that was decades back for a while, and is set right: what came before the task was made is no slot of it', async () => {
	const { machine, life, slots } = await begun({ kind: 'every', seconds: 60, anchor: 0 }, '2026-06-01T09:50Z');
	await life.pass(2 * MINUTE);
	const back = machine.at - 1_000;
	machine.set(-back);
	await life.settle();
	await life.pass(2 * MINUTE);
	machine.set(back);
	await life.settle();
	expect(slots()).toEqual(['01-01T00:01 done', '01-01T00:02 done', ...[51, 52, 53, 54].map((minute) => `06-01T09:${minute} done`)]);
	expect(life.runs.all()).toHaveLength(6);
});

test('R5 Hearth starts with a clock that is days ahead: what it took for missed while it was closed comes in its time once that is set right', async () => {
	const given = { more: { missed: { kind: 'once', withinHours: 12 } } };
	const { db, machine, life, slots } = await begun({ kind: 'cron', expression: '0 */6 * * *', zone: 'UTC' }, '2026-06-01T09:50Z', given);
	await life.close();
	machine.set(2 * DAY);
	const ahead = await tasksLife(db, machine, { atOnce: 'done' });
	await ahead.settle();
	expect(slots()).toHaveLength(8);
	machine.set(-2 * DAY);
	await ahead.settle();
	await ahead.pass(9 * HOUR);
	// The newest had run already, by the clock as it was.
	expect(slots()).toEqual(['06-01T12:00 done', '06-01T18:00 done', '06-03T06:00 done']);
	expect(ahead.runs.all()).toHaveLength(3);
});

test('R5 a one-off that the clock had jumped over is to come again once it is set right', async () => {
	const { machine, life, id, slots } = await begun({ kind: 'at', local: '2026-06-03T09:00', zone: 'UTC' }, '2026-06-01T09:50Z', {
		more: { missed: { kind: 'skip' } },
	});
	machine.set(30 * DAY);
	await life.settle();
	expect(life.view(id).state).toBe('missed');
	machine.set(-30 * DAY);
	await life.settle();
	expect(life.view(id)).toMatchObject({ state: 'scheduled', next: { at: at('2026-06-03T09:00Z') } });
	expect(slots()).toEqual([]);
});

test('R5 the owner flies west: what came in the morning does not come again that day', async () => {
	const { machine, life, id, slots } = await begun(AT_NINE, '2026-06-01T06:50Z', { zone: 'Europe/Berlin' });
	await life.pass(15 * MINUTE);
	expect(slots()).toEqual(['06-01T07:00 done']);
	machine.sleep(9 * HOUR);
	life.work.noticed({ what: 'clock', zone: 'America/New_York' });
	await life.settle();
	expect(slots()).toEqual(['06-01T07:00 done']);
	expect(life.view(id)).toMatchObject({ zone: 'America/New_York', next: { at: at('2026-06-02T13:00Z') } });
});

test('R5 the owner flies east over the time: it comes at once, as its clock on the wall was set past it', async () => {
	const { life, id } = await begun(AT_NINE, '2026-06-01T09:50Z', { zone: 'America/New_York' });
	life.work.noticed({ what: 'clock', zone: 'Europe/Berlin' });
	await life.settle();
	expect(life.rows(id)).toMatchObject([{ slot: at('2026-06-01T07:00Z'), state: 'done', note: 'Late: the clock was set past it.' }]);
	expect(life.view(id).next?.at).toBe(at('2026-06-02T07:00Z'));
});

test('R5 times with a zone of their own, and what recurs within the day, do not care where the owner is', async () => {
	const { life } = await begun(HOURLY, '2026-06-01T09:50Z', { zone: 'Europe/Berlin' });
	const fixed = await life.add(scheduled({ ...AT_NINE, zone: 'Asia/Kolkata' }));
	const often = await life.add(scheduled({ kind: 'cron', expression: '*/30 * * * *' }));
	life.work.noticed({ what: 'clock', zone: 'Asia/Tokyo' });
	await life.pass(15 * MINUTE);
	expect(life.view(fixed).next?.at).toBe(at('2026-06-02T03:30Z'));
	expect(life.rows(often).map(({ slot }) => slot)).toEqual([at('2026-06-01T10:00Z')]);
});

test('R5 the zone changed while Hearth was closed: the next start finds it', async () => {
	const { db, machine, life, id } = await begun(AT_NINE, '2026-06-01T06:50Z', { zone: 'Europe/Berlin' });
	await life.pass(15 * MINUTE);
	await life.close();
	machine.sleep(10 * HOUR);
	const next = await tasksLife(db, machine, { zone: 'America/New_York', atOnce: 'done' });
	await next.settle();
	expect(next.rows(id)).toHaveLength(1);
	expect(next.view(id).next?.at).toBe(at('2026-06-02T13:00Z'));
});

test('R5 while all is paused nothing runs; afterwards each row says that it was', async () => {
	const { machine, life, id, slots } = await begun(HOURLY, '2026-06-01T09:50Z');
	life.work.pauseAll();
	await life.pass(2.5 * HOUR);
	expect(slots()).toEqual([]);
	expect(life.view(id)).toMatchObject({ state: 'overdue' });
	expect(life.view(id).next).toBeUndefined();
	expect(life.status().next).toBeUndefined();
	expect(() => life.tasks.run(id)).toThrow(/paused/);
	life.work.resumeAll();
	await life.settle();
	expect(slots()).toEqual(['06-01T10:00 many', '06-01T11:00 many', '06-01T12:00 done']);
	expect(life.rows(id).map(({ note }) => note)).toEqual([
		'Everything was paused. A newer run stands for it.',
		'Everything was paused. A newer run stands for it.',
		'Late: everything was paused.',
	]);
	expect(machine.at).toBe(at('2026-06-01T12:20Z'));
});

test('R5 outside of the active hours it waits for them, and says so; what the owner lets run keeps to none', async () => {
	const { life, id, slots } = await begun(HOURLY, '2026-06-01T09:50Z', { zone: 'UTC' });
	life.settings = { ...life.settings, activeHours: { from: '11:30', to: '22:00' } };
	await life.pass(30 * MINUTE);
	expect(slots()).toEqual([]);
	const own = life.tasks.run(id);
	await life.settle();
	expect(life.rows(id)).toMatchObject([{ id: own, by: 'owner', state: 'done' }]);
	await life.pass(HOUR + 15 * MINUTE);
	expect(life.rows(id).filter(({ by }) => by === 'schedule')).toMatchObject([
		{ state: 'missed', why: 'many', note: 'It was outside of the active hours. A newer run stands for it.' },
		{ state: 'done', note: 'Late: it was outside of the active hours.' },
	]);
});

test('R5 while the budget is used up nothing runs; afterwards the rows say that it was', async () => {
	const { life, slots } = await begun(HOURLY, '2026-06-01T21:50Z', { zone: 'UTC', more: { missed: { kind: 'skip' } } });
	life.settings = { ...life.settings, budgets: { ...life.settings.budgets, task: { tokens: 100, costUsd: null } } };
	life.work.meter.used('task', { inputTokens: 100, outputTokens: 1 });
	await life.pass(2.5 * HOUR);
	expect(slots()).toEqual(['06-01T22:00 budget_used', '06-01T23:00 budget_used', '06-02T00:00 done']);
});

test('R5 set back over a slot that ran, then asleep so long that the oldest stand as one: it is not among them, and none is lost', async () => {
	const { machine, life, id } = await begun({ kind: 'every', seconds: 420, anchor: 0 }, '2026-03-28T20:00Z', {
		more: { missed: { kind: 'skip' } },
	});
	machine.sleep(MINUTE);
	await life.settle();
	machine.set(-MINUTE);
	await life.settle();
	machine.sleep(358 * MINUTE);
	await life.settle();
	const [ran, older, ...rest] = life.rows(id);
	expect(ran).toMatchObject({ slot: at('2026-03-28T20:01Z'), state: 'done' });
	expect(older).toMatchObject({ slot: at('2026-03-28T20:08Z'), state: 'missed', count: 1 });
	expect(rest).toHaveLength(50);
});

test.each([
	{ missed: { kind: 'once', withinHours: 12 }, runs: 1 },
	{ missed: { kind: 'every', most: 3 }, runs: 3 },
	{ missed: { kind: 'skip' }, runs: 0 },
])(
	'R5 set back, then asleep up to slots that have their rows: of those between none is lost, by the policy $missed.kind',
	async (given) => {
		const minutely = { kind: 'every', seconds: 60, anchor: 0 } as const;
		const { machine, life, id } = await begun(minutely, '2026-06-03T00:00:30Z', { more: { missed: given.missed } });
		await life.pass(70 * MINUTE);
		machine.set(-(5 * HOUR + 70 * MINUTE));
		await life.settle();
		const ran = life.rows(id).filter(({ state }) => state === 'done').length;
		machine.sleep(5 * HOUR + 70 * MINUTE + 20_000);
		await life.settle();
		await expect.poll(() => life.rows(id).some(({ state }) => state === 'queued' || state === 'running')).toBe(false);
		const rows = life.rows(id);
		expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(6 * 60 + 10);
		expect(rows.filter(({ state }) => state === 'done')).toHaveLength(ran + given.runs);
	},
);
