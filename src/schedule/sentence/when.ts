import type { Timestamp } from '../../domain/ids.ts';
import { WEEKDAY_NAMES } from '../word-parts.ts';
import { type Day, longDay, wallAt } from './days.ts';

import { oneOff } from './one-off.ts';
import { asks, asksOf, impossible, notUnderstood, type Outcome, TWO_TASKS, unclear } from './outcome.ts';
import type { Part, PartOf, Said } from './parts.ts';
import { phrasesOf } from './phrases.ts';
import { recurring } from './recurring.ts';
import { scan } from './scan.ts';

/** Once at most in a sentence: two of them are two times. */
const SINGLE: readonly Said['kind'][] = [
	'times',
	'window',
	'zone',
	'until',
	'until_time',
	'starting',
	'starting_time',
	'lasting',
	'months',
	'day_part',
	'per',
	'short',
	'except',
];
const AGAIN: readonly Said['kind'][] = ['every', 'per', 'both', 'either'];

export interface WhenAt {
	readonly text: string;
	readonly now: Timestamp;
	/** The owner's. */
	readonly zone: string;
	/** Where a time of day may be put in. */
	readonly end: number;
}

/** `parts`: phrases of `text` that say when. */
export function whenOf(said: readonly Part[], { text, now, zone, end }: WhenAt): Outcome {
	const parts = withoutDoubtOfWeeks(said);
	const never = parts.find((part) => part.kind === 'never');
	if (never?.kind === 'never') return impossible(never.message, never.action);
	const doubt = parts.find((part) => part.kind === 'doubt');
	if (doubt?.kind === 'doubt') return twiceAWeek(doubt, parts) ?? asksOf(doubt.doubt, doubt);
	const twice = SINGLE.find((kind) => parts.filter((part) => part.kind === kind).length > 1);
	if (twice !== undefined) return unclear('It names more than one time.', TWO_TASKS);
	const zoned = parts.find((part) => part.kind === 'zone');
	const named = zoned?.kind === 'zone' ? zoned.zone : undefined;
	const today = wallAt(now, named ?? zone);
	const otherDay = named === undefined ? undefined : dayElsewhere(parts, wallAt(now, zone).day, today.day, text);
	if (otherDay) return otherDay;
	const phrases = phrasesOf(parts, { text, now, today, zone: named ?? zone, named, end });
	if (isAgain(parts)) return recurring(phrases);
	// A day of the month alone: whether it is each one's is asked.
	return parts.some(({ kind }) => kind === 'month_days' || kind === 'nth') ? recurring(phrases) : oneOff(phrases);
}

/** “Biweekly on Friday”: a day that is named is one of the two. */
function twiceAWeek({ doubt, start, end }: PartOf<'doubt'>, parts: readonly Part[]): Outcome | undefined {
	const fortnight = doubt.choices.find(({ phrase }) => phrase === 'every 2 weeks');
	const named = parts.find((part): part is PartOf<'weekdays'> => part.kind === 'weekdays');
	const [day, more] = named?.days ?? [];
	if (!fortnight || !named || day === undefined || more !== undefined) return undefined;
	const both = `${WEEKDAY_NAMES[day]} and ${WEEKDAY_NAMES[(day + 3) % 7]}`;
	return asks(doubt.question, [
		[fortnight.text, { start, end, text: fortnight.phrase }],
		[`Twice a week, on ${both}`, { start, end, text: `every ${both}` }, { start: named.start, end: named.end, text: '' }],
	]);
}

function withoutDoubtOfWeeks(parts: readonly Part[]): readonly Part[] {
	const isWeekly = parts.some((part) => (part.kind === 'every' || part.kind === 'per') && part.unit === 'week');
	return parts.map((part) =>
		isWeekly && part.kind === 'doubt' && part.besideWeeks ? { ...part.besideWeeks, start: part.start, end: part.end } : part,
	);
}

function isAgain(parts: readonly Part[]): boolean {
	return parts.some((part) => AGAIN.includes(part.kind) || (part.kind === 'weekdays' && part.each));
}

/** “Tomorrow” where it is another day in the zone that was named. */
function dayElsewhere(parts: readonly Part[], here: Day, there: Day, text: string): Outcome | undefined {
	const part = parts.find((each): each is PartOf<'day'> => each.kind === 'day' && each.moves === true);
	if (!part || here === there) return undefined;
	const written = text.slice(part.start, part.end);
	const elsewhere = scan(written, { day: there, minute: 0 }).find((each): each is PartOf<'day'> => each.kind === 'day');
	if (!elsewhere) return notUnderstood();
	const days = [...new Set([part.day, elsewhere.day])];
	if (days.length < 2) return undefined;
	return asks(
		`It is another day there by now. Which one is “${written}”?`,
		days.map((day) => [longDay(day), { start: part.start, end: part.end, text: `on ${longDay(day, false)}` }] as const),
	);
}
