import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HearthError } from '../../src/domain/errors.ts';
import { cardOf } from '../../src/schedule/card.ts';
import { type Reading, readSentence } from '../../src/schedule/sentence/read.ts';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'America/Sao_Paulo', 'Asia/Kolkata', 'UTC'];
const clock = fc.record({
	now: fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2032, 11, 31) }),
	zone: fc.constantFrom(...ZONES),
});

/** Words that sentences about times are made of, in any order. */
const PIECES = [
	...[
		'every',
		'each',
		'second',
		'other',
		'last',
		'first',
		'third',
		'next',
		'this',
		'day',
		'weekday',
		'weekend',
		'weekends',
		'week',
		'month',
		'quarter',
	],
	...[
		'year',
		'Monday',
		'Fridays',
		'Thursday',
		'Sunday',
		'at',
		'on',
		'in',
		'the',
		'of',
		'and',
		'or',
		',',
		'between',
		'from',
		'to',
		'until',
		'starting',
	],
	...[
		'9',
		'7',
		'17:30',
		'8 am',
		'12 am',
		'12 pm',
		'noon',
		'midnight',
		'9:00',
		'24:00',
		'1st',
		'13th',
		'31st',
		'29',
		'03/04',
		'3 May',
		'29 February',
	],
	...[
		'tomorrow',
		'today',
		'tonight',
		'morning',
		'evening',
		'twice a day',
		'biweekly',
		'daily',
		'hours',
		'minutes',
		'20',
		'3',
		'90',
		'a',
		'half an hour',
	],
	...[
		'except',
		'weekends',
		'New York time',
		'US time',
		'in zone Europe/Paris',
		'UTC',
		'EST',
		'end of the month',
		'for two weeks',
		'whichever comes',
	],
	...[
		'remind me',
		'to water the plants',
		'of the rent',
		'summarise my mail',
		'and notify me',
		'into the inbox',
		'into the file a.md',
		'run the workflow x',
	],
	...[
		'when',
		'a PDF lands in ~/Scans',
		'I come back',
		'the machine wakes',
		'Hearth starts',
		'a new finding comes',
		'"on Friday at 9"',
		'.',
		'-',
		'please',
	],
];
const shuffled = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));

function checkReading(reading: Reading, at: { now: number; zone: string }): void {
	if (reading.kind === 'draft') {
		const card = cardOf(reading.draft, at);
		if (reading.draft.when.kind === 'schedule') expect(card.next[0]?.at).toBeGreaterThan(at.now);
		// Nothing is hidden in it: the same draft is the same card.
		expect(cardOf(reading.draft, at).shownHash).toBe(card.shownHash);
	}
	if (reading.kind !== 'asks') return;
	expect(reading.choices.length).toBeGreaterThan(0);
	expect(new Set(reading.choices.map(({ text }) => text)).size).toBe(reading.choices.length);
	for (const { sentence } of reading.choices) expect(readSentence(sentence, at), sentence).toMatchObject({ kind: 'draft' });
}

test('what words of time say in any order is a card, a question whose choices are cards, or nothing; never an error', () => {
	fc.assert(
		fc.property(shuffled, clock, (text, at) => checkReading(readSentence(text, at), at)),
		{ numRuns: 600 },
	);
});

test('any text at all is read without an error', () => {
	fc.assert(
		fc.property(fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.string({ maxLength: 2_500 })), clock, (text, at) =>
			checkReading(readSentence(text, at), at),
		),
		{
			numRuns: 1_500,
		},
	);
});

/** No number, and no word that any phrase of time begins with. */
const TIMELESS = [
	'please',
	'write',
	'water',
	'the',
	'plants',
	'remind',
	'me',
	'to',
	'of',
	'mail',
	'summarise',
	'garden',
	'and',
	'call',
	'Anna',
	'about',
	'house',
	'run',
	'workflow',
	'x',
	',',
	'.',
	'is',
];

test('a sentence without a time or an event never becomes a card', () => {
	const timeless = fc.array(fc.constantFrom(...TIMELESS), { minLength: 1, maxLength: 15 }).map((words) => words.join(' '));
	fc.assert(
		fc.property(timeless, clock, (text, at) => {
			expect(readSentence(text, at).kind).toBe('unclear');
		}),
		{ numRuns: 500 },
	);
});

test('the longest sentences are read as well, whatever is said again and again in them', () => {
	const at = { now: Date.UTC(2026, 10, 30, 9), zone: 'Europe/Berlin' };
	for (const piece of [...PIECES, 'every Monday and ', 'at 9 and ', 'a ', '9 ', '/', '"', 'in 3 days ', 'the first and ', 'on ', '( '])
		checkReading(readSentence(`${piece} `.repeat(2_000).slice(0, 2_000), at), at);
});

test('a card of a sentence that was read is never refused by the check of schedules', () => {
	fc.assert(
		fc.property(shuffled, clock, (text, at) => {
			const reading = readSentence(text, at);
			if (reading.kind !== 'draft') return;
			try {
				cardOf(reading.draft, at);
			} catch (error) {
				if (error instanceof HearthError) expect.fail(`“${text}”: ${error.message}`);
				throw error;
			}
		}),
		{ numRuns: 500 },
	);
});
