import { didYouMean } from '../base/did-you-mean.ts';
import { terminal } from '../domain/errors.ts';

/** The parts of a recurrence rule, read strictly: the library passes over what it does not understand. */

const FREQUENCIES = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY', 'HOURLY', 'MINUTELY', 'SECONDLY'] as const;
export type Frequency = (typeof FREQUENCIES)[number];
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** A rule that says how often it comes is followed from its start at each look, so there is an end to that. */
const MOST_COUNT = 10_000;

interface NumberList {
	readonly from: number;
	readonly to: number;
	/** -1 is the last one. */
	readonly back: boolean;
}
const LISTS = {
	BYSECOND: { from: 0, to: 59, back: false },
	BYMINUTE: { from: 0, to: 59, back: false },
	BYHOUR: { from: 0, to: 23, back: false },
	BYMONTHDAY: { from: 1, to: 31, back: true },
	BYYEARDAY: { from: 1, to: 366, back: true },
	BYWEEKNO: { from: 1, to: 53, back: true },
	BYMONTH: { from: 1, to: 12, back: false },
	BYSETPOS: { from: 1, to: 366, back: true },
} satisfies Record<string, NumberList>;
type ListName = keyof typeof LISTS;

const NAMES = ['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'WKST', ...Object.keys(LISTS)];

export interface RuleDay {
	readonly day: Weekday;
	/** The second, the last (-1) … of the month or the year. */
	readonly nth?: number;
}

export interface RuleParts {
	readonly frequency: Frequency;
	/** Comes within a day: HOURLY and faster. */
	readonly wild: boolean;
	readonly interval: number;
	readonly count?: number;
	readonly until?: { readonly kind: 'wall'; readonly wall: number } | { readonly kind: 'moment'; readonly at: number };
	readonly days: readonly RuleDay[];
	readonly weekStart?: Weekday;
	readonly lists: Readonly<Partial<Record<ListName, readonly number[]>>>;
}

/** Throws a HearthError that says which part is not right. */
export function readRule(rule: string): RuleParts {
	const given = new Map<string, string>();
	for (const part of rule.toUpperCase().split(';')) {
		const [name = '', value, more] = part.split('=');
		if (!NAMES.includes(name)) throw bad(`There is no part “${name}” in a recurrence rule.${didYouMean(name, NAMES)}`);
		if (!value || more !== undefined) throw bad(`Write the part ${name} of the rule as ${name}=…`);
		if (given.has(name)) throw bad(`The rule says ${name} twice.`);
		given.set(name, value);
	}
	const parts = partsOf(given);
	checkTogether(parts);
	return parts;
}

function partsOf(given: ReadonlyMap<string, string>): RuleParts {
	const value = (name: string): string | undefined => given.get(name);
	const frequency = FREQUENCIES.find((each) => each === value('FREQ'));
	if (!frequency) throw bad('A recurrence rule needs FREQ: YEARLY, MONTHLY, WEEKLY, DAILY, HOURLY, MINUTELY or SECONDLY.');
	const count = value('COUNT');
	const until = value('UNTIL');
	const weekStart = value('WKST');
	const lists = Object.entries(LISTS).flatMap(([name, range]) => {
		const text = value(name);
		return text === undefined ? [] : [[name, text.split(',').map((each) => readNumber(name, each, range))]];
	});
	return {
		frequency,
		wild: ['HOURLY', 'MINUTELY', 'SECONDLY'].includes(frequency),
		interval: readNumber('INTERVAL', value('INTERVAL') ?? '1', { from: 1, to: 1_000_000, back: false }),
		...(count !== undefined && { count: readNumber('COUNT', count, { from: 1, to: MOST_COUNT, back: false }) }),
		...(until !== undefined && { until: readUntil(until) }),
		days: value('BYDAY')?.split(',').map(readDay) ?? [],
		...(weekStart !== undefined && { weekStart: readDay(weekStart).day }),
		lists: Object.fromEntries(lists),
	};
}

/** What the RFC says does not go together; rules with it mean one thing here and another there. */
function checkTogether(parts: RuleParts): void {
	const { frequency, wild, count, until, days, lists } = parts;
	const refuse = (is: boolean, message: string): void => {
		if (is) throw bad(message);
	};
	refuse(count !== undefined && until !== undefined, 'A rule ends after COUNT times or by UNTIL, not both.');
	refuse(
		days.some(({ nth }) => nth !== undefined) && (!['MONTHLY', 'YEARLY'].includes(frequency) || lists.BYWEEKNO !== undefined),
		'A weekday with a number, such as 2MO or -1FR, needs FREQ=MONTHLY or FREQ=YEARLY without BYWEEKNO.',
	);
	refuse(lists.BYWEEKNO !== undefined && frequency !== 'YEARLY', 'BYWEEKNO needs FREQ=YEARLY.');
	refuse(lists.BYMONTHDAY !== undefined && frequency === 'WEEKLY', 'BYMONTHDAY does not go with FREQ=WEEKLY.');
	refuse(
		lists.BYYEARDAY !== undefined && ['DAILY', 'WEEKLY', 'MONTHLY'].includes(frequency),
		'BYYEARDAY needs FREQ=YEARLY, HOURLY, MINUTELY or SECONDLY.',
	);
	refuse(lists.BYSETPOS !== undefined && wild, 'BYSETPOS needs FREQ=YEARLY, MONTHLY, WEEKLY or DAILY.');
	const others = Object.keys(lists).filter((name) => name !== 'BYSETPOS').length + days.length;
	const beyond = lists.BYSETPOS?.every((place) => Math.abs(place) > mostChoices(parts)) ?? false;
	refuse(lists.BYSETPOS !== undefined && others === 0, 'BYSETPOS needs another part beginning with BY, to choose from.');
	refuse(beyond, 'BYSETPOS asks for a later one than there are.');
}

/** Of how many times in one period BYSETPOS chooses, at most: the library looks far for what is beyond. */
function mostChoices({ frequency, days, lists }: RuleParts): number {
	const { BYHOUR, BYMINUTE, BYSECOND, BYMONTH, BYMONTHDAY, BYYEARDAY, BYWEEKNO } = lists;
	const times = [BYHOUR, BYMINUTE, BYSECOND].reduce((product, list) => product * (list?.length ?? 1), 1);
	const hasDates = days.length > 0 || BYMONTHDAY !== undefined;
	switch (frequency) {
		case 'YEARLY':
			return times * (hasDates || BYYEARDAY || BYWEEKNO ? 366 : (BYMONTH?.length ?? 1));
		case 'MONTHLY':
			return times * (hasDates ? 31 : 1);
		case 'WEEKLY':
			return times * Math.max(1, days.length);
		default:
			return times;
	}
}

/** As the library reads it, on its clock without gaps: without UNTIL, which is in another time, and COUNT only where it is asked for. */
export function writeRule({ frequency, interval, count, days, weekStart, lists }: RuleParts, withCount: boolean): string {
	const parts = [`FREQ=${frequency}`, `INTERVAL=${interval}`];
	if (withCount && count !== undefined) parts.push(`COUNT=${count}`);
	if (days.length > 0) parts.push(`BYDAY=${days.map(({ day, nth }) => `${nth ?? ''}${day}`).join(',')}`);
	if (weekStart) parts.push(`WKST=${weekStart}`);
	return [...parts, ...Object.entries(lists).map(([name, values]) => `${name}=${values.join(',')}`)].join(';');
}

function readNumber(name: string, text: string, { from, to, back }: NumberList): number {
	const value = /^[+-]?\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
	const size = back ? Math.abs(value) : value;
	if (size >= from && size <= to) return value;
	throw bad(`${name} can't be “${text}”: use ${back ? `${from} to ${to}, or -${from} to -${to} from the end` : `${from} to ${to}`}.`);
}

function readDay(text: string): RuleDay {
	const [, nth, name] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? [];
	const day = WEEKDAYS.find((each) => each === name);
	if (!day || Math.abs(Number(nth ?? 1)) > 53 || Number(nth ?? 1) === 0) {
		throw bad(
			`“${text}” is no weekday of a rule: use MO, TU, WE, TH, FR, SA, SU, with a number before it for the second or the last (2MO, -1FR).`,
		);
	}
	return nth === undefined ? { day } : { day, nth: Number(nth) };
}

function readUntil(text: string): NonNullable<RuleParts['until']> {
	const [, date = '', time = '235959', utc] = /^(\d{8})(?:T(\d{6})(Z?))?$/.exec(text) ?? [];
	const iso = `${date.replace(/(....)(..)(..)/, '$1-$2-$3')}T${time.replace(/(..)(..)(..)/, '$1:$2:$3')}Z`;
	const wall = Date.parse(iso);
	// A date such as 31 February is read as one in March.
	if (Number.isNaN(wall) || new Date(wall).toISOString().slice(0, 19) !== iso.slice(0, 19)) {
		throw bad(`UNTIL can't be “${text}”: write it as 20271231, 20271231T090000 or 20271231T080000Z.`);
	}
	return utc ? { kind: 'moment', at: wall } : { kind: 'wall', wall };
}

function bad(message: string): Error {
	return terminal('invalid_input', message, { action: 'Correct the rule, or say it as a sentence.' });
}
