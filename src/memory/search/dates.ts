/** Dates and times that questions and entries speak of, English and German. All pure. */

/** Local milliseconds; `until` is the first instant after it. */
export interface DateRange {
	readonly from: number;
	readonly until: number;
}

const MONTHS = [
	'jan(?:uary|uar)?|jänner',
	'feb(?:ruary|ruar)?',
	'mar(?:ch)?|märz?',
	'apr(?:il)?',
	'may|mai',
	'june?|juni',
	'july?|juli',
	'aug(?:ust)?',
	'sept?(?:ember)?',
	'o[ck]t(?:ober)?',
	'nov(?:ember)?',
	'de[cz](?:ember)?',
];
const MONTH = `(${MONTHS.join('|')})\\.?`;
const YEAR = '(?:19|20)\\d{2}';
const DAY = '(\\d{1,2})(?:st|nd|rd|th|\\.)?';

const ISO = /\b((?:19|20)\d{2})-(\d{2})(?:-(\d{2}))?\b/;
const GERMAN = new RegExp(`\\b(\\d{1,2})\\.(\\d{1,2})\\.(${YEAR})?`);
const DAY_MONTH = new RegExp(`\\b${DAY}\\s*(?:of\\s+)?${MONTH}(?:\\s*,?\\s*(${YEAR}))?\\b`, 'i');
const MONTH_DAY = new RegExp(`\\b${MONTH}\\s+${DAY}(?!\\d)(?:\\s*,?\\s*(${YEAR}))?`, 'i');
const MONTH_YEAR = new RegExp(`\\b${MONTH}\\s*,?\\s*(?:of\\s+)?(${YEAR})\\b`, 'i');
const ONLY_MONTH = new RegExp(`\\b(?:in|im|during|since|last|this|of|early|late|mid)[\\s-]+${MONTH}(?=\\W|$)`, 'i');
const ONLY_YEAR = new RegExp(`\\b(?:in|im jahr|during|year|of|since|summer|winter|spring|fall|autumn)\\s+(${YEAR})\\b`, 'i');

export interface NamedTime {
	readonly ranges: readonly DateRange[];
	/** The words that say it. */
	readonly words: string;
}

/**
 * The time that a question names, in the owner's local time; undefined where it names none. A day or month without a year may be of any of
 * `years`, the years that entries are from.
 */
export function timeNamedIn(text: string, now: number, years: readonly number[]): NamedTime | undefined {
	for (const [pattern, read] of FORMS) {
		const match = pattern.exec(text);
		const ranges = match ? read(match, years) : [];
		if (match && ranges.length > 0) return { ranges, words: match[0] };
	}
	return relative(text, now);
}

type Reader = (match: RegExpExecArray, years: readonly number[]) => DateRange[];

const FORMS: readonly (readonly [RegExp, Reader])[] = [
	[ISO, ([, year, month, day]) => range(Number(year), Number(month), day === undefined ? undefined : Number(day))],
	[GERMAN, ([, day, month, year], years) => dayRanges(Number(day), Number(month), year, years)],
	[DAY_MONTH, ([, day, month, year], years) => dayRanges(Number(day), monthNumber(month), year, years)],
	[MONTH_DAY, ([, month, day, year], years) => dayRanges(Number(day), monthNumber(month), year, years)],
	[MONTH_YEAR, ([, month, year]) => range(Number(year), monthNumber(month), undefined)],
	[ONLY_MONTH, ([, month], years) => years.flatMap((year) => range(year, monthNumber(month), undefined))],
	[ONLY_YEAR, ([, year]) => [{ from: localTime(Number(year), 1, 1), until: localTime(Number(year) + 1, 1, 1) }]],
];

/** How well a time fits the range: 1 inside it, falling to 0 at five times its length (at least a week) away. */
export function closeness(ranges: readonly DateRange[], at: number): number {
	let best = 0;
	for (const { from, until } of ranges) {
		if (at >= from && at < until) return 1;
		const away = at < from ? from - at : at - until;
		const reach = Math.max(7 * DAY_MS, Math.min(60 * DAY_MS, 2 * (until - from)));
		best = Math.max(best, 0.7 * (1 - away / reach));
	}
	return best;
}

