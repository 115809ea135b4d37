import { assertNever } from '../domain/assert-never.ts';
import type { Slot } from '../domain/schedule.ts';
import type { MissedPolicy, MissedWhy, Occurrence, Task, TaskCard, TaskDraft, TaskTest } from '../domain/task.ts';
import { dueText, when } from './context.ts';
import { oneLine } from './memory-text.ts';
import { table } from './output.ts';
import { termsText } from './permission-text.ts';
import { shortIds } from './short-ids.ts';

/** Tasks in words, for the terminal. */

/** All of it: the owner says yes to what stands here. */
export function cardText({ draft, restated, zone, next, notes, shownHash }: TaskCard): string {
	const runs = next.map((slot) => `  ${slotText(slot)}`);
	const named = notes.some((note) => note.includes(zone));
	return [
		`${draft.title}`,
		restated,
		...(draft.when.kind === 'schedule'
			? [named ? '' : `Times are those of ${zone}.`, runs.length > 0 ? `The next ${runs.length === 1 ? 'run' : 'runs'}:` : '', ...runs]
			: []),
		...notes.map((note) => `Note: ${note}`),
		...draftLines(draft),
		`Hash of this card: ${shownHash}`,
	]
		.filter((line) => line !== '')
		.join('\n');
}

/** `2026-12-03 09:00 (+01:00), clocks were set forward …`: what the wall shows, its offset, what is unusual. */
export function slotText({ local, offset, note, clocks }: Pick<Slot, 'local' | 'offset' | 'note' | 'clocks'>): string {
	const odd = note ? NOTES[note] : clocks && `clocks were set ${clocks} since the run before`;
	return `${local.replace('T', ' ')} (${offset})${odd === undefined ? '' : `, ${odd}`}`;
}

const NOTES: Record<NonNullable<Slot['note']>, string> = {
	moved: 'the first minute after the clocks are set forward',
	twice: 'the first of the two times the wall shows it',
};

function draftLines({ work, missed, overlap, budget, failure }: TaskDraft): string[] {
	const limits = [
		budget.tokens === undefined ? '' : `${budget.tokens} tokens`,
		budget.costUsd === undefined ? '' : `${budget.costUsd} USD`,
		budget.minutes === undefined ? '' : `${budget.minutes} minutes`,
	].filter((limit) => limit !== '');
	return [
		...(work.kind === 'prompt'
			? [
					`It says to the agent: ${work.text}`,
					work.session === 'one' ? 'All runs share one session.' : 'Each run has a session of its own.',
					work.model ? `Model: ${work.model.providerId}/${work.model.modelId}.` : 'Model: the one for background work.',
					work.tools ? `Tools: ${work.tools.length === 0 ? 'none' : work.tools.join(', ')}.` : 'Tools: all that work without you may use.',
				]
			: []),
		...(work.kind === 'workflow' ? [`Inputs: ${JSON.stringify(work.input)}`] : []),
		`What was missed: ${missedText(missed)}.`,
		...(work.kind === 'reminder' ? [] : [`Where the run before is not over: ${OVERLAPS[overlap]}.`]),
		...(limits.length > 0 ? [`Limits of one run: ${limits.join(', ')}.`] : []),
		...(work.kind === 'reminder'
			? []
			: [
					`A run that fails for a passing reason is tried ${failure.tries === 1 ? 'once' : `${failure.tries} times`}; after ${failure.stopAfter} failed runs in a row it stops.`,
				]),
	];
}

function missedText(policy: MissedPolicy): string {
	switch (policy.kind) {
		case 'skip':
			return 'is shown, and not made up for';
		case 'once':
			return `runs once, up to ${policy.withinHours} hours late`;
		case 'every':
			return `runs, the newest ${policy.most} of them`;
		case 'ask':
			return 'you are asked';
		default:
			return assertNever(policy);
	}
}

const OVERLAPS: Record<TaskDraft['overlap'], string> = {
	queue: 'the next one waits',
	skip: 'the next one is left out',
	replace: 'it is stopped, and the next one runs',
};

export function taskTable(tasks: readonly Task[]): string {
	const short = shortIds(tasks.map(({ id }) => id));
	const rows = tasks.map((task) => [
		short(task.id),
		stateText(task),
		task.next ? dueText(task.next.dueAt) : '',
		task.missed.length === 0 ? '' : `${task.missed.reduce((sum, { count }) => sum + count, 0)}`,
		oneLine(`${task.draft.title}: ${task.restated}`, 120),
	]);
	return table([['ID', 'STATE', 'NEXT', 'MISSED', 'TASK'], ...rows]);
}

