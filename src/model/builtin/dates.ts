import { localDay } from '../../domain/local-day.ts';

/** Days as people name them, by the owner's clock. Pure. */

const MONTHS: Readonly<Record<string, number>> = Object.fromEntries(
	[
		['january', 'jan', 'januar', 'jänner'],
		['february', 'feb', 'februar'],
		['march', 'mar', 'märz', 'maerz'],
		['april', 'apr'],
		['may', 'mai'],
		['june', 'jun', 'juni'],
		['july', 'jul', 'juli'],
		['august', 'aug'],
		['september', 'sep', 'sept'],
		['october', 'oct', 'oktober', 'okt'],
		['november', 'nov'],
		['december', 'dec', 'dezember', 'dez'],
	].flatMap((names, index) => names.map((name) => [name, index + 1] as const)),
);
const WEEKDAYS = [
	['sunday', 'sonntag'],
	['monday', 'montag'],
	['tuesday', 'dienstag'],
	['wednesday', 'mittwoch'],
	['thursday', 'donnerstag'],
	['friday', 'freitag'],
	['saturday', 'samstag', 'sonnabend'],
];
const MONTH = Object.keys(MONTHS)
	.sort((a, b) => b.length - a.length)
	.join('|');
const BEFORE = '(?:\\b(?:on|from|of|am|vom|den)\\s+)?(?:the\\s+)?';
const NAMED: readonly [RegExp, (groups: Record<string, string | undefined>, now: Date) => Date | undefined][] = [
	[/\b(?:on\s+|am\s+)?(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})\b/i, (at, now) => dated(at.day, at.month, at.year, now)],
	[
		new RegExp(`${BEFORE}\\b(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?(?<month>${MONTH})\\b\\.?(?:,?\\s+(?<year>\\d{4}))?`, 'i'),
		(at, now) => dated(at.day, at.month, at.year, now),
	],
	[
		new RegExp(`${BEFORE}\\b(?<month>${MONTH})\\.?\\s+(?<day>\\d{1,2})(?:st|nd|rd|th)?\\b(?:,?\\s+(?<year>\\d{4}))?`, 'i'),
		(at, now) => dated(at.day, at.month, at.year, now),
	],
	[/\b(?:am|vom|den)\s+(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.(?:\s?(?<year>\d{4}))?/i, (at, now) => dated(at.day, at.month, at.year, now)],
	[/\b(?:the )?day before yesterday\b|(?<!\p{L})vorgestern(?!\p{L})/iu, (_, now) => daysBefore(now, 2)],
	[/\byesterday\b|(?<!\p{L})gestern(?!\p{L})/iu, (_, now) => daysBefore(now, 1)],
	[/\b(?:today|heute)\b/i, (_, now) => daysBefore(now, 0)],
	[
		new RegExp(`\\b(?:on|last|am|letzten|vorigen)\\s+(?:last\\s+|letzten\\s+)?(?<weekday>${WEEKDAYS.flat().join('|')})\\b`, 'i'),
		({ weekday = '' }, now) => {
			const wanted = WEEKDAYS.findIndex((names) => names.includes(weekday.toLowerCase()));
			return daysBefore(now, ((now.getDay() - wanted + 6) % 7) + 1);
		},
	],
];

/** The first day that a text names, as `2026-05-03`, and the text without it. A day without a year is the newest one that is past. */
export function dayIn(text: string, now: number): { day: string; rest: string } | undefined {
	for (const [pattern, read] of NAMED) {
		const found = pattern.exec(text);
		const date = found && read(found.groups ?? {}, new Date(now));
		if (date)
			return { day: localDay(date.getTime()), rest: `${text.slice(0, found.index)} ${text.slice(found.index + found[0].length)}`.trim() };
	}
	return undefined;
}

export function longDay(day: string): string {
	return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
}

function dated(day = '', month = '', year: string | undefined, now: Date): Date | undefined {
	const number = MONTHS[month.toLowerCase()] ?? Number(month);
	const make = (in_: number) => {
		const date = new Date(in_, number - 1, Number(day));
		return date.getMonth() === number - 1 && date.getDate() === Number(day) ? date : undefined;
	};
	if (year !== undefined) return make(Number(year));
	const thisYear = make(now.getFullYear());
	return thisYear && thisYear <= now ? thisYear : make(now.getFullYear() - 1);
}

function daysBefore(now: Date, days: number): Date {
	return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days);
}