const WHEN =
	/\b(?:when|what (?:date|day|month|year|time)|which (?:date|day|month|year)|how (?:long|often|many (?:days|weeks|months|years))|since|wann|wie (?:lange|oft)|welche[rnms]? (?:tag|monat|jahr|datum)|an welchem)\b/i;

export function asksWhen(text: string): boolean {
	return WHEN.test(text);
}

const TIME_EXPRESSION = new RegExp(
	`\\b(?:yesterday|today|tonight|tomorrow|ago|(?:last|next|this|past|every|each)\\s+(?:night|week|weekend|month|year|summer|winter|spring|fall|autumn|few|two|three|mon|tues|wednes|thurs|fri|satur|sun)\\w*|weekend|morning|evening|recently|since|years?|months?|weeks?|days?|hours?|(?:mon|tues|wednes|thurs|fri|satur|sun)day|birthday|anniversary|gestern|heute|morgen|letzte[nrs]?|nächste[nrs]?|vor \\w+ (?:tag|woche|monat|jahr)\\w*|seit|jahren?|monate?n?|wochen?|tage?n?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|${YEAR}|\\d{1,2}(?::\\d{2})?\\s*(?:am|pm|uhr)|\\d{1,2}\\.\\d{1,2}\\.|(?:${MONTHS.filter((_, index) => index !== 4).join('|')})\\b)`,
	'i',
);

/** Whether the text says when something was or will be. */
export function namesTime(text: string): boolean {
	return TIME_EXPRESSION.test(text);
}

const DAY_MS = 86_400_000;

/** Days from today on: the first, and the first after it. A week begins on Monday. */
const RELATIVE: readonly (readonly [RegExp, (today: Date) => readonly [number, number]])[] = [
	[/\b(?:day before yesterday|vorgestern)\b/i, () => [-2, -1]],
	[/\b(?:yesterday|gestern)\b/i, () => [-1, 0]],
	[/\b(?:today|heute)\b/i, () => [0, 1]],
	[/\b(?:last week|letzte[nr]? woche|vorige[nr]? woche)\b/i, (today) => [monday(today) - 7, monday(today)]],
	[/\b(?:this week|diese[nr]? woche)\b/i, (today) => [monday(today), monday(today) + 7]],
	[/\b(?:last month|letzten monat|vorigen monat)\b/i, (today) => [firstOfMonth(today, -1), firstOfMonth(today, 0)]],
	[/\b(?:this month|diesen monat)\b/i, (today) => [firstOfMonth(today, 0), firstOfMonth(today, 1)]],
];

function relative(text: string, now: number): NamedTime | undefined {
	const today = new Date(now);
	for (const [pattern, daysOf] of RELATIVE) {
		const match = pattern.exec(text);
		if (!match) continue;
		const [first, end] = daysOf(today);
		const at = (days: number) => localTime(today.getFullYear(), today.getMonth() + 1, today.getDate() + days);
		return { ranges: [{ from: at(first), until: at(end) }], words: match[0] };
	}
	return undefined;
}

function monday(today: Date): number {
	return -((today.getDay() + 6) % 7);
}

function firstOfMonth(today: Date, months: number): number {
	const first = new Date(today.getFullYear(), today.getMonth() + months, 1);
	const day = new Date(today.getFullYear(), today.getMonth(), today.getDate());
	return Math.round((first.getTime() - day.getTime()) / DAY_MS);
}

function monthAt(year: number, month: number): DateRange[] {
	return [{ from: localTime(year, month, 1), until: localTime(year, month + 1, 1) }];
}

function range(year: number, month: number, day: number | undefined): DateRange[] {
	if (month < 1 || month > 12 || (day !== undefined && (day < 1 || day > 31))) return [];
	if (day === undefined) return monthAt(year, month);
	return [{ from: localTime(year, month, day), until: localTime(year, month, day + 1) }];
}

function dayRanges(day: number, month: number, year: string | undefined, years: readonly number[]): DateRange[] {
	const meant = year === undefined ? years : [Number(year)];
	return meant.flatMap((one) => range(one, month, day));
}

/** `month` from 1, may be 0 or 13. */
function localTime(year: number, month: number, day: number): number {
	return new Date(year, month - 1, day).getTime();
}

const monthPatterns = MONTHS.map((pattern) => new RegExp(`^(?:${pattern})$`, 'i'));

function monthNumber(name: string | undefined): number {
	return monthPatterns.findIndex((pattern) => pattern.test(name ?? '')) + 1;
}
