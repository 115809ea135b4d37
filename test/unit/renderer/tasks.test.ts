import { describe, expect, test } from 'vitest';
import { dueReminders } from '../../../renderer/reminders/due.ts';
import { dayOf, stripDays, stripStarts } from '../../../renderer/tasks/days.ts';
import { emptyEditor, isChanged, readingChange } from '../../../renderer/tasks/editor-store.ts';
import { numberOf } from '../../../renderer/tasks/form-row.tsx';
import { groupOf, taskRows } from '../../../renderer/tasks/list-rows.ts';
import { patternOf, timingOf } from '../../../renderer/tasks/pattern.ts';
import { parsePlace, taskPlace } from '../../../renderer/tasks/place.ts';
import { problemsOf } from '../../../renderer/tasks/problems.ts';
import { restatedParts } from '../../../renderer/tasks/restated.tsx';
import { clockWords, timeUntil } from '../../../renderer/tasks/times.ts';
import { missedWords, resultPlace, taskState } from '../../../renderer/tasks/words.ts';
import { createStrings } from '../../../src/contract/strings/index.ts';
import { MessageId, RunId, SessionId } from '../../../src/domain/ids.ts';
import { ReminderId } from '../../../src/domain/reminder.ts';
import type { Slot, Timing } from '../../../src/domain/schedule.ts';
import { type Occurrence, OccurrenceId, type Task, TaskDraft, TaskId } from '../../../src/domain/task.ts';

const say = createStrings();
const at = (date: number, hour: number, minute = 0): number => new Date(2026, 2, date, hour, minute).getTime();
const NOW = at(10, 9);

const draft = (change: Partial<TaskDraft> = {}): TaskDraft => ({
	...TaskDraft.parse({
		title: 'Reading digest',
		when: { kind: 'schedule', schedule: { timing: { kind: 'cron', expression: '0 9 * * 0' } } },
		work: { kind: 'prompt', text: 'Write it.' },
	}),
	...change,
});

const slot = (time: number, change: Partial<Slot> = {}): Slot => ({
	at: time,
	dueAt: time,
	local: '2026-03-15T09:00',
	offset: '+01:00',
	zone: 'Europe/Berlin',
	...change,
});

const occurrence = (change: Partial<Occurrence> = {}): Occurrence => ({
	id: OccurrenceId.parse('o'),
	taskId: TaskId.parse('t'),
	title: 'Reading digest',
	by: 'schedule',
	slot: at(8, 9),
	count: 1,
	state: 'done',
	attempt: 1,
	tokens: 0,
	costUsd: 0,
	...change,
});

const task = (id: string, change: Partial<Task> = {}): Task => ({
	id: TaskId.parse(id),
	draft: draft({ title: id }),
	state: 'scheduled',
	label: 'owner',
	restated: 'Every Sunday at 09:00',
	zone: 'Europe/Berlin',
	missed: [],
	occurrences: 0,
	failures: 0,
	createdAt: at(1, 9),
	...change,
});

describe('where the screen is', () => {
	test('an address names what stands beside the list, and its parts come back as they went in', () => {
		expect(parsePlace('/tasks')).toEqual({ kind: 'list' });
		expect(parsePlace('/tasks/new')).toEqual({ kind: 'new' });
		expect(parsePlace('/tasks/runs')).toEqual({ kind: 'runs' });
		expect(parsePlace('/tasks/day/2026-12-03')).toEqual({ kind: 'day', day: '2026-12-03' });
		expect(parsePlace(taskPlace('a/b'))).toEqual({ kind: 'open', taskId: 'a/b' });
		expect(parsePlace(taskPlace('a', 'runs'))).toEqual({ kind: 'runs_of', taskId: 'a' });
		expect(parsePlace(taskPlace('a', 'edit'))).toEqual({ kind: 'edit', taskId: 'a' });
		expect(parsePlace('/tasks/day/today')).toEqual({ kind: 'list' });
		expect(parsePlace('/tasks/%E0%A4%A')).toEqual({ kind: 'list' });
	});
});

