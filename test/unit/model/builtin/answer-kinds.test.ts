import { describe, expect, test } from 'vitest';
import { askingPart, hasAnswerOfKind } from '../../../../src/model/builtin/answer-kinds.ts';
import { answerFrom, nearest } from '../../../../src/model/builtin/memory-answer.ts';
import type { Entry } from '../../../../src/model/builtin/memory-results.ts';

/** An entry of which the search is as sure as it can be. */
function entry(text: string, over: Partial<Entry> = {}): Entry {
	return {
		file: 'MEMORY.md',
		from: 1,
		to: 1,
		author: 'written by the owner',
		label: 'owner',
		day: '2026-11-29',
		state: 'current',
		score: 1,
		parts: { similarity: 0.9, coverage: 1 },
		ref: 'a',
		under: '',
		text,
		isHeading: false,
		...over,
	};
}

test.each([
	['Where is the drill?', 'Where is the drill?'],
	['The form is here: which number do I write?', 'which number do I write?'],
	['I am in the shop. How long is the hose? They ask.', 'How long is the hose?'],
	['What is Dr. Marlow’s first name?', 'What is Dr. Marlow’s first name?'],
])('what asks in “%s” is “%s”', (question, part) => {
	expect(askingPart(question)).toBe(part);
});

describe('kinds of answers', () => {
	test.each([
		['Where was Rosa born?', 'Rosa was born on 2 May 1990.', 'hardly'],
		['Where was Rosa born?', 'Rosa was born in Lund.', 'yes'],
		['When is the filter cleaned?', 'The filter is cleaned every three months.', 'yes'],
		['When does the back hurt?', 'The back hurts after long drives.', 'hardly'],
		['How long does Ole stay?', 'Ole stays until the end of May.', 'hardly'],
		['When does the shop open?', 'The shop sells bicycles.', 'no'],
		['Who is in charge of the hall?', 'The hall is looked after by Rosa Lund.', 'yes'],
		['The nurse is on the phone: where is the spray?', 'The spray is in the bag.', 'yes'],
	])('%s → %s: %s', (question, text, kind) => {
		expect(hasAnswerOfKind(question, text)).toBe(kind);
	});
});

describe('a plain answer has what was asked for, however near the entry is', () => {
	test.each([
		['What breed is Rollo?', 'Rollo must not eat onions.', 'Rollo is a breed of his own.'],
		['What is Dr. Marlow’s first name?', 'The vet is Dr. Marlow.', 'Dr. Marlow’s first name is Ines.'],
		['How many boats are in the harbour?', 'The boats left the harbour; 300 people waved.', 'The harbour has room for forty boats.'],
		['Where was Rosa born?', 'Rosa was born on 2 May 1990.', 'Rosa was born in Lund.'],
		['What did we pay for the boat?', 'We sold the boat for 900 euros.', 'We bought the boat for 900 euros.'],
	])('%s', (question, near, answer) => {
		expect(answerFrom(question, [entry(near)])).toBeUndefined();
		expect(nearest(question, [entry(near)])).toContain(`> ${near}`);
		expect(answerFrom(question, [entry(answer)])).toContain(`> ${answer}`);
	});
});

test('a month in a question is that of a note of the day', () => {
	const question = 'What did the repair in March cost?';
	const notes = [
		entry('Paid 90 euros for the repair.', { file: 'memory/2026-03-04.md' }),
		entry('Paid 70 euros for the repair.', { file: 'memory/2026-06-04.md' }),
	];
	expect(answerFrom(question, notes)).toContain('90 euros');
	expect(answerFrom(question, notes)).not.toContain('70 euros');
});

test('what stands out is shown as the nearest though it is not sure; what does not is left out', () => {
	const unsure = (text: string, similarity: number) => entry(text, { parts: { similarity, coverage: 0 } });
	const alone = [unsure('The tyres are black.', 0.5), unsure('The choir sings.', 0.1)];
	expect(nearest('Is there some idea for Ole’s visit', alone)).toBeUndefined();
	expect(nearest('something for the wheels', alone)).toContain('tyres');
	expect(nearest('something for the wheels', [unsure('The tyres are black.', 0.3), unsure('The choir sings.', 0.29)])).toBeUndefined();
});
