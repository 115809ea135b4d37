import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { SPENDING_DAYS } from '../../../src/contract/methods/spending.ts';
import { all, sql } from '../../../src/db/sql.ts';
import type { SpendingKind } from '../../../src/domain/spending.ts';
import { clearTimers, countTimers, setTimer } from '../../../src/timer/timer-store.ts';
import { budgetsWith } from '../../support/budgets.ts';
import { programOf } from '../../support/program.ts';
import { fillDisk, freeDisk } from '../../support/run/disk.ts';
import { temporaryFolder, temporaryStateDb } from '../../support/sessions.ts';
import { NO_RULES, setClock, timersLife } from '../../support/timers.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NINE = Date.UTC(2026, 5, 1, 9);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(4, '0'));
const slot = (ref: string, dueAt: number, work: 'chat' | 'workflow' = 'chat') => ({ kind: 'test', ref, dueAt, work });

test('R3 two processes on one database: each slot is claimed by one of them', async () => {
	const folder = temporaryFolder();
	const db = temporaryStateDb(folder);
	db.write((tx) => {
		for (const ref of numbers(600)) setTimer(tx, slot(ref, 1), 1);
	});
	const script = programOf(fileURLToPath(new URL('../../support/timers-child.ts', import.meta.url)));
	const children = [1, 2].map(() => {
		const child = spawn(process.execPath, ['--no-warnings', script, join(folder, 'state.db')], { stdio: ['pipe', 'pipe', 'inherit'] });
		onTestFinished(() => void child.kill());
		return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
	});
	for (const { lines } of children) expect((await lines.next()).value).toBe('ready');
	for (const { child } of children) child.stdin.write('go');
	const claimed = await Promise.all(children.map(async ({ lines }) => JSON.parse((await lines.next()).value ?? '') as string[]));
	expect(claimed.flat().toSorted()).toEqual(numbers(600));
	await Promise.all(children.map(({ child }) => child.exitCode ?? once(child, 'exit')));
});

test('R3 a thousand slots that came due while Hearth was closed are told once each, in order', async () => {
	const db = temporaryStateDb();
	const refs = numbers(1000);
	db.write((tx) => {
		for (const ref of refs.toReversed()) setTimer(tx, slot(ref, 1000 + Number(ref)), 1);
	});
	const first = timersLife(db, systemClock);
	first.background.timers.start();
	await expect.poll(() => first.told.length).toBe(1000);
	expect(first.told).toEqual(refs);
	expect(countTimers(db.read)).toBe(0);
	first.background.close();
	const second = timersLife(db, systemClock);
	second.background.timers.start();
	expect(second.told).toEqual([]);
});

test('R3 slots whose work takes long leave the process time between them, and none is lost or told out of order', async () => {
	const db = temporaryStateDb();
	const refs = numbers(50);
	db.write((tx) => {
		for (const ref of refs) setTimer(tx, slot(ref, 1000 + Number(ref)), 1);
	});
	let worked = 0;
	let turn = 0;
	let longest = 0;
	const life = timersLife(db, setClock(10_000), {
		monotonic: () => worked,
		listener: (ref) => {
			life.told.push(ref);
			worked += 4;
			turn += 1;
			longest = Math.max(longest, turn);
			setImmediate(() => {
				turn = 0;
			});
		},
	});
	life.background.timers.start();
	await expect.poll(() => life.told.length).toBe(50);
	expect(life.told).toEqual(refs);
	expect(longest).toBe(4);
	expect(countTimers(db.read)).toBe(0);
});

test('R3 a slot is told by itself when its time comes, and only what was claimed without effect is told again at the next start', async () => {
	const db = temporaryStateDb();
	const first = timersLife(db, systemClock, {
		listener: (ref) => {
			first.told.push(ref);
			if (ref === 'fails') throw new Error('a defect');
		},
	});
	first.background.timers.start();
	const soon = Date.now() + 50;
	db.write((tx) => {
		first.background.timers.set(tx, slot('fails', soon));
		first.background.timers.set(tx, slot('works', soon));
		first.background.timers.set(tx, slot('works', soon));
	});
	await expect.poll(() => first.told).toEqual(['fails', 'works']);
	first.background.close();
	const second = timersLife(db, systemClock);
	second.background.timers.start();
	expect(second.told).toEqual(['fails']);
	expect(countTimers(db.read)).toBe(0);
});

