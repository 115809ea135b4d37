import { describe, expect, test } from 'vitest';
import { draftOf, emptyDraft, isElsewhere, typedPlace } from '../../../renderer/settings/background/sources/place-draft.ts';
import { NOTHING_TOLD, noticeOf, type Told } from '../../../renderer/shell/findings-notice.ts';
import { backgroundLine, backgroundState } from '../../../src/contract/background-state.ts';
import type { HeartbeatStatus } from '../../../src/contract/methods/heartbeat.ts';
import type { WorkStatus } from '../../../src/contract/methods/runs.ts';
import { createStrings } from '../../../src/contract/strings/index.ts';
import { type BudgetName, NOTHING_SPENT } from '../../../src/domain/spending.ts';

const NOON = new Date(2026, 10, 30, 12).getTime();
const DAY = 86_400_000;
const TODAY: Told = { day: '2026-11-30', standing: false };

describe('bg-4 what is told after a look', () => {
	test('one notification for a look that found something, and none while the last one stands unopened', () => {
		const digest = { waiting: 5, oldestAt: NOON - 1_000 };
		expect(noticeOf(3, digest, TODAY, NOON)).toEqual({ waiting: 5, found: 3 });
		expect(noticeOf(3, digest, { ...TODAY, standing: true }, NOON)).toBeUndefined();
		expect(noticeOf(0, digest, TODAY, NOON)).toBeUndefined();
	});

	test('the first of a day says for how long the oldest has waited, also where nothing new was found and one still stands', () => {
		const digest = { waiting: 70, oldestAt: NOON - 56 * DAY };
		const yesterday: Told = { day: '2026-11-29', standing: true };
		expect(noticeOf(0, digest, yesterday, NOON)).toEqual({ waiting: 70, found: 0, days: 56 });
		expect(noticeOf(2, digest, NOTHING_TOLD, NOON)).toEqual({ waiting: 70, found: 2, days: 56 });
		expect(noticeOf(0, digest, { ...TODAY, standing: true }, NOON)).toBeUndefined();
	});

	test('nothing is told where nothing waits, and no digest of what came today', () => {
		expect(noticeOf(0, { waiting: 0 }, NOTHING_TOLD, NOON)).toBeUndefined();
		expect(noticeOf(0, { waiting: 2, oldestAt: NOON - 1_000 }, NOTHING_TOLD, NOON)).toBeUndefined();
		expect(noticeOf(2, { waiting: 2, oldestAt: NOON - 1_000 }, NOTHING_TOLD, NOON)).toEqual({ waiting: 2, found: 2 });
	});
});

const WORK: WorkStatus = { paused: false, timers: 0, budgets: [] };
const STATUS: HeartbeatStatus = {
	on: true,
	consents: [],
	model: { name: 'Built-in responder', builtIn: true },
	file: '/home/you/.hearth/profiles/default/HEARTBEAT.md',
	interests: [{ text: 'Releases', leavesOut: false }],
	digest: { waiting: 0, snoozed: 0, urgent: 0, bySource: [] },
};

test('how background work stands is one word, the one that matters most to the owner', () => {
	const kind = (work: Partial<WorkStatus>, status: Partial<HeartbeatStatus> | undefined) => {
		const state = backgroundState({ ...WORK, ...work }, status && { ...STATUS, ...status });
		return [state.kind, backgroundLine(state)];
	};
	const problem = { message: 'The key was refused.', at: NOON };
	expect(kind({ paused: true, pausedAt: NOON }, { held: 'stopped', problem })).toEqual(['paused', 'paused']);
	expect(kind({}, { held: 'stopped', problem })).toEqual(['stopped', 'stopped']);
	expect(kind({ held: { why: 'active_hours', until: NOON } }, { on: false })).toEqual(['active_hours', 'held']);
	const used = (budget: BudgetName) => [{ budget, ...NOTHING_SPENT, limit: { tokens: 1, costUsd: null }, until: NOON }];
	expect(kind({ held: { why: 'budget_used', until: NOON }, budgets: used('unattended') }, { held: 'budget_used' })).toEqual([
		'budget_used',
		'held',
	]);
	expect(kind({ budgets: used('heartbeat') }, { held: 'budget_used' })).toEqual(['budget_used', 'held']);
	expect(backgroundState({ ...WORK, budgets: used('task') }, undefined)).toEqual({ kind: 'budget_used', budget: 'task', at: NOON });
	expect(kind({ budgets: used('workflow') }, { held: 'no_sources' })).toEqual(['no_sources', 'held']);
	expect(kind({ budgets: used('chat') }, { nextAt: NOON })).toEqual(['on', 'on']);
	expect(kind({}, { on: false })).toEqual(['off', 'off']);
	expect(kind({}, undefined)).toEqual(['off', 'off']);
	expect(kind({}, { held: 'asks' })).toEqual(['refused', 'held']);
	expect(kind({}, { held: 'no_sources' })).toEqual(['no_sources', 'held']);
	expect(kind({}, { nextAt: NOON })).toEqual(['on', 'on']);
});

describe('a place as it is typed', () => {
	const say = createStrings();

	test('S3 a secret address is kept as the secret, and the place knows the site only', () => {
		const draft = { ...emptyDraft('calendar'), url: ' https://calendar.example.org/private-8f3/basic.ics ', secretAddress: true };
		const typed = typedPlace(say, draft);
		expect(typed).toEqual({
			place: { kind: 'calendar', url: 'https://calendar.example.org', secretAddress: true },
			secret: 'https://calendar.example.org/private-8f3/basic.ics',
			problems: {},
		});
		if (!typed.place) throw new Error('no place');
		// Its address is not known any more: left empty it stays.
		expect(draftOf(typed.place).url).toBe('');
		expect(typedPlace(say, draftOf(typed.place), typed.place)).toEqual({ place: typed.place, problems: {} });
	});

	test('what is missing or wrong is said at its field', () => {
		expect(typedPlace(say, emptyDraft('feed')).problems).toEqual({ url: 'This is missing.' });
		expect(typedPlace(say, { ...emptyDraft('page'), url: 'example.org' }).problems.url).toMatch(/^Use a whole address/);
		expect(typedPlace(say, { ...emptyDraft('issues'), repository: 'nodejs' }).problems.repository).toBe('Use owner/name.');
		expect(Object.keys(typedPlace(say, { ...emptyDraft('mailbox'), port: 'x' }).problems).sort()).toEqual([
			'host',
			'port',
			'secret',
			'user',
		]);
	});

	test('another mailbox needs its password again; another port of the same one does not', () => {
		const draft = { ...emptyDraft('mailbox'), host: 'imap.example.org', user: 'ada', secret: 'pass' };
		const { place, secret } = typedPlace(say, draft);
		expect(secret).toBe('pass');
		if (!place) throw new Error('no place');
		const again = draftOf(place);
		expect(typedPlace(say, { ...again, port: '143', security: 'starttls' }, place).problems).toEqual({});
		expect(typedPlace(say, { ...again, user: 'grace' }, place).problems).toEqual({ secret: 'This is missing.' });
		expect(isElsewhere(place, place)).toBe(false);
	});
});
