import { clock } from './days.ts';
import { NUMBER, numberOf } from './names.ts';
import { type DayPart, phrase, type Reader, type Said, type TimeItem } from './parts.ts';

/** Times of day as people write them. Hours from 1 to 7 may be of either half of the day; those from 8 on are read by the clock of 24 hours. */

const AM_PM = String.raw`\s?(?<half>a\.?m\.?|p\.?m\.?)(?![\p{L}])`;
const HOUR_WORD = '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';
const NOT_A_TIME = String.raw`(?![\p{L}\p{N}]|[.:,/]\d|\s*(?:st|nd|rd|th|%|€|\$|minutes?|mins?|hours?|hrs?|days?|weeks?|months?|years?|times|percent|degrees|euros?|dollars?|of)(?!\p{L}))`;

const EXACT: readonly [string, (groups: Readonly<Record<string, string | undefined>>) => Omit<TimeItem, 'start' | 'end'> | undefined][] = [
	[String.raw`(?:12\s+)?(?:noon|midday)(?!\p{L})`, () => ({ minute: 720, sure: true })],
	[String.raw`(?:12\s+)?midnight(?!\p{L})`, () => ({ minute: 0, word: 'midnight' })],
	[
		String.raw`(?:(?<past>half|(?:a\s+)?quarter|(?:\d{1,2}|five|ten|twenty|twenty-five)\s+minutes|(?:5|10|20|25|five|ten|twenty|twenty-five)(?=\s+past))\s+(?<way>past|to))\s+(?<hour>\d{1,2}|${HOUR_WORD}|noon|midnight)(?:\s+o['’]clock)?(?:${AM_PM})?(?![\p{L}\p{N}:])`,
		({ past = '', way, hour = '', half }) => besides(past, way === 'to', hour, half),
	],
	[
		String.raw`(?<hour>\d{1,2})(?<mark>[:.])(?<minute>\d{2})(?:${AM_PM}|\s?(?:h|hours|o['’]clock)?)(?![\p{L}\p{N}]|[.:,/]\d)`,
		({ hour = '', minute, half }) => timeOf(hour, Number(minute), half),
	],
	[String.raw`(?<hour>\d{1,2}|${HOUR_WORD})(?:${AM_PM})(?![\p{N}]|\.?\d)`, ({ hour = '', half }) => timeOf(digits(hour), 0, half)],
	[String.raw`(?<hour>\d{1,2}|${HOUR_WORD})\s?(?:h|o['’]clock)(?![\p{L}\p{N}])`, ({ hour = '' }) => timeOf(digits(hour), 0, undefined)],
];
/** Only where something says that it is a time. */
const BARE = String.raw`(?<hour>\d{1,2}|${HOUR_WORD})${NOT_A_TIME}`;

const expressions = EXACT.map(([pattern, read]) => [new RegExp(pattern, 'iuy'), read] as const);
const bare = new RegExp(BARE, 'iuy');
const SEPARATOR = /(?:\s*(?:,\s*and|,|and|&)|\s+\+(?!\d))\s*(?:at\s+)?/iuy;
const AT = /(?:at|@)\s*(?:exactly\s+)?/iuy;

export function readTime(text: string, at: number, allowBare: boolean): TimeItem | undefined {
	for (const [expression, read] of expressions) {
		expression.lastIndex = at;
		const found = expression.exec(text);
		const item = found && read(found.groups ?? {});
		if (found && item) return { ...item, start: at, end: at + found[0].length };
	}
	if (!allowBare) return undefined;
	bare.lastIndex = at;
	const found = bare.exec(text);
	const item = found && timeOf(digits(found.groups?.hour ?? ''), 0, undefined);
	return found && item ? { ...item, start: at, end: at + found[0].length } : undefined;
}

/** `at 8`, `at 8:30 and 17:45`, `9am, 1pm and 5pm`. */
const readTimes: Reader = (text, at) => {
	const start = after(AT, text, at);
	const first = readTime(text, start, start > at);
	if (!first) return undefined;
	const items = [first];
	for (;;) {
		const end = items.at(-1)?.end ?? at;
		const next = after(SEPARATOR, text, end);
		const item = next > end ? readTime(text, next, start > at) : undefined;
		if (!item) return { said: [{ kind: 'times', items }], end };
		items.push(item);
	}
};

const WINDOW = /(?:only\s+)?(?:between|from)\s+/iuy;
const TO = /\s*(?:and|to|until|till|-|–)\s*/iuy;

