import { describe, expect, test } from 'vitest';
import { intentOf, isQuestion } from '../../../../src/model/builtin/intent.ts';

const NOW = new Date(2026, 10, 29, 12).getTime();

const KINDS: Record<string, string[]> = {
	greeting: ['hi', 'Hello!', 'Hey there', 'good morning', 'Hallo', 'bonjour', 'こんにちは', '你好', 'привет'],
	thanks: ['thanks', 'Thank you very much!', 'ok', 'great'],
	help: ['help', '/help', '?', 'What can you do?', 'can you help?', 'how does this work?', 'commands'],
	who_are_you: ['who are you?', 'What are you', 'are you an AI?', 'Are you ChatGPT?', 'are you human', 'which model is this?'],
	connect: ['how do I connect Ollama?', 'set up LM Studio', 'I want to use Claude', 'add an API key', 'How can I get a real AI'],
	remember: [
		'remember that my dog is called Rex',
		'Please remember my birthday is 3 May',
		'can you remember my name is Jo?',
		"don't forget the milk",
		'note that the code is 123',
		'Merk dir, dass der Kellerschlüssel hinter der Garderobe hängt',
		'Vergiss nicht, dass Oma Geburtstag hat',
	],
	workflow: [
		'start the onboarding workflow',
		'Please run the workflow invoice-dispute',
		'Can you show me my workflows?',
		'How do I start a workflow?',
		'which workflows are there?',
		'Starte den Workflow onboarding',
	],
	forget: [
		'forget about Rex',
		'please forget my address',
		'Forget everything',
		'delete everything you know',
		'Vergiss meine alte Adresse',
		'lösche den Eintrag über Rex',
		'delete the spare key from your memory',
	],
	undo: ['undo that', 'Undo', 'please undo it', 'take that back', 'Mach das bitte rückgängig', 'Nimm das zurück'],
	knows_about: [
		'what do you know about Rex?',
		'what do you remember about me',
		'do you remember Anna?',
		'What have I told you about the house?',
		'Was weißt du über Oma Hilde?',
	],
	on_day: ['What did I say on 3 May?', 'what did I do yesterday', 'What happened on 2026-05-03?', 'Was habe ich gestern gemacht?'],
	correction: [
		'No, it is Dr. Okafor',
		'My dentist is now Dr. Okafor',
		'Actually, my dentist is Dr. Okafor.',
		'Mein Zahnarzt ist jetzt Dr. Okafor',
	],
	yes: ['yes', 'Ja bitte', 'Yes please!'],
	no: ['no', 'Nein.'],
	schedule: [
		'every weekday at 9 check the news',
		'Every Monday remind me to call mum',
		'each morning at 7, summarise my mail',
		'remind me tomorrow to pay',
		'daily summary at 8',
		'tomorrow at 5 remind me to water the plants',
		'every other friday at 17:00 send the report',
		'at 9 check mail',
		'please every day at 8 tell me the weather',
	],
	findings: [
		'what did you find?',
		'What did you find today?',
		'anything new?',
		'any findings?',
		'open the inbox',
		'Show me the inbox, please',
		"what's new",
		'Have you found anything interesting while I was away?',
		'How many findings are waiting?',
		'what is in my inbox?',
		'What did you find out about the battery?',
		'Was hast du gefunden?',
		'Gibt es was Neues?',
	],
	search: [
		'search boiler',
		'find the Lisbon flight',
		'/search x',
		'search my chats for boiler',
		'where did I mention the boiler?',
		'When did we talk about Lisbon?',
	],
	now: ['what time is it?', "what's the time", 'what day is it today?', 'what is the date', "what's today's date?"],
	count: ['how many words are in the attachment?', 'count the words', 'word count', 'How many lines does it have?'],
	needs_model: ['summarise this', 'write a poem about rain', 'Translate this into French', 'can you explain entropy?'],
	question: [
		'When is the boiler serviced?',
		'What did I say about Lisbon',
		'Wann wird der Boiler gewartet?',
		'ボイラーの点検はいつですか？',
		'¿Dónde vive Ana?',
		'tell me the policy number',
		'Did you find my keys?',
		'What is new in Lisbon?',
		'Who found the key?',
		'remember when we went to Porto?',
		'Remember that I hate coriander?',
		'I met Ana in Porto, remember that?',
		'I forgot the code, can you remember it?',
		'Where is the key? Please remember it.',
		'Rosa comes on Friday, what is she allergic to',
		'Who has the ladder? I need it this afternoon.',
		'I forgot the code of the bicycle lock',
		'Ich suche den Schlüssel zum Keller',
	],
	statement: [
		'I bought a bike.',
		'We met in Rome, where we ate well.',
		'Die Katze schläft.',
		'今日は雨です。',
		'The remembering part is hard',
		"I can't always remember it.",
	],
};