describe('the list', () => {
	test('what needs the owner comes first, then what is at work, then what comes by time; the paused last', () => {
		const late = task('late', { next: slot(at(14, 9)) });
		const soon = task('soon', { next: slot(at(11, 9)) });
		const missed = task('missed', { state: 'missed', missed: [occurrence({ state: 'missed', why: 'asleep' })] });
		const working = task('working', { state: 'running' });
		const paused = task('paused', { state: 'paused', missed: [occurrence()] });
		const event = task('event', { draft: draft({ when: { kind: 'trigger', trigger: { kind: 'wake' }, quietSeconds: 5 } }) });
		const rows = taskRows([late, paused, working, soon, missed, event], new Set());
		expect(rows.map((row) => (row.kind === 'group' ? `# ${row.group} ${row.count}` : row.key))).toEqual([
			'# you 1',
			'missed',
			'# now 1',
			'working',
			'# coming 2',
			'soon',
			'late',
			'# events 1',
			'event',
			'# off 1',
			'paused',
		]);
	});

	test('of a long list its first part is known: headings count all, and what stands last asks for more', () => {
		const known = [task('missed', { state: 'missed', missed: [occurrence()] }), task('a'), task('b')];
		const rows = taskRows(known, new Set(), { now: 1, coming: 5_000, events: 2, off: 0 });
		expect(rows.map((row) => (row.kind === 'group' ? `# ${row.group} ${row.count}` : row.key))).toEqual([
			'# you 1',
			'missed',
			'# coming 5000',
			'a',
			'b',
			'more',
		]);
		expect(taskRows(known, new Set(), { now: 1, coming: 2, events: 0, off: 0 }).map(({ kind }) => kind)).not.toContain('more');
	});

	test('a run that waits for an answer makes its task one that needs the owner, and says so', () => {
		const asks = task('asks', { state: 'waiting', current: occurrence({ runId: RunId.parse('r'), state: 'running' }) });
		expect(groupOf(asks, new Set())).toBe('now');
		expect(groupOf(asks, new Set(['r']))).toBe('you');
		expect(taskState(say, asks, { asks: true, step: undefined }).words).toBe('Asks you');
		expect(taskState(say, task('x', { state: 'running' }), { asks: false, step: 8 }).words).toBe('Running, step 8');
		expect(taskState(say, task('x', { state: 'blocked' }), { asks: false, step: undefined }).state).toBe('pending');
	});
});

describe('in words', () => {
	const moment = (time: number): string => `${new Date(time).getDate()} March, 09:00`;

	test('what was missed says when and why, and several stand as one', () => {
		const one = occurrence({ state: 'missed', why: 'asleep' });
		expect(missedWords(say, one, moment)).toBe('8 March, 09:00 was missed: the computer was asleep.');
		expect(missedWords(say, { ...one, state: 'asks' }, moment)).toBe('8 March, 09:00 was missed: the computer was asleep. Run it now?');
		expect(missedWords(say, { ...one, count: 12, lastSlot: at(9, 9) }, moment)).toBe(
			'12 runs from 8 March, 09:00 to 9 March, 09:00 were missed: the computer was asleep.',
		);
		expect(missedWords(say, occurrence({ state: 'missed' }), moment)).toBe('8 March, 09:00 was missed.');
	});

	test('how long it is until a run, by the clock and then by the calendar; nothing of what is past', () => {
		expect(timeUntil(say, at(10, 9, 25), NOW)).toBe('in 25 min');
		expect(timeUntil(say, at(10, 11, 25), NOW)).toBe('in 2 h 25 min');
		expect(timeUntil(say, at(10, 11), NOW)).toBe('in 2 h');
		expect(timeUntil(say, at(15, 9), NOW)).toBe('in 5 days');
		expect(timeUntil(say, at(11, 10), NOW)).toBe('in 1 day');
		expect(timeUntil(say, NOW, NOW)).toBe('');
	});

	test('what is unusual about a time is said: left out, the first of two, clocks set before it', () => {
		expect(clockWords(say, slot(NOW, { note: 'moved', clocks: 'forward' }))).toBe('this time is left out that day');
		expect(clockWords(say, slot(NOW, { note: 'twice' }))).toBe('the first of two');
		expect(clockWords(say, slot(NOW, { clocks: 'back' }))).toBe('clocks go back');
		expect(clockWords(say, slot(NOW))).toBeUndefined();
	});

	test('the sentence of a card is told in parts, those to be checked first among them, in order and once each', () => {
		const text = 'Every Friday at 16:00: write a list. Friday, into a chat.';
		const parts = restatedParts(text, ['Friday', '16:00', 'Friday', 'not in it']);
		expect(parts.map((part) => part.text).join('')).toBe(text);
		expect(parts.filter(({ isStrong }) => isStrong).map((part) => part.text)).toEqual(['Friday', '16:00', 'Friday']);
		expect(parts.at(-1)).toEqual({ text: ', into a chat.', isStrong: false });
	});

	test('a result leads to its chat or to the inbox', () => {
		const sessionId = SessionId.parse('s');
		expect(resultPlace(occurrence({ result: { proposalId: 'p' } }))).toEqual({ to: '/inbox/p', what: 'inbox' });
		expect(resultPlace(occurrence({ result: { sessionId, messageId: MessageId.parse('m') } }))).toEqual({ to: '/chat/s/m', what: 'chat' });
		expect(resultPlace(occurrence({ result: { file: 'Tasks/a.md' } }))).toBeUndefined();
	});
});

describe('a sentence after another', () => {
	test('one that is asked about or not understood leaves no card of the one before to be turned on', () => {
		const drafted = draft();
		const card = { draft: drafted, restated: '', strong: [], zone: 'UTC', next: [], notes: [], shownHash: '0'.repeat(64) };
		const first = { ...emptyEditor(), ...readingChange({ kind: 'card', card, by: 'grammar' }) };
		expect([first.draft, isChanged(first)]).toEqual([drafted, false]);
		const asked = { ...first, ...readingChange({ kind: 'asks', question: 'When?', choices: [] }) };
		expect([asked.draft, asked.before, asked.test]).toEqual([null, null, null]);
		expect({ ...first, ...readingChange({ kind: 'unclear', message: 'Not given: name.', draft: drafted }) }.draft).toBeNull();
		expect(first.requestId).not.toBe(asked.requestId);
	});
});

