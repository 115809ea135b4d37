import type { Timestamp } from '../../domain/ids.ts';
import { type ClockWords, isBy24 } from './clock-times.ts';
import { clock } from './days.ts';
import { asks, type Outcome } from './outcome.ts';
import type { DayPart, Part, PartOf, Said, Span, Today } from './parts.ts';

/** The phrases of a sentence that say when, by their kind. */
export interface Phrases {
	readonly parts: readonly Part[];
	all<Kind extends Said['kind']>(kind: Kind): PartOf<Kind>[];
	one<Kind extends Said['kind']>(kind: Kind): PartOf<Kind> | undefined;
	readonly words: Omit<ClockWords, 'midnight'>;
	readonly today: Today;
	readonly now: Timestamp;
	/** That the times are in. */
	readonly zone: string;
	/** Where the sentence names it. */
	readonly named: string | undefined;
	/** What is asked where no time of day was said. */
	whichTime(): Outcome;
}

const OFFERED: Readonly<Record<DayPart | 'any', readonly number[]>> = {
	morning: [7, 8, 9],
	afternoon: [14, 15, 16],
	evening: [18, 19, 20],
	night: [20, 21, 22],
	any: [8, 9, 12, 18],
};

export interface PhrasesAt {
	readonly text: string;
	readonly now: Timestamp;
	readonly today: Today;
	readonly zone: string;
	readonly named: string | undefined;
	/** Where a time of day may be put in. */
	readonly end: number;
}

export function phrasesOf(parts: readonly Part[], { text, end, ...at }: PhrasesAt): Phrases {
	const all = <Kind extends Said['kind']>(kind: Kind) => parts.filter((part): part is PartOf<Kind> => part.kind === kind);
	const part = all('day_part')[0]?.part;
	const items = [
		...all('times').flatMap(({ items: each }) => each),
		...all('window').flatMap(({ from, to }) => [from, to]),
		...[...all('until_time'), ...all('starting_time')].map(({ item }) => item),
	];
	return {
		...at,
		parts,
		all,
		one: (kind) => all(kind)[0],
		words: { part, by24: isBy24(items, text) },
		whichTime: () =>
			asks(
				'At what time?',
				OFFERED[part ?? 'any'].map((hour) => [clock(hour * 60), put(end, ` at ${clock(hour * 60)}`)] as const),
			),
	};
}

export function put(at: number, text: string): Span & { text: string } {
	return { start: at, end: at, text };
}