test('dur-6 the clock jumps back two hours: nothing is told before its time on the wall, and nothing twice', () => {
	const db = temporaryStateDb();
	const clock = setClock(NINE);
	const { background, told } = timersLife(db, clock);
	background.timers.start();
	db.write((tx) => {
		background.timers.set(tx, slot('at nine', NINE));
		background.timers.set(tx, slot('at eleven', NINE + 2 * HOUR));
		background.timers.set(tx, slot('at ten', NINE + HOUR));
	});
	background.timers.look();
	expect(told).toEqual(['at nine']);
	clock.at = NINE - 2 * HOUR;
	background.rulesChanged();
	expect(told).toEqual(['at nine']);
	clock.at = NINE + 3 * HOUR;
	background.rulesChanged();
	expect(told).toEqual(['at nine', 'at ten', 'at eleven']);
});

test('R3 Pause all outlives a restart; what became due meanwhile is told once, in order, when it ends', () => {
	const db = temporaryStateDb();
	const clock = setClock(NINE);
	const first = timersLife(db, clock);
	first.background.timers.start();
	db.write((tx) => {
		first.background.timers.set(tx, slot('second', NINE + 2));
		first.background.timers.set(tx, slot('first', NINE + 1, 'workflow'));
	});
	expect(first.background.pauseAll()).toMatchObject({ paused: true, pausedAt: NINE, timers: 2 });
	clock.at += HOUR;
	expect(first.background.pauseAll().pausedAt).toBe(NINE);
	expect(first.background.status().nextDueAt).toBeUndefined();
	expect([first.background.mayGoOn('chat'), first.background.mayGoOn('workflow')]).toEqual([true, false]);
	first.background.close();

	const second = timersLife(db, clock);
	second.background.timers.start();
	expect(second.background.mayGoOn('workflow')).toBe(false);
	expect([...first.told, ...second.told]).toEqual([]);
	expect(second.background.resumeAll()).toMatchObject({ paused: false, timers: 0 });
	expect(second.told).toEqual(['first', 'second']);
	expect(second.freed).toBe(1);
	expect(second.background.mayGoOn('workflow')).toBe(true);
});

test('outside the active hours only chats are told; a workflow’s slot waits for the window and is told then', () => {
	const db = temporaryStateDb();
	const clock = setClock(Date.UTC(2026, 5, 1, 21));
	const life = timersLife(db, clock, { rules: { ...NO_RULES, activeHours: { from: '08:00', to: '22:00' } }, zone: 'Europe/Berlin' });
	const { background, told } = life;
	background.timers.start();
	const eight = Date.UTC(2026, 5, 2, 6);
	db.write((tx) => {
		background.timers.set(tx, slot('workflow', clock.at, 'workflow'));
		background.timers.set(tx, slot('chat', clock.at + 1));
	});
	clock.at += HOUR;
	background.timers.look();
	expect(told).toEqual(['chat']);
	expect(background.mayGoOn('workflow')).toBe(false);
	expect(background.status()).toMatchObject({ paused: false, held: { why: 'active_hours', until: eight }, nextDueAt: eight });
	clock.at = eight - 1;
	background.timers.look();
	expect([told.length, life.freed]).toEqual([1, 0]);
	clock.at = eight;
	background.timers.look();
	expect(told).toEqual(['chat', 'workflow']);
	expect(life.freed).toBe(1);
});

