import { assertNever } from '../domain/assert-never.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Slot } from '../domain/schedule.ts';
import type { MissedPolicy, MissedWhy, Occurrence } from '../domain/task.ts';

/** A slot that is told so late did not come in time. */
export const LATE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Why nothing could run at a time: what stood in the way, or `late` where nothing is known that did. */
export type Hindrance = Extract<MissedWhy, 'closed' | 'asleep' | 'paused' | 'active_hours' | 'budget_used' | 'clock' | 'late'>;

const WORDS: Readonly<Record<Hindrance, string>> = {
	closed: 'Hearth was closed',
	asleep: 'the computer was asleep',
	paused: 'everything was paused',
	active_hours: 'it was outside of the active hours',
	budget_used: 'the day’s budget was used up',
	clock: 'the clock was set past it',
	late: 'Hearth did not get to it in time',
};

export interface LateSlot {
	readonly slot: Pick<Slot, 'at' | 'dueAt'>;
	readonly hindrance: Hindrance;
}

/** What becomes of a slot. `note`: in a sentence, where `why` does not say all. */
export type Verdict =
	| { readonly state: 'queued'; readonly note: string }
	| { readonly state: 'missed' | 'asks'; readonly why: MissedWhy; readonly note?: string };

/**
 * What becomes of slots that came while nothing could run, by the task's policy. `late`: in order of time; `newerRuns`: one after them came in time.
 * One verdict for each. Pure.
 */
export function judgeMissed(policy: MissedPolicy, late: readonly LateSlot[], now: Timestamp, newerRuns: boolean): Verdict[] {
	const newest = newerRuns ? late.length : late.length - 1;
	switch (policy.kind) {
		case 'skip':
			return late.map(({ hindrance }) => ({ state: 'missed', why: hindrance }));
		case 'ask':
			return late.map(({ hindrance }) => ({ state: 'asks', why: hindrance }));
		case 'once': {
			const inTime = ({ slot }: LateSlot): boolean => now - slot.dueAt <= policy.withinHours * HOUR_MS;
			return late.map((each, index) => {
				if (!inTime(each)) return tooLate(each, policy.withinHours);
				return index === newest ? caughtUp(each) : oneOfMany(each);
			});
		}
		case 'every':
			return late.map((each, index) => (late.length - index <= policy.most ? caughtUp(each) : oneOfMany(each)));
		default:
			return assertNever(policy);
	}
}

/** In a sentence of its own. */
export function inWords(hindrance: Hindrance): string {
	const words = WORDS[hindrance];
	return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

function caughtUp({ hindrance }: LateSlot): Verdict {
	return { state: 'queued', note: `Late: ${WORDS[hindrance]}.` };
}

function oneOfMany({ hindrance }: LateSlot): Verdict {
	return { state: 'missed', why: 'many', note: `${inWords(hindrance)} A newer run stands for it.` };
}

function tooLate({ hindrance }: LateSlot, hours: number): Verdict {
	if (hindrance === 'late') return { state: 'missed', why: 'late' };
	return { state: 'missed', why: 'late', note: `${inWords(hindrance)} More than ${hours} ${hours === 1 ? 'hour' : 'hours'} had passed.` };
}

/** sch-1: what the clocks did to it. */
export function noteOf({ note, local }: Pick<Slot, 'note' | 'local'>): string | undefined {
	const time = local.slice(11);
	if (note === 'moved') return `The clocks were set over its time, so it came at ${time}.`;
	return note === 'twice' ? `The clock on the wall showed ${time} twice; this was the first.` : undefined;
}

export function joined(...notes: readonly (string | undefined)[]): string {
	return notes.filter((note) => note !== undefined).join(' ');
}

/** Of a run that the owner let come late. */
export function noteOfRun(why: Occurrence['why']): string | undefined {
	const isHindrance =
		why === 'closed' || why === 'asleep' || why === 'paused' || why === 'active_hours' || why === 'budget_used' || why === 'clock';
	return isHindrance ? `${inWords(why)} You let it run later.` : undefined;
}
