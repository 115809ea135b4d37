import { clock } from './days.ts';
import { asks, impossible, type Outcome } from './outcome.ts';
import type { DayPart, TimeItem } from './parts.ts';

/**
 * Times of day by the clock of 24 hours. Hours from 8 to 12 are read as they are written; those from 1 to 7 may be in either half of the day,
 * unless the sentence says which, or has another time by the clock of 24 hours.
 */

const HALF = 12 * 60;

export interface ClockWords {
	readonly part: DayPart | undefined;
	/** Another time of the sentence is by the clock of 24 hours. */
	readonly by24: boolean;
	/** Midnight begins one day and ends another: it matters which where the day is said. `free`: any day, each day. */
	readonly midnight: 'free' | 'day' | 'month_day';
}

/** A minute of the day, 1440 for its end; or what is to be asked. */
export function minuteOf(item: TimeItem, words: ClockWords): number | Outcome {
	if (item.word === 'midnight') return words.midnight === 'free' ? 0 : whichMidnight(item);
	if (item.word !== undefined) return whichTwelve(item, item.word);
	const { minute } = item;
	if (item.sure && words.part !== undefined && !isIn(words.part, minute)) return notInIt(item, words.part);
	if (item.sure || minute === 0 || minute === 1440) return minute;
	switch (words.part) {
		case undefined:
			return item.open && !words.by24 ? whichHalf(item) : minute;
		case 'morning':
			return minute < HALF ? minute : notInIt(item, 'morning');
		case 'afternoon':
			if (minute >= HALF) return minute;
			return minute < 8 * 60 ? minute + HALF : notInIt(item, 'afternoon');
		case 'evening':
			return minute >= 4 * 60 && minute < HALF ? minute + HALF : notInIt(item, 'evening');
		case 'night':
			if (minute >= 6 * 60 && minute < HALF) return minute + HALF;
			// Twelve at night ends the day that was named.
			if (minute === HALF) return words.midnight === 'free' ? 0 : 2 * HALF;
			return minute < 6 * 60 && words.midnight === 'free' ? minute : notInIt(item, 'night');
	}
}

/** Of what can be no other time; generous at the ends, since people are. */
function isIn(part: DayPart, minute: number): boolean {
	const [from, to] = PART_HOURS[part];
	const hour = minute / 60;
	return from < to ? hour >= from && hour < to : hour >= from || hour < to;
}

const PART_HOURS: Readonly<Record<DayPart, readonly [from: number, to: number]>> = {
	morning: [0, 12],
	afternoon: [11, 20],
	evening: [15, 2],
	night: [18, 6],
};

export function isBy24(items: readonly TimeItem[], text: string): boolean {
	return items.some((item) => item.sure && !/[ap]\.?m|noon|midday/iu.test(text.slice(item.start, item.end)));
}

function whichHalf(item: TimeItem): Outcome {
	const [early, late] = [clock(item.minute), clock(item.minute + HALF)];
	const other = item.minute >= 5 * 60 ? 'evening' : 'afternoon';
	return asks(`Is it ${early} in the morning, or ${late} in the ${other}?`, [
		[`${early} in the morning`, { ...spanOf(item), text: early }],
		[`${late} in the ${other}`, { ...spanOf(item), text: late }],
	]);
}

function whichTwelve(item: TimeItem, word: '12 am' | '12 pm'): Outcome {
	const [midnight, noon] = [
		['midnight, 00:00', { ...spanOf(item), text: '00:00' }],
		['noon, 12:00', { ...spanOf(item), text: '12:00' }],
	] as const;
	return asks(`Is ${word} midnight or noon?`, word === '12 am' ? [midnight, noon] : [noon, midnight]);
}

function whichMidnight(item: TimeItem): Outcome {
	return asks('Is that midnight the beginning of the day, or its end?', [
		['00:00, as the day begins', { ...spanOf(item), text: '00:00' }],
		['24:00, as the day ends', { ...spanOf(item), text: '24:00' }],
	]);
}

function notInIt(item: TimeItem, part: DayPart): Outcome {
	return impossible(`I can’t tell which time ${clock(item.minute)} in the ${part} is.`, 'Say the time as in 14:00.');
}

function spanOf({ start, end }: TimeItem): { start: number; end: number } {
	return { start, end };
}