describe('reminders that came', () => {
	test('those of no chat wait in Tasks until they are dismissed', () => {
		const reminder = { id: ReminderId.parse('r'), text: 'Take the bread out', label: 'owner' as const, dueAt: 1, createdAt: 0 };
		const sessionId = SessionId.parse('s');
		const all = [reminder, { ...reminder, toldAt: 1 }, { ...reminder, toldAt: 1, sessionId }, { ...reminder, toldAt: 1, dismissedAt: 2 }];
		expect(dueReminders(all)).toEqual([all[1]]);
		expect(dueReminders(all, sessionId)).toEqual([all[2]]);
	});
});

describe('the strip of coming days', () => {
	test('counts the runs of each day by the owner’s clock; what is not known yet is no nought', () => {
		expect(stripStarts(NOW).slice(0, 2)).toEqual([at(10, 0), at(11, 0)]);
		const few = (runs: number) => ({ runs, more: false });
		const days = stripDays([few(1), few(0), { runs: 24, more: true }, ...Array.from({ length: 11 }, () => few(0))], NOW);
		expect(days).toHaveLength(14);
		expect(days.slice(0, 4).map(({ day, runs, more }) => [day, runs, more])).toEqual([
			['2026-03-10', 1, false],
			['2026-03-11', 0, false],
			['2026-03-12', 24, true],
			['2026-03-13', 0, false],
		]);
		expect(stripDays(undefined, NOW)[3]).toMatchObject({ day: '2026-03-13', runs: undefined });
		expect(dayOf('2026-02-31')).toBeUndefined();
		expect(dayOf('2026-03-10')).toEqual({ from: at(10, 0), to: at(11, 0) });
	});
});

describe('the form', () => {
	const TODAY = { today: '2026-03-10', now: NOW };

	test('what people set by hand stands as a pattern; anything else as it is written', () => {
		const of = (expression: string) => patternOf({ kind: 'cron', expression });
		expect(of('30 8 * * 1-5')).toEqual({ kind: 'weeks', every: 1, days: ['MO', 'TU', 'WE', 'TH', 'FR'], time: '08:30' });
		expect(of('0 9 * * SUN')).toEqual({ kind: 'weeks', every: 1, days: ['SU'], time: '09:00' });
		expect(of('0 22 9 * *')).toEqual({ kind: 'months', every: 1, on: { day: 9 }, time: '22:00' });
		expect(of('0 22 9 * 1')).toEqual({ kind: 'cron', expression: '0 22 9 * 1' });
		expect(of('*/30 * * * *')).toEqual({ kind: 'cron', expression: '*/30 * * * *' });
		const rule = (text: string) => patternOf({ kind: 'rrule', rule: text, start: '2026-03-10T16:00' });
		expect(rule('FREQ=MONTHLY;BYDAY=-1FR')).toEqual({ kind: 'months', every: 1, on: { nth: -1, weekday: 'FR' }, time: '16:00' });
		expect(rule('FREQ=DAILY;INTERVAL=2')).toEqual({ kind: 'days', every: 2, time: '16:00' });
		expect(rule('FREQ=DAILY;COUNT=3')).toMatchObject({ kind: 'rule', rule: 'FREQ=DAILY;COUNT=3' });
		expect(patternOf({ kind: 'every', seconds: 7_200, anchor: 0 })).toEqual({ kind: 'interval', count: 2, unit: 'hours' });
	});

	test('a changed pattern keeps its zone, and the start that it counts from', () => {
		const before: Timing = { kind: 'rrule', rule: 'FREQ=WEEKLY;INTERVAL=2;BYDAY=TU', start: '2026-01-06T09:00', zone: 'Asia/Kolkata' };
		const pattern = patternOf(before);
		expect(timingOf({ ...pattern, time: '10:00' } as typeof pattern, before, TODAY)).toEqual({ ...before, start: '2026-01-06T10:00' });
		expect(
			timingOf({ kind: 'days', every: 1, time: '07:00' }, { kind: 'cron', expression: '0 9 * * 1', zone: 'Asia/Kolkata' }, TODAY),
		).toEqual({
			kind: 'cron',
			expression: '0 7 * * *',
			zone: 'Asia/Kolkata',
		});
	});

	test('numbers as people type them; what is none is said, and nothing where nothing may stand', () => {
		expect(numberOf('20,000', true)).toBe(20_000);
		expect(numberOf('0,5', true)).toBe(0.5);
		expect(numberOf(' ', true)).toBeUndefined();
		expect(numberOf(' ', false)).toBeNaN();
		expect(numberOf('much', true)).toBeNaN();
	});

	test('each part that keeps a draft from being one is named, in our own words', () => {
		const bad = draft({ title: ' ', budget: { tokens: Number.NaN }, missed: { kind: 'once', withinHours: 0 } });
		expect([...problemsOf(bad).keys()].sort()).toEqual(['budget.tokens', 'missed.withinHours', 'title']);
		expect(problemsOf(draft()).size).toBe(0);
	});
});