/** `between 9 and 17`, `from 9:00 to 17:00`, `9:00–17:00`. */
const readWindow: Reader = (text, at) => {
	const start = after(WINDOW, text, at);
	const from = readTime(text, start, start > at);
	if (!from) return undefined;
	const next = after(TO, text, from.end);
	if (next === from.end) return undefined;
	if (start === at && /and/iu.test(text.slice(from.end, next))) return undefined;
	const to = readTime(text, next, start > at);
	return to && { said: [{ kind: 'window', from, to }], end: to.end };
};

const PARTS: Readonly<Record<string, DayPart>> = {
	morning: 'morning',
	afternoon: 'afternoon',
	evening: 'evening',
	night: 'night',
};
const PART = '(?<part>morning|afternoon|evening|night)';

const HOURS_QUESTION = 'Between which hours?';

export const timeReaders: readonly Reader[] = [
	readTimes,
	readWindow,
	phrase(`(?:in the|at|during the)\\s+${PART}`, ({ part }) => dayPart(part)),
	phrase(`(?:in the\\s+)?${PART}s`, ({ part }) => [{ kind: 'every', n: 1, unit: 'day' }, dayPart(part)]),
	phrase(`(?:every|each)\\s+${PART}`, ({ part }) => [{ kind: 'every', n: 1, unit: 'day' }, dayPart(part)]),
	phrase('(?:in|during)\\s+(?:the\\s+)?(?:working|work|office|business)\\s+hours', () => ({
		kind: 'doubt',
		doubt: {
			question: HOURS_QUESTION,
			choices: [9 * 60, 8 * 60].map((from) => {
				const to = from === 540 ? 1020 : 1080;
				return { text: `from ${clock(from)} to ${clock(to)}`, phrase: `between ${clock(from)} and ${clock(to)}` };
			}),
		},
	})),
];

export function dayPart(name: string | undefined): Said {
	return { kind: 'day_part', part: PARTS[(name ?? '').toLowerCase()] ?? 'morning' };
}

export function after(expression: RegExp, text: string, at: number): number {
	expression.lastIndex = at;
	const found = expression.exec(text);
	return found ? at + found[0].length : at;
}

function digits(hour: string): string {
	return /^\d/.test(hour) ? hour : String(numberOf(hour));
}

function timeOf(written: string, minute: number, half: string | undefined): Omit<TimeItem, 'start' | 'end'> | undefined {
	const hour = Number(written);
	if (minute > 59 || hour > 24 || (hour === 24 && minute > 0)) return undefined;
	if (half === undefined) {
		const isSure = written.startsWith('0') || hour > 12;
		return { minute: hour * 60 + minute, ...(isSure ? { sure: true } : hour <= 7 && { open: true }) };
	}
	const isPm = half.toLowerCase().startsWith('p');
	if (hour === 12 && minute === 0) return { minute: isPm ? 720 : 0, word: isPm ? '12 pm' : '12 am' };
	if (hour > 12) return isPm && hour < 24 ? { minute: hour * 60 + minute, sure: true } : undefined;
	if (hour === 0) return undefined;
	return { minute: (hour % 12) * 60 + minute + (isPm ? 720 : 0), sure: true };
}

/** `half past 8`, `quarter to nine`. */
function besides(past: string, isTo: boolean, hour: string, half: string | undefined): Omit<TimeItem, 'start' | 'end'> | undefined {
	const minutes = minutesOf(past);
	if (Number.isNaN(minutes) || minutes > 59 || (isTo && /^half/i.test(past))) return undefined;
	const by = isTo ? -minutes : minutes;
	if (/^(?:noon|midnight)$/i.test(hour)) {
		const minute = (hour.toLowerCase() === 'noon' ? 720 : 1440) + by;
		return half === undefined && minute < 1440 ? { minute, sure: true } : undefined;
	}
	const base = timeOf(digits(hour), 0, half);
	if (!base || base.word !== undefined) return undefined;
	const minute = (base.minute + by + 1440) % 1440;
	const isOpen = half === undefined && (base.open === true || minute < 480);
	return { minute, ...(isOpen ? { open: true } : half !== undefined && { sure: true }) };
}

function minutesOf(past: string): number {
	const word = past
		.toLowerCase()
		.replace(/^a\s+|\s+minutes$/g, '')
		.trim();
	if (word === 'half') return 30;
	if (word === 'quarter') return 15;
	if (word === 'twenty-five') return 25;
	return new RegExp(`^${NUMBER}$`, 'i').test(word) ? numberOf(word) : Number.NaN;
}