test('over the day’s budget work of its own waits for the next day of the owner, or for a higher limit; chats are not counted', () => {
	const db = temporaryStateDb();
	const clock = setClock(Date.UTC(2026, 9, 25, 9));
	const life = timersLife(db, clock, {
		rules: { ...NO_RULES, budgets: budgetsWith({ unattended: { tokens: 1000, costUsd: 1 } }) },
		zone: 'Europe/Berlin',
	});
	const { background } = life;
	background.timers.start();
	const spend = (work: 'chat' | 'workflow', inputTokens: number, costUsd?: number) =>
		db.write((tx) => background.spend(tx, work, { inputTokens, outputTokens: 50, costUsd }, clock.at));
	spend('chat', 9000, 5);
	spend('workflow', 849);
	expect(background.mayGoOn('workflow')).toBe(true);
	spend('workflow', 51, 0.25);
	expect(background.mayGoOn('workflow')).toBe(false);
	// The day has 25 hours there.
	const midnight = Date.UTC(2026, 9, 25, 23);
	expect(background.status().held).toMatchObject({ why: 'budget_used', until: midnight });
	expect(background.spending(1)).toMatchObject({
		dayEndsAt: midnight,
		days: [
			{
				day: '2026-10-25',
				kinds: [
					{ kind: 'chat', inputTokens: 9000, outputTokens: 50, costUsd: 5 },
					{ kind: 'workflow', inputTokens: 900, outputTokens: 100, costUsd: 0.25 },
				],
			},
		],
	});
	life.rules = { ...life.rules, budgets: budgetsWith({ unattended: { tokens: 1001, costUsd: 1 } }) };
	background.rulesChanged();
	expect([life.freed, background.mayGoOn('workflow')]).toEqual([1, true]);
	spend('workflow', 0, 1);
	expect(background.mayGoOn('workflow')).toBe(false);
	clock.at = midnight;
	background.timers.look();
	expect([life.freed, background.mayGoOn('workflow')]).toEqual([2, true]);
	expect(background.status().held).toBeUndefined();
});

test('a budget of one kind holds that kind alone until the owner’s next day, and each that is held goes on when its own is raised', () => {
	const db = temporaryStateDb();
	const clock = setClock(Date.UTC(2026, 5, 1, 9));
	const budgets = { heartbeat: { tokens: 100 }, task: { costUsd: 1 }, chat: { tokens: 10 } };
	const life = timersLife(db, clock, { rules: { ...NO_RULES, budgets: budgetsWith(budgets) }, zone: 'Asia/Kolkata' });
	const { background } = life;
	background.timers.start();
	db.write((tx) => background.timers.set(tx, { kind: 'test', ref: 'look', dueAt: clock.at, work: 'heartbeat' }));
	db.write((tx) => background.spend(tx, 'heartbeat', { inputTokens: 60, outputTokens: 40 }, clock.at));
	db.write((tx) => background.spend(tx, 'task', { inputTokens: 60, outputTokens: 40, costUsd: 1 }, clock.at));
	const until = Date.UTC(2026, 5, 1, 18, 30);
	expect(background.holdOn('heartbeat')).toEqual({ why: 'budget_used', budget: 'heartbeat', until });
	expect(background.holdOn('task')).toEqual({ why: 'budget_used', budget: 'task', until });
	expect([background.mayGoOn('workflow'), background.mayGoOn('chat'), background.usedUp('chat')]).toEqual([true, true, undefined]);
	background.timers.look();
	expect(life.told).toEqual([]);
	expect(background.status().held).toBeUndefined();
	// A cost that nobody knows fills no budget of money.
	db.write((tx) => background.spend(tx, 'chat', { inputTokens: 6, outputTokens: 4, unpricedTokens: 10 }, clock.at));
	expect(background.usedUp('chat')).toMatchObject({ budget: 'chat', tokens: 10, costUsd: 0, unpricedTokens: 10, until });
	expect(background.mayGoOn('chat')).toBe(true);
	life.rules = { ...NO_RULES, budgets: budgetsWith({ ...budgets, task: { costUsd: 1.01 } }) };
	background.rulesChanged();
	expect([life.freed, background.mayGoOn('task'), background.mayGoOn('heartbeat')]).toEqual([1, true, false]);
	clock.at = until;
	background.timers.look();
	expect([life.freed, life.told]).toEqual([2, ['look']]);
	expect(background.status().budgets.every((budget) => budget.until === undefined && budget.tokens === 0)).toBe(true);
});

