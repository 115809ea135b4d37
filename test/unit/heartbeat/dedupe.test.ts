import { expect, onTestFinished, test } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import { createEmbeddedPort } from '../../../src/embed/adapters/embedded.ts';
import { differences } from '../../../src/heartbeat/contradiction.ts';
import { relationOf } from '../../../src/heartbeat/dedupe.ts';
import { PAIRS } from './pairs.ts';

/** Of the pairs, by meaning and by words alone. Some can't be told apart without understanding them. */
const LEAST_WITH_MEANING = 0.9;
const LEAST_BY_WORDS = 0.8;

test('bg-4 the same in other words, and the opposite in the same words, are told apart; by words alone, too', async () => {
	const port = createEmbeddedPort({ logger: silentLogger });
	onTestFinished(() => port.close());
	const left = await port.embed(
		PAIRS.map(([, one]) => one),
		'query',
	);
	const right = await port.embed(
		PAIRS.map(([, , other]) => other),
		'query',
	);
	const share = (withVectors: boolean): number =>
		PAIRS.filter(([relation, one, other], index) => {
			const vectors = withVectors ? [left[index], right[index]] : [];
			const [a, b] = [
				{ text: one, vector: vectors[0] },
				{ text: other, vector: vectors[1] },
			];
			expect(relationOf(a, b)).toBe(relationOf(b, a));
			return relationOf(a, b) === relation;
		}).length / PAIRS.length;
	// Where only one of several values has changed, it is news by words and by meaning.
	for (const [at, [relation, one, other]] of PAIRS.entries()) {
		if (relation !== 'contradicts' || !/ (?:to|and) .*\d|children/.test(one)) continue;
		expect(relationOf({ text: one, vector: left[at] }, { text: other, vector: right[at] }), one).toBe(relation);
		expect(relationOf({ text: one }, { text: other }), one).toBe(relation);
	}
	expect(share(true)).toBeGreaterThanOrEqual(LEAST_WITH_MEANING);
	expect(share(false)).toBeGreaterThanOrEqual(LEAST_BY_WORDS);
});

test.each([
	['The talk is at 3 pm.', 'The talk is at 15:00.', []],
	['It costs 1,250.00 euros.', 'It costs €1250.', []],
	['Closed on 3 December.', 'Closed on December 3rd.', []],
	['am 3.12. geschlossen', 'am 3. Dezember geschlossen', []],
	['The talk is on Dienstag.', 'The talk is on Tuesday.', []],
	['The pass costs 20 euros.', 'The pass costs 25 euros.', ['money']],
	['The talk is at 3 pm.', 'The talk is at 4 pm.', ['time']],
	['We need three chairs.', 'We need four chairs.', ['number']],
	['We need three chairs.', 'We need four tables.', []],
	['Ana eats fish.', 'Ana never eats fish.', ['negation']],
	['The pool is open.', 'The pool is closed.', ['status']],
	['My dentist is Dr. Meyer.', 'My dentist is Dr. Kim.', ['value']],
	['Open from 10:00 to 18:00.', 'Open from 10:00 to 21:00.', ['time']],
	['Open from 10:00 to 18:00.', 'Open until 18:00.', []],
	['The fair is on from 3–9 December.', 'The fair is on from 3–12 December.', ['date']],
	['From 3 December to 9 December.', 'From 3 December to 12 December.', ['date']],
	['Children pay 10 euros, adults 20 euros.', 'Children pay 10 euros, adults 25 euros.', ['money']],
	['Open Tuesday to Saturday.', 'Open Tuesday to Friday.', ['weekday']],
	['The server runs v1.2.3.', 'The server runs 1.2.3.', []],
])('“%s” and “%s” differ in %j', (one, other, expected) => {
	expect(differences(one, other)).toEqual(expected);
});
