import type { TaskResult, Trigger } from '../../domain/task.ts';
import type { Day } from './days.ts';
import type { Unit, Weekday } from './names.ts';

/** What phrases of a sentence say. A sentence is read phrase by phrase; what they come to together is for `rule.ts`. */

/** An amount of time on the calendar (months, days) and beyond it. */
export interface Amount {
	readonly months: number;
	readonly days: number;
	readonly minutes: number;
}

export type DayPart = 'morning' | 'afternoon' | 'evening' | 'night';

/**
 * A time of day as it is written, `minute` by the clock of 24 hours. `sure`: it can be no other (14:00, 07:30, 9 pm); `open`: it is as likely
 * in the other half of the day. `word`: it may mean more than one thing.
 */
export interface TimeItem extends Span {
	readonly minute: number;
	readonly open?: boolean;
	readonly sure?: boolean;
	readonly word?: 'midnight' | '12 am' | '12 pm';
}

export interface Span {
	readonly start: number;
	readonly end: number;
}

/** What a phrase may mean, each as a phrase that means only that. */
export interface Doubt {
	readonly question: string;
	readonly choices: readonly { readonly text: string; readonly phrase: string }[];
}

/** Of which months: `open` where that is not said. */
export type MonthsOf = 'every' | 'open' | 'quarter' | 'year' | readonly number[];
export type NthWhat = Weekday | 'working' | 'day';

export type Said =
	| { readonly kind: 'times'; readonly items: readonly TimeItem[] }
	| { readonly kind: 'window'; readonly from: TimeItem; readonly to: TimeItem }
	| { readonly kind: 'day_part'; readonly part: DayPart }
	/** `date`: of each year, where no year was said. `moves`: it is counted from today. */
	| { readonly kind: 'day'; readonly day: Day; readonly date?: { readonly month: number; readonly day: number }; readonly moves?: boolean }
	/** One coming such day, or each. */
	| { readonly kind: 'weekdays'; readonly days: readonly Weekday[]; readonly each: boolean; readonly this?: boolean }
	| { readonly kind: 'in'; readonly amount: Amount }
	/** `each`: of those months in each year, which is said. */
	| { readonly kind: 'month_days'; readonly days: readonly number[]; readonly of: MonthsOf; readonly each?: boolean }
	| { readonly kind: 'nth'; readonly nth: readonly number[]; readonly what: NthWhat; readonly of: MonthsOf; readonly each?: boolean }
	| { readonly kind: 'every'; readonly n: number; readonly unit: Unit }
	/** So many times a day or a week, without saying when. */
	| { readonly kind: 'per'; readonly count: number; readonly unit: 'day' | 'week' | 'month' }
	| { readonly kind: 'months'; readonly months: readonly number[]; readonly each: boolean }
	| { readonly kind: 'both' | 'either'; readonly monthDays: readonly number[]; readonly days: readonly Weekday[] }
	/** What becomes of a day that a month lacks. */
	| { readonly kind: 'short'; readonly how: 'skip' | 'last' }
	/** The whole day, or up to a minute of it. */
	| { readonly kind: 'until'; readonly day: Day; readonly minute?: number }
	| { readonly kind: 'until_time'; readonly item: TimeItem }
	| { readonly kind: 'starting'; readonly day: Day }
	| { readonly kind: 'starting_time'; readonly item: TimeItem }
	| { readonly kind: 'lasting'; readonly amount: Amount }
	| { readonly kind: 'except'; readonly days: readonly Weekday[] }
	/** Undefined: the owner's own. */
	| { readonly kind: 'zone'; readonly zone: string | undefined }
	/** `besideWeeks`: no doubt, but this, where the sentence says that it comes every so many weeks, or so many times a week. */
	| { readonly kind: 'doubt'; readonly doubt: Doubt; readonly besideWeeks?: Said }
	/** It is understood, and can't be. */
	| { readonly kind: 'never'; readonly message: string; readonly action?: string }
	| { readonly kind: 'result'; readonly result: TaskResult }
	| { readonly kind: 'trigger'; readonly trigger: Trigger };

export type Part = Said & Span;
export type PartOf<Kind extends Said['kind']> = Extract<Part, { kind: Kind }>;

/** The clock on the wall that a sentence is read by. */
export interface Today {
	readonly day: Day;
	readonly minute: number;
}

/** A phrase at a place of a text: what it says, and where it ends. */
export interface Read {
	readonly said: readonly Said[];
	readonly end: number;
}

export type Reader = (text: string, at: number, today: Today) => Read | undefined;

/** A reader of all that fits a pattern at a place, with whole words at its ends. */
export function phrase(
	pattern: string,
	read: (groups: Readonly<Record<string, string | undefined>>, today: Today, at: number) => readonly Said[] | Said | undefined,
): Reader {
	const expression = new RegExp(`(?:${pattern})(?![\\p{L}\\p{N}])(?!['’]s\\b)`, 'iuy');
	return (text, at, today) => {
		expression.lastIndex = at;
		const found = expression.exec(text);
		const said = found && read(found.groups ?? {}, today, at);
		if (!found || !said) return undefined;
		return { said: Array.isArray(said) ? said : [said as Said], end: at + found[0].length };
	};
}
