import { MONTH_NAMES, WEEKDAY_NAMES } from '../word-parts.ts';
import { lastOfMonth, longDay, partsOf, plusDays } from './days.ts';
import { ordinal, WORKING_DAYS } from './names.ts';
import { asks, notUnderstood, type Outcome, unclear } from './outcome.ts';
import type { PartOf, Span } from './parts.ts';
import { type DayPattern, firstOn } from './pattern.ts';
import { type Phrases, put } from './phrases.ts';

/** What is asked where days may be other days, each choice as words that say it without doubt. */

export interface Counted extends Span {
	readonly n: number;
	readonly unit: 'day' | 'week' | 'month' | 'quarter' | 'year';
}

/** sch-6: a day of the month and a weekday. */
export function bothFields(date: PartOf<'month_days'>, week: PartOf<'weekdays'>): Outcome {
	if (date.of !== 'open' && date.of !== 'every') return notUnderstood();
	const [dates, days] = [date.days.map(ordinal).join(' and the '), week.days.map((day) => `${WEEKDAY_NAMES[day]}s`).join(' and ')];
	const [first, second] = date.start < week.start ? [date, week] : [week, date];
	const span = { start: first.start, end: second.end };
	return asks(`On the ${dates} and also on ${days}, or only on ${days} that are the ${dates}?`, [
		[
			`On the ${dates} of every month, and on every one of the ${days}`,
			edit(span, `on the ${dates} of every month or on ${days}, whichever comes`),
		],
		...(week.days.length === 1
			? [[`Only on ${days} that are the ${dates}: both have to be so`, edit(span, `on ${days} that are the ${dates}`)] as const]
			: []),
	]);
}

export function onceOrEach({ today, parts }: Phrases, part: PartOf<'nth' | 'month_days'>, pattern: DayPattern): Outcome {
	// Today may be over by the time that was said; then the question is about the next one.
	const inMonths = typeof part.of === 'object' ? part.of : undefined;
	const first = firstOn(
		{ ...pattern, ...(inMonths && { months: inMonths }) },
		parts.some(({ kind }) => kind === 'times') ? today.day : plusDays(today.day, 1),
	);
	const words =
		part.kind === 'month_days'
			? `the ${part.days.map(ordinal).join(' and the ')}`
			: `the ${part.nth.map((each) => (each < 0 ? 'last' : ordinal(each))).join(' and the ')} ${typeof part.what === 'number' ? WEEKDAY_NAMES[part.what] : part.what === 'working' ? 'working day' : 'day'}`;
	const names = inMonths?.map((month) => MONTH_NAMES[month - 1]).join(' and ');
	const each =
		names === undefined
			? ([`Every month on ${words}`, edit(part, `on ${words} of every month`)] as const)
			: ([`Every year on ${words} of ${names}`, edit(part, `on ${words} of ${names} every year`)] as const);
	const unit = names === undefined ? 'month' : 'year';
	if (first === undefined) return asks(`Every ${unit}?`, [each]);
	return asks(`Once, or every ${unit}?`, [[`Once, on ${longDay(first)}`, edit(part, `on ${longDay(first, false)}`)], each]);
}

export function whichDayOf(month: number, every: Counted): Outcome {
	return asks(
		'On which day of it?',
		[1, 15].map((day) => [`On the ${ordinal(day)}`, put(every.end, ` on the ${ordinal(day)} of ${MONTH_NAMES[month - 1]}`)] as const),
	);
}

export function whichDay(every: Counted): Outcome {
	if (every.unit === 'week')
		return asks(
			'On which day of the week?',
			[...WORKING_DAYS, 6, 0].map((day) => [`On ${WEEKDAY_NAMES[day]}`, put(every.end, ` on ${WEEKDAY_NAMES[day]}`)] as const),
		);
	if (every.unit === 'month')
		return asks('On which day of the month?', [
			...[1, 15].map((day) => [`On the ${ordinal(day)}`, put(every.end, ` on the ${ordinal(day)}`)] as const),
			...(every.n === 1 ? [['On its last day', edit(every, 'on the last day of every month')] as const] : []),
		]);
	return unclear('I can’t tell on which day of the year.', 'Name it, as in “every year on 3 May”.');
}

/** “In December”: in each one, or in the coming one? */
export function whichYears({ today }: Phrases, part: PartOf<'months'>): Outcome {
	const names = part.months.map((month) => MONTH_NAMES[month - 1]).join(' and ');
	const each = [`In ${names} of every year`, edit(part, `in ${names} every year`)] as const;
	const [month, other] = part.months;
	if (month === undefined || other !== undefined) return asks('Every year?', [each]);
	const [year, now] = partsOf(today.day);
	const first = `${year + (month < now ? 1 : 0)}-${String(month).padStart(2, '0')}-01`;
	const from = first <= today.day ? '' : `starting ${longDay(first, false)} `;
	const only = [`Only in ${names} ${first.slice(0, 4)}`, edit(part, `${from}until ${longDay(lastOfMonth(first), false)}`)] as const;
	return asks('Every year, or only in the coming one?', [only, each]);
}

export function edit({ start, end }: Span, text: string): Span & { text: string } {
	return { start, end, text };
}