export function stateText({ state, pausedUntil }: Task): string {
	if (state === 'paused' && pausedUntil !== undefined) return `paused until ${when(pausedUntil)}`;
	return STATES[state];
}

const STATES: Record<Task['state'], string> = {
	scheduled: 'on',
	overdue: 'overdue',
	running: 'running',
	waiting: 'waits',
	missed: 'missed',
	failed: 'failed',
	blocked: 'stopped',
	paused: 'paused',
	ended: 'ended',
};

export function occurrenceTable(occurrences: readonly Occurrence[]): string {
	const short = shortIds(occurrences.map(shownId));
	const rows = occurrences.map((one) => [
		short(shownId(one)),
		when(one.slot),
		outcomeText(one),
		byText(one),
		oneLine(one.title, 40),
		[whyText(one), placeText(one) ?? ''].filter((part) => part !== '').join('; '),
	]);
	return table([['RUN', 'WHEN', 'OUTCOME', 'BY', 'TASK', ''], ...rows]);
}

/** The run's in the timeline, where there is one: `hearth runs show` knows it, as `hearth tasks decide` does. */
function shownId({ id, runId }: Occurrence): string {
	return runId ?? id;
}

/** Where its result lies. */
function placeText({ result, reminderId }: Occurrence): string | undefined {
	if (result?.file !== undefined) return `workspace/${result.file}`;
	if (result?.sessionId !== undefined) return `hearth sessions show ${result.sessionId}`;
	if (result?.proposalId !== undefined) return 'hearth inbox list';
	return reminderId === undefined ? undefined : 'hearth reminders list';
}

/** What a task waits for that goes by no clock. */
export function waitsText({ when }: TaskDraft): string {
	if (when.kind === 'schedule') return 'No run comes.';
	const { trigger } = when;
	if (trigger.kind !== 'files') return 'It waits until that happens.';
	return `It waits for files${trigger.names === undefined ? '' : ` named ${trigger.names}`} in ${trigger.path}.`;
}

function outcomeText({ state, count }: Occurrence): string {
	const word = state === 'asks' ? 'missed, asks you' : state;
	return count === 1 ? word : `${word} (${count})`;
}

function byText({ by, cause }: Occurrence): string {
	if (by === 'owner') return 'you';
	return by === 'schedule' ? 'its time' : (cause?.name ?? 'an event');
}

/** Why nothing ran, what went wrong, or what it used. */
export function whyText({ why, note, error, tokens, costUsd }: Occurrence): string {
	const spent = tokens === 0 ? '' : `${tokens} tokens${costUsd === 0 ? '' : `, ${costUsd.toFixed(4)} USD`}`;
	return oneLine([note ?? (why === undefined ? '' : WHYS[why]), error?.message ?? '', spent].filter((part) => part !== '').join('; '), 160);
}

const WHYS: Record<MissedWhy, string> = {
	closed: 'Hearth was closed',
	asleep: 'the machine slept',
	paused: 'Pause all was on',
	active_hours: 'outside the active hours',
	budget_used: 'the day’s budget was used',
	clock: 'the clock was set past it',
	busy: 'the run before was not over',
	queue_full: 'too many waited already',
	late: 'its time to catch up was over',
	many: 'newer ones stand for it',
	owner: 'you skipped it',
	replaced: 'a newer one took its place',
	blocked: 'the task had stopped',
};

/** What a run came to, in a line or a few. */
export function occurrenceText(one: Occurrence): string {
	const { error } = one;
	const place = placeText(one);
	return [
		`“${one.title}”: ${outcomeText(one)}.`,
		whyText(one),
		...(error ? [error.action ?? ''] : []),
		place === undefined ? '' : `Its result: ${place}`,
		one.runId === undefined ? '' : `Step by step: hearth runs show ${one.runId}`,
	]
		.filter((line) => line !== '')
		.join('\n');
}

export function testText({ state, text, needs, tokens, error }: TaskTest): string {
	const needed = needs.map(({ title, what, terms, allowed }) => {
		const how = allowed ? 'allowed' : terms ? `asks, unless you permit it: ${termsText(terms)}` : 'asks each time';
		return `  ${title}: ${what} (${how})`;
	});
	return [
		`Test run: ${state}. Nothing was written and nothing sent. ${tokens} tokens.`,
		...(error ? [error.message, error.action ?? ''] : []),
		text === '' ? '' : `It said:\n${text}`,
		...(needed.length > 0 ? ['What it would have done:', ...needed] : []),
	]
		.filter((line) => line !== '')
		.join('\n');
}
