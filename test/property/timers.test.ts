import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RunKind } from '../../src/domain/run.ts';
import { type Limit, SPENDING_KINDS, type SpendingKind, type Spent } from '../../src/domain/spending.ts';
import { nextDue } from '../../src/timer/due.ts';
import { holdOnRuns, holdOnTimers, type Situation, usedUpFor } from '../../src/timer/holds.ts';
import { temporaryStateDb } from '../support/sessions.ts';
import { NO_RULES, setClock, timersLife } from '../support/timers.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const START = Date.UTC(2026, 5, 1, 9);

const works = fc.constantFrom<RunKind>('chat', 'child', 'workflow');
const minutes = (from: number, to: number) => fc.integer({ min: from, max: to }).map((count) => count * MINUTE);
const acts = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ act: fc.constant('set' as const), in: minutes(-30, 300), work: works }) },
	{ weight: 1, arbitrary: fc.record({ act: fc.constant('clear' as const), nth: fc.nat(20) }) },
	{ weight: 4, arbitrary: fc.record({ act: fc.constant('pass' as const), ms: minutes(0, 180) }) },
	{ weight: 2, arbitrary: fc.record({ act: fc.constant('jump' as const), ms: minutes(-120, 120) }) },
	{ weight: 1, arbitrary: fc.constant({ act: 'pause' as const }) },
	{ weight: 1, arbitrary: fc.constant({ act: 'resume' as const }) },
	{ weight: 1, arbitrary: fc.constant({ act: 'restart' as const }) },
);

test('dur-6 whatever the clock does and however often all is paused or Hearth restarts: each slot is told once, in order, never before its time', () => {
	const db = temporaryStateDb();
	const hours = { ...NO_RULES, activeHours: { from: '08:00', to: '20:00' } };
	fc.assert(
		fc.property(fc.array(acts, { maxLength: 40 }), (script) => {
			db.write((tx) => tx.exec('DELETE FROM timers; DELETE FROM switches'));
			const clock = setClock(START);
			const set = new Map<string, { dueAt: number; work: RunKind }>();
			const everTold = new Set<string>();
			let paused = false;
			const start = () => {
				const next = timersLife(db, clock, { rules: hours });
				next.background.timers.start();
				return next;
			};
			let life = start();
			const check = () => {
				life.background.timers.look();
				const told = life.told.splice(0);
				const due = told.map((ref) => set.get(ref)?.dueAt ?? Number.NaN);
				expect(due).toEqual(due.toSorted((a, b) => a - b));
				for (const ref of told) {
					expect(everTold.has(ref)).toBe(false);
					everTold.add(ref);
					expect(set.get(ref)?.dueAt).toBeLessThanOrEqual(clock.at);
					set.delete(ref);
				}
				const hour = new Date(clock.at).getUTCHours();
				const active = hour >= 8 && hour < 20;
				const left = [...set.values()].filter(({ dueAt, work }) => dueAt <= clock.at && !paused && (active || work === 'chat'));
				expect(left).toEqual([]);
				if (paused) expect(told).toEqual([]);
			};
			script.forEach((step, index) => {
				switch (step.act) {
					case 'set': {
						const timer = { dueAt: clock.at + step.in, work: step.work };
						set.set(String(index), timer);
						db.write((tx) => life.background.timers.set(tx, { kind: 'test', ref: String(index), ...timer }));
						break;
					}
					case 'clear': {
						const ref = [...set.keys()][step.nth];
						if (ref === undefined) break;
						set.delete(ref);
						db.write((tx) => life.background.timers.clear(tx, 'test', ref));
						break;
					}
					case 'pass':
					case 'jump':
						clock.at += step.ms;
						break;
					case 'restart': {
						const { told, background } = life;
						background.close();
						life = start();
						life.told.unshift(...told);
						break;
					}
					default:
						paused = step.act === 'pause';
						if (paused) life.background.pauseAll();
						else life.background.resumeAll();
				}
				check();
			});
			life.background.close();
		}),
		{ numRuns: 60 },
	);
});

const limits = fc.record<Limit>({
	tokens: fc.option(fc.integer({ min: 1, max: 1000 }), { nil: null }),
	costUsd: fc.option(fc.double({ min: 0.01, max: 10, noNaN: true }), { nil: null }),
});
const spent = fc.record<Spent>({
	tokens: fc.nat(2000),
	costUsd: fc.double({ min: 0, max: 20, noNaN: true }),
	unpricedTokens: fc.nat(2000),
	estimatedTokens: fc.nat(2000),
});
const situations = fc.record<Situation>({
	now: fc.integer({ min: START, max: START + 10 * DAY }),
	zone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York'),
	paused: fc.boolean(),
	rules: fc.record({
		activeHours: fc.constantFrom(null, { from: '08:00', to: '22:00' }, { from: '20:00', to: '02:00' }),
		budgets: fc.record({ unattended: limits, chat: limits, heartbeat: limits, task: limits, workflow: limits }),
	}),
	spent: fc.uniqueArray(fc.tuple(fc.constantFrom(...SPENDING_KINDS), spent), { selector: ([kind]) => kind }).map((kinds) => new Map(kinds)),
});

test('what is held until a time may go on then, unless something else holds it; chats are never held', () => {
	fc.assert(
		fc.property(situations, (situation) => {
			expect(holdOnRuns('chat', situation)).toBeUndefined();
			expect(holdOnTimers('chat', situation)?.why).toBe(situation.paused ? 'paused' : undefined);
			const hold = holdOnRuns('workflow', situation);
			expect(hold?.why === 'paused').toBe(situation.paused);
			if (!hold || hold.why === 'paused') return;
			expect(hold.until).toBeGreaterThan(situation.now);
			const later = { ...situation, now: hold.until, spent: hold.why === 'budget_used' ? new Map() : situation.spent };
			expect(holdOnRuns('workflow', later)?.why).not.toBe(hold.why);
		}),
		{ numRuns: 300 },
	);
});

test('a limit is reached when all of it is used; what has no limit never is', () => {
	fc.assert(
		fc.property(situations, ({ spent: used, rules }) => {
			const reached = (kinds: readonly SpendingKind[], limit: Limit): boolean => {
				const sum = (part: 'tokens' | 'costUsd'): number => kinds.reduce((all, kind) => all + (used.get(kind)?.[part] ?? 0), 0);
				return sum('tokens') >= (limit.tokens ?? Number.POSITIVE_INFINITY) || sum('costUsd') >= (limit.costUsd ?? Number.POSITIVE_INFINITY);
			};
			for (const kind of ['chat', 'heartbeat', 'task', 'workflow'] as const) {
				const own = reached([kind], rules.budgets[kind]);
				const all = kind !== 'chat' && reached(['heartbeat', 'task', 'workflow'], rules.budgets.unattended);
				expect(usedUpFor(kind, { spent: used, rules })).toBe(own ? kind : all ? 'unattended' : undefined);
				expect(usedUpFor(kind, { spent: used, rules: NO_RULES })).toBeUndefined();
			}
		}),
	);
});

test('the next look is never in the past, nor before anything is due', () => {
	fc.assert(
		fc.property(situations, fc.dictionary(works, fc.integer({ min: START - DAY, max: START + 20 * DAY })), (situation, slots) => {
			const earliest = new Map(Object.entries(slots) as [RunKind, number][]);
			const next = nextDue(earliest, situation);
			if (situation.paused || earliest.size === 0) expect(next).toBeUndefined();
			else expect(next).toBeGreaterThanOrEqual(Math.max(situation.now, Math.min(...earliest.values())));
		}),
	);
});