test('what was used is kept for 400 days, by day and kind, newest first', () => {
	const db = temporaryStateDb();
	const clock = setClock(Date.UTC(2026, 2, 1, 12));
	const { background } = timersLife(db, clock, { zone: 'UTC' });
	const use = (kind: SpendingKind, days: number) =>
		db.write((tx) => background.spend(tx, kind, { inputTokens: 2, outputTokens: 1, estimatedTokens: 3 }, clock.at + days * DAY));
	for (const days of [0, 1, 2, 399, 400]) use('task', days);
	use('chat', 400);
	clock.at += 400 * DAY;
	const { from, days } = background.spending(SPENDING_DAYS);
	expect([from, days.map(({ day }) => day)]).toEqual(['2026-03-02', ['2027-04-05', '2027-04-04', '2026-03-03', '2026-03-02']]);
	expect(days[0]?.kinds.map(({ kind, estimatedTokens }) => [kind, estimatedTokens])).toEqual([
		['chat', 3],
		['task', 3],
	]);
	expect(background.spending(1).days.map(({ day }) => day)).toEqual(['2027-04-05']);
	expect(all(db.read, sql`SELECT day FROM spending WHERE day < '2026-03-02'`)).toEqual([]);
});

test('dur-2 on a full disk no slot is thrown away: it is told as soon as there is room', async () => {
	const db = temporaryStateDb();
	const life = timersLife(db, systemClock, {
		listener: (ref) => {
			// What it does needs room, too.
			db.write((tx) => tx.exec('INSERT INTO filler VALUES (zeroblob(100000))'));
			life.told.push(ref);
		},
	});
	const rows = (): number => countTimers(db.read);
	db.write((tx) => {
		for (const ref of numbers(3)) setTimer(tx, slot(ref, 1), 1);
		tx.exec('CREATE TABLE filler (bytes BLOB)');
	});
	fillDisk(db);
	life.background.timers.start();
	expect([life.told, rows()]).toEqual([[], 3]);
	freeDisk(db);
	await expect.poll(() => life.told).toEqual(numbers(3));
	expect(rows()).toBe(0);
});

test('R3 a slot whose effect takes long stays until that is done: cut off before, it is told again at the next start', async () => {
	const db = temporaryStateDb();
	const waiting = new Map<string, () => void>();
	const first = timersLife(db, systemClock, {
		listener: (ref) => {
			first.told.push(ref);
			return new Promise((resolve) => void waiting.set(ref, resolve));
		},
	});
	db.write((tx) => {
		for (const ref of ['a', 'b']) setTimer(tx, slot(ref, 1), 1);
	});
	first.background.timers.start();
	// A look hands over after some milliseconds, and goes on at its next turn.
	await expect.poll(() => [first.told, countTimers(db.read)]).toEqual([['a', 'b'], 2]);
	waiting.get('b')?.();
	await expect.poll(() => countTimers(db.read)).toBe(1);
	first.background.close();
	waiting.get('a')?.();
	const second = timersLife(db, systemClock);
	second.background.timers.start();
	expect(second.told).toEqual(['a']);
	expect(countTimers(db.read)).toBe(0);
});

test('a slot that is cleared by what was told before it is not told', async () => {
	const db = temporaryStateDb();
	const life = timersLife(db, systemClock, {
		listener: (ref) => {
			life.told.push(ref);
			db.write((tx) => clearTimers(tx, 'test', 'b'));
		},
	});
	db.write((tx) => {
		for (const ref of ['a', 'b', 'c']) setTimer(tx, slot(ref, 1), 1);
	});
	life.background.timers.start();
	await expect.poll(() => life.told).toEqual(['a', 'c']);
	expect(countTimers(db.read)).toBe(0);
});
