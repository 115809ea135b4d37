import { expect, test } from 'vitest';
import { embeddedTexts } from '../../../src/memory/index/embedded-text.ts';
import { isFirstPerson, parseSpeaker, withoutVocatives } from '../../../src/memory/search/speakers.ts';

test('M5 a name before a colon speaks; a label does not', () => {
	expect(parseSpeaker('Anna: I went home')).toEqual({ speaker: 'Anna', said: 'I went home' });
	expect(parseSpeaker('Dr. Müller-Lee: Yes').speaker).toBe('Dr. Müller-Lee');
	for (const text of ['Deadline: 5 May', 'Frist: 5. Mai', 'password: x', 'Note:', 'https://example.org', 'At 10:30 we left'])
		expect(parseSpeaker(text).speaker, text).toBeUndefined();
	expect([isFirstPerson("I'm late"), isFirstPerson('Mein Bus'), isFirstPerson('In India')]).toEqual([true, false, false]);
});

test('M5 a name called out is taken away, a name spoken of is not', () => {
	const people = ['Melanie', 'Ben'];
	expect(withoutVocatives('Thanks, Mel! I saw Melanie swim.', people)).toBe('Thanks! I saw Melanie swim.');
	expect(withoutVocatives('Hey Ben! How are you?', people)).toBe('Hey! How are you?');
	expect(withoutVocatives('Ben, come here', people)).toBe('come here');
	expect(withoutVocatives('Melanie and Ben are here', people)).toBe('Melanie and Ben are here');
	expect(withoutVocatives('Ben!', people)).toBe('Ben!');
});

test('M5 what is embedded: no speaker, no marks, under its heading; a long entry in windows that lose nothing', () => {
	expect(embeddedTexts('Anna: I **love** [tea](https://example.org)', [], [])).toEqual(['I love tea']);
	expect(embeddedTexts('Call at nine', ['Health', 'Dentist'], [])).toEqual(['Dentist: Call at nine']);
	const words = Array.from({ length: 600 }, (_, at) => `word${at}`);
	const windows = embeddedTexts(words.join(' '), [], []);
	expect(windows.length).toBeGreaterThan(5);
	expect(windows.every((window) => window.length <= 700)).toBe(true);
	expect(windows.join(' ').split(/\s+/)).toEqual(words);
});
