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

/**
 * The time that a question names, in the owner's local time. A day or month without a year is the one of `years`, the years that entries
 * are from, as several ranges. Empty where it names none.
 */
export function datesIn(text: string, now: number, years: readonly number[]): DateRange[] {
	const iso = ISO.exec(text);
	if (iso) return range(Number(iso[1]), Number(iso[2]), iso[3] === undefined ? undefined : Number(iso[3]));
	const german = GERMAN.exec(text);
	if (german) return dayRanges(Number(german[1]), Number(german[2]), german[3], years);
	const dayMonth = DAY_MONTH.exec(text);
	if (dayMonth) return dayRanges(Number(dayMonth[1]), monthNumber(dayMonth[2]), dayMonth[3], years);
	const monthDay = MONTH_DAY.exec(text);
	if (monthDay) return dayRanges(Number(monthDay[2]), monthNumber(monthDay[1]), monthDay[3], years);
	const monthYear = MONTH_YEAR.exec(text);
	if (monthYear) return range(Number(monthYear[2]), monthNumber(monthYear[1]), undefined);
	const month = ONLY_MONTH.exec(text);
	if (month) return years.flatMap((year) => range(year, monthNumber(month[1]), undefined));
	const year = ONLY_YEAR.exec(text);
	if (year) return [{ from: localTime(Number(year[1]), 1, 1), until: localTime(Number(year[1]) + 1, 1, 1) }];
	return relative(text, now);
}

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

function relative(text: string, now: number): DateRange[] {
	const today = new Date(now);
	const days = (from: number, until: number): DateRange[] => [
		{
			from: new Date(today.getFullYear(), today.getMonth(), today.getDate() + from).getTime(),
			until: new Date(today.getFullYear(), today.getMonth(), today.getDate() + until).getTime(),
		},
	];
	const monday = -((today.getDay() + 6) % 7);
	if (/\b(?:day before yesterday|vorgestern)\b/i.test(text)) return days(-2, -1);
	if (/\b(?:yesterday|gestern)\b/i.test(text)) return days(-1, 0);
	if (/\b(?:today|heute)\b/i.test(text)) return days(0, 1);
	if (/\b(?:last week|letzten? woche|vorige woche)\b/i.test(text)) return days(monday - 7, monday);
	if (/\b(?:this week|diesen? woche)\b/i.test(text)) return days(monday, monday + 7);
	if (/\b(?:last month|letzten monat|vorigen monat)\b/i.test(text)) return monthAt(today.getFullYear(), today.getMonth());
	if (/\b(?:this month|diesen monat)\b/i.test(text)) return monthAt(today.getFullYear(), today.getMonth() + 1);
	return [];
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
