/** Days ahead that an item names, by the owner's clock. Pure. */

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = '(?<month>jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)\\p{L}*\\.?';
const GERMAN: Readonly<Record<string, string>> = { mär: 'mar', mai: 'may', okt: 'oct', dez: 'dec' };
const WEEKDAYS = 'sun mon tue wed thu fri sat'.split(' ');
const NAMED: readonly RegExp[] = [
	/\b(?<year>20\d{2})-(?<number>\d{2})-(?<day>\d{2})\b/giu,
	new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?${MONTH}(?:,?\\s+(?<year>20\\d{2}))?`, 'giu'),
	new RegExp(`\\b${MONTH}\\s+(?<day>\\d{1,2})(?!\\d|[:.]\\d)(?:st|nd|rd|th)?(?:,?\\s+(?<year>20\\d{2}))?`, 'giu'),
	/(?<![\d.])(?<day>\d{1,2})\.\s?(?<number>\d{1,2})\.(?:\s?(?<year>20\d{2})|(?!\d))/giu,
];
const ON_WEEKDAY =
	/\b(?:by|until|till|on|before|this|next|coming)\s+(?:next\s+|this\s+)?(?<name>sun|mon|tues?|wednes|thurs|fri|satur)day\b/giu;
const DAY_MS = 86_400_000;
/** At which a day's reminder is told. */
const MORNING = 9;
/** A date without a year that is longer past than this is of the next year. */
const JUST_PAST_DAYS = 60;

/** The first morning that the text names and that lies ahead; undefined where it names none. */
export function nextTimeIn(text: string, now: number): number | undefined {
	const times = [...named(text, now), ...onWeekdays(text, now), ...relative(text, now)].filter((time) => time > now);
	return times.length === 0 ? undefined : Math.min(...times);
}

function* named(text: string, now: number): Generator<number> {
	for (const pattern of NAMED)
		for (const { groups = {} } of text.matchAll(pattern)) {
			const short = groups.month?.toLowerCase().slice(0, 3) ?? '';
			const month = groups.number === undefined ? MONTHS.indexOf(GERMAN[short] ?? short) : Number(groups.number) - 1;
			const time = morningOf(groups.year === undefined ? undefined : Number(groups.year), month, Number(groups.day), now);
			if (time !== undefined) yield time;
		}
}

function morningOf(year: number | undefined, month: number, day: number, now: number): number | undefined {
	const of = (inYear: number): Date => new Date(inYear, month, day, MORNING);
	const thisYear = new Date(now).getFullYear();
	let date = of(year ?? thisYear);
	if (year === undefined && date.getTime() < now - JUST_PAST_DAYS * DAY_MS) date = of(thisYear + 1);
	return date.getMonth() === month && date.getDate() === day ? date.getTime() : undefined;
}

function* onWeekdays(text: string, now: number): Generator<number> {
	const today = new Date(now);
	for (const { groups } of text.matchAll(ON_WEEKDAY)) {
		const wanted = WEEKDAYS.indexOf((groups?.name ?? '').toLowerCase().slice(0, 3));
		yield inDays(today, (wanted - today.getDay() + 7) % 7 || 7);
	}
}

function* relative(text: string, now: number): Generator<number> {
	const today = new Date(now);
	if (/\btomorrow\b|(?<!\p{L})morgen(?!\p{L})/iu.test(text)) yield inDays(today, 1);
	const within = /\b(?:within|in)\s+(?<count>\d{1,2}|two|three|ten|fourteen)\s+days\b/i.exec(text)?.groups?.count;
	if (within !== undefined) yield inDays(today, { two: 2, three: 3, ten: 10, fourteen: 14 }[within.toLowerCase()] ?? Number(within));
}

function inDays(today: Date, days: number): number {
	return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, MORNING).getTime();
}