describe('intents', () => {
	for (const [kind, phrases] of Object.entries(KINDS)) {
		test.each(phrases)(`${kind}: %s`, (phrase) => {
			expect(intentOf(phrase, NOW).kind).toBe(kind);
		});
	}

	test.each([
		['search boiler', 'boiler'],
		['search my chats for boiler', 'boiler'],
		['Search for "red bike"', 'red bike'],
		['look up boiler in my chats', 'boiler'],
		['find', ''],
		['search 猫', '猫'],
		['where did I mention the boiler?', 'the boiler'],
	])('%s looks for “%s”', (phrase, query) => {
		expect(intentOf(phrase, NOW)).toEqual({ kind: 'search', query });
	});

	test('what was found is asked for, of one thing or of all', () => {
		expect(intentOf('What did you find about the cell battery?', NOW)).toEqual({ kind: 'findings', about: 'the cell battery' });
		expect(intentOf('what did you find?', NOW)).toEqual({ kind: 'findings', about: '' });
	});

	test.each([
		['remember that I like tea', 'I like tea'],
		['Please remember: the code is 123', 'the code is 123'],
		['Remember to buy milk', 'buy milk'],
		['Merk dir bitte, dass der Schlüssel oben liegt.', 'der Schlüssel oben liegt.'],
		['remember this:\n- one\n- two', '- one\n- two'],
		['remember', ''],
		['Remember that I hate coriander, ok?', 'I hate coriander'],
		['Can you remember that I hate coriander, please?', 'I hate coriander'],
		['Merk dir, dass ich Koriander hasse, ja?', 'ich Koriander hasse'],
		['remember that the answer is right', 'the answer is right'],
		['I moved to Bonn. Please remember it.', 'I moved to Bonn.'],
		['I moved to Bonn. The flat is small. Remember that, ok?', 'I moved to Bonn. The flat is small.'],
		['I moved to Bonn, please remember this', 'I moved to Bonn'],
		['I moved to Bonn please remember it', 'I moved to Bonn'],
		['I moved to Bonn. Can you remember that?', 'I moved to Bonn.'],
		['Ich bin nach Bonn gezogen. Merk dir das bitte.', 'Ich bin nach Bonn gezogen.'],
		['Ich bin nach Bonn gezogen, bitte merk dir das!', 'Ich bin nach Bonn gezogen'],
		['Remember that I moved to Bonn. Don’t forget it!', 'I moved to Bonn.'],
	])('%s: what to remember is “%s”', (phrase, text) => {
		expect(intentOf(phrase, NOW)).toEqual({ kind: 'remember', text });
	});

	test.each([
		['forget about Rex', 'Rex'],
		['forget what you know about my old address', 'my old address'],
		['forget everything', ''],
		['vergiss alles über Rex', 'Rex'],
		['delete the spare key from your memory', 'the spare key'],
		['Please remove everything about Rex from memory.', 'Rex'],
		['Lösch bitte den Ersatzschlüssel aus deinem Gedächtnis', 'den Ersatzschlüssel'],
	])('%s: what to forget is “%s”', (phrase, subject) => {
		expect(intentOf(phrase, NOW)).toEqual({ kind: 'forget', subject });
	});

	test.each([
		['What did I say on 3 May?', '2026-05-03', ''],
		['what did I write on December 5', '2025-12-05', ''],
		['What did I promise Farid on 3 May 2026?', '2026-05-03', 'promise Farid'],
		['what did I do yesterday', '2026-11-28', ''],
		['Was habe ich vorgestern gemacht?', '2026-11-27', ''],
		['What happened on Monday?', undefined, undefined],
		['What happened last Monday?', '2026-11-23', ''],
		['Was war am 3. Mai los?', '2026-05-03', ''],
	])('%s is about %s', (phrase, day = '2026-11-23', about = '') => {
		expect(intentOf(phrase, NOW)).toEqual({ kind: 'on_day', day, about });
	});

	test.each([
		['My dentist is now Dr. Okafor.', 'My dentist is Dr. Okafor.', 'Dr. Okafor'],
		['No, my dentist is Dr. Okafor', 'My dentist is Dr. Okafor.', 'Dr. Okafor'],
		['No, it’s Dr. Okafor', '', 'Dr. Okafor'],
	])('%s corrects', (phrase, sentence, value) => {
		expect(intentOf(phrase, NOW)).toEqual({ kind: 'correction', sentence, value });
	});
});

test.each([
	['When does the train leave?', true],
	['hey, when is her party again? Rosa I mean', true],
	['Where on earth is the drill', true],
	['What is that noise? The pump in the cellar runs all night.', false],
	['What Rosa said is true', false],
	['When I was six we moved to Porto.', false],
])('%s: only asks: %s', (text, asks) => {
	expect(isQuestion(text)).toBe(asks);
});
