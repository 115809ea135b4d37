import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { framed } from '../../../../src/base/frame.ts';
import { readConversation } from '../../../../src/model/builtin/conversation.ts';
import { type Response, respond } from '../../../../src/model/builtin/respond.ts';
import type { ModelMessage } from '../../../../src/model/port.ts';
import { claimsSaving } from '../../../../src/run/saving-claims.ts';

const NOW = Date.UTC(2026, 10, 29, 12);
const NOTES = `House notes

The boiler is serviced every October by Mr. Smith.
His number is 555-1234.

The roof was repaired in 2019.

Insurance: policy AX-9 with Allianz, renewed each March.`;

const owner = (text: string, ...files: [name: string, text: string][]): ModelMessage => ({
	role: 'user',
	content: [
		...(text === '' ? [] : [{ type: 'text' as const, text }]),
		...files.map(([name, content]) => ({
			type: 'text' as const,
			text: framed(content, { kind: 'attachment', name, label: 'external' }),
		})),
	],
});
const agent = (text: string): ModelMessage => ({ role: 'assistant', text, toolCalls: [] });
const searched = (query: string, text: string, isError = false): ModelMessage[] => [
	{ role: 'assistant', text: '', toolCalls: [{ callId: query, tool: 'search_chats', args: { query } }] },
	{ role: 'tool', callId: query, tool: 'search_chats', text, isError },
];
const ask = (messages: ModelMessage[], canSearch = true): Response =>
	respond(readConversation({ messages }), { tools: new Set(canSearch ? ['search_chats'] : []), now: NOW });
const searchFor = (query: string): Response => ({ call: { tool: 'search_chats', args: { query } } });
const said = (messages: ModelMessage[], canSearch = true): string => {
	const response = ask(messages, canSearch);
	return 'say' in response ? response.say : `SEARCH ${response.call.args.query}`;
};

describe('built-in responder: quotes', () => {
	test('answers from an attachment with the passage and its lines', () => {
		const text = said([owner('my notes', ['notes.txt', NOTES]), agent('ok'), owner('When is the boiler serviced?')]);
		expect(text).toContain('> The boiler is serviced every October by Mr. Smith.');
		expect(text).toContain('— “notes.txt”, lines 3–4');
		expect(text).not.toContain('roof');
	});

	test('answers from what the owner said before, and says where', () => {
		const text = said([
			owner('My sister Anna lives in Porto.'),
			agent('ok'),
			owner('I like tea.'),
			agent('ok'),
			owner('where does Anna live?'),
		]);
		expect(text).toContain('> My sister Anna lives in Porto.');
		expect(text).toContain('— you, 2 messages ago');
	});

	test('finds other forms of a word', () => {
		const history = [owner('We paid the plumber 240 euros for servicing boilers.'), agent('ok')];
		expect(said([...history, owner('what did we pay for the boiler service?')])).toContain('> We paid the plumber 240 euros');
	});

	test('works in other scripts', () => {
		expect(said([owner('猫の名前はミケです。'), agent('ok'), owner('猫の名前は何ですか？')])).toContain('> 猫の名前はミケです。');
		expect(said([owner('Der Boiler wird im Oktober gewartet.'), agent('ok'), owner('Wann wird der Boiler gewartet?')])).toContain(
			'> Der Boiler wird',
		);
		expect(said([owner('Кошку зовут Мурка.'), agent('ok'), owner('Как зовут кошку?')])).toContain('> Кошку зовут Мурка.');
	});

	test('never quotes its own earlier answers', () => {
		const first = said([owner('The boiler is old.'), agent('ok'), owner('How old is the boiler?')]);
		const text = said([
			owner('The boiler is old.'),
			agent('ok'),
			owner('How old is the boiler?'),
			agent(first),
			owner('Is the boiler old?'),
		]);
		expect(text.match(/> /g)).toHaveLength(1);
		expect(text).not.toContain('> I found');
	});

	test('one common word is no answer: it looks in the other chats instead', () => {
		expect(ask([owner('my notes', ['notes.txt', NOTES]), agent('ok'), owner('What is the capital of France?')])).toEqual(
			searchFor('capital France'),
		);
	});
});

describe('built-in responder: search', () => {
	const HITS = `1. “House” · owner · 2026-11-01
the boiler leaks

2. “New chat” · owner · 2026-11-29
search boiler

3. “Old” · agent · 2026-10-02
I found this passage that fits:`;

	test('asks the tool, then shows the hits as quotes with chat, author and day', () => {
		expect(ask([owner('search boiler')])).toEqual(searchFor('boiler'));
		const text = said([owner('search boiler'), ...searched('boiler', HITS)]);
		expect(text).toContain('One passage in your chats holds “boiler”, besides');
		expect(text).toContain('> the boiler leaks\n\n— “House”, you, 1 November 2026');
		expect(text).not.toContain('New chat');
	});

	test('its own replies are no passages, whatever they hold, and a model’s are called by its name', () => {
		const messages: ModelMessage[] = [
			owner('The boiler leaks.'),
			{ role: 'assistant', text: 'A boiler needs a plumber.', toolCalls: [], by: 'Llama 3' },
			owner('help'),
			{ role: 'assistant', text: 'About the boiler: some words.', toolCalls: [], by: 'Built-in responder (no AI)' },
		];
		const text = said([...messages, owner('Does the boiler need a plumber?')]);
		expect(text).toContain('> A boiler needs a plumber.\n\n— Llama 3, 2 messages ago');
		expect(text).not.toContain('some words');
		const own = said([...messages, owner('What did I say about the boiler?')]);
		expect(own).toContain('> The boiler leaks.');
		expect(own).not.toContain('plumber');
	});

	test('what the owner said comes first where they ask for that, and each passage that the tool counted is accounted for', () => {
		const hits = `1. “House” · agent (Llama 3) · 2026-11-01
A boiler needs a plumber.

2. “House” · owner · 2026-11-01
the boiler leaks

3. “Old” · owner · 2026-10-01
search boiler`;
		const text = said([owner('What did I say about the boiler?'), ...searched('boiler', hits)]);
		expect(text).toContain('2 passages in your chats hold “boiler”, besides a request to look for it:');
		expect(text.indexOf('> the boiler leaks')).toBeLessThan(text.indexOf('> A boiler needs a plumber.\n\n— “House”, Llama 3'));
	});

	test('tries fewer words, a bounded number of times, then says that nothing was found', () => {
		const question = owner('What is the capital of France?');
		const nothing = 'Nothing in the chats holds it.';
		expect(ask([question, ...searched('capital France', nothing)])).toEqual(searchFor('capital'));
		const text = said([question, ...searched('capital France', nothing), ...searched('capital', nothing)]);
		expect(text).toContain('I found nothing that fits in your memory and in this chat, and nothing in your other chats');
		expect(said([owner('search the boiler'), ...searched('the boiler', nothing)])).toBe('SEARCH boiler');
		expect(said([owner('search the boiler'), ...searched('the boiler', nothing), ...searched('boiler', nothing)])).toContain(
			'Nothing in your chats holds',
		);
	});

	test('says so when the search fails or is switched off', () => {
		expect(said([owner('search boiler'), ...searched('boiler', 'boom', true)])).toContain('failed');
		expect(said([owner('search boiler')], false)).toContain('tools are left out');
		expect(said([owner('search')])).toContain('What shall I look for?');
	});
});

describe('built-in responder: honest about what it can’t do', () => {
	test.each([
		['remember that I like tea', /nothing was saved/i],
		['forget that I like tea', /nothing was removed/i],
		['every weekday at 9 check the news', /nothing was scheduled/i],
	])('mem-9 without the tools for it: %s', (text, expected) => {
		const answer = said([owner(text)]);
		expect(answer).toMatch(expected);
		expect(claimsSaving(answer)).toBe(false);
	});

	test.each(['hello', 'help', 'who are you?', 'are you an AI?', 'write a poem', 'I bought a bike.'])(
		'never pretends to be an AI: %s',
		(text) => {
			expect(said([owner(text)])).toMatch(/no AI|without (?:any )?AI|not an AI|without one/);
			// Nor does it get the notice for replies that say they saved what nothing saved.
			expect(claimsSaving(said([owner(text)]))).toBe(false);
		},
	);

	test('explains how to connect a model', () => {
		expect(said([owner('how do I connect Ollama?')])).toMatch(/Settings → Models[\s\S]*Ollama[\s\S]*LM Studio/);
	});

	test('asked to summarise, it refuses and shows what is plain to see', () => {
		const text = said([owner('Summarise this please', ['notes.txt', NOTES])]);
		expect(text).toContain("I can't summarise anything");
		expect(text).toContain('**notes.txt**: 31 words');
	});

	test('says that it can’t see images', () => {
		const picture: ModelMessage = {
			role: 'user',
			content: [
				{ type: 'text', text: 'What is this?' },
				{ type: 'text', text: '[The owner attached the image “a.png”, which you cannot see.]' },
			],
		};
		expect(said([picture], false)).toContain("I can't see images");
	});
});

describe('built-in responder: small things', () => {
	test('time, date, sums, counts, an empty message', () => {
		expect(said([owner('what day is it?')])).toMatch(/^It is Sunday.* 29 November 2026\.$/);
		expect(said([owner('what time is it?')])).toMatch(/\d\d:\d\d/);
		expect(said([owner('12 * 12')])).toBe('12 * 12 = **144**');
		expect(said([owner('how many words?', ['notes.txt', NOTES])])).toContain('31 words');
		expect(said([owner('how many words: one two three')])).toContain('3 words');
		expect(said([owner('')])).toContain('empty');
	});

	test('goes on with a cut-off reply from where it stops', () => {
		const GO_ON = owner('Your reply above was cut off. Go on exactly where it stops.');
		const full = said([owner('help')]);
		expect(readConversation({ messages: [owner('help'), agent(full.slice(0, 50)), GO_ON] })).toMatchObject({
			question: 'help',
			partial: full.slice(0, 50),
		});
	});

	test('property: any conversation gets an answer that says something, and never throws', () => {
		const text = fc.oneof(
			fc.string({ unit: 'binary', maxLength: 200 }),
			fc.constantFrom(
				'search x',
				'what?',
				'remember',
				'1+1',
				'猫は？',
				'> x',
				'<outside id="00000000" kind="attachment" name="a" label="external">\n',
			),
		);
		const message = fc.oneof(
			text.map((each) => owner(each)),
			text.map((each) => agent(each)),
			fc.tuple(text, text).map(([name, content]) => owner('', [name, content])),
		);
		fc.assert(
			fc.property(fc.array(message, { maxLength: 6 }), text, (history, question) => {
				const response = ask([...history, owner(question)]);
				expect('say' in response ? response.say : response.call.tool).not.toBe('');
			}),
		);
	});
});

test.each([
	['noise', 'x'.repeat(9_000)],
	['a line without spaces', 'ボイラーの点検はいつですか'.repeat(100)],
	['emoji between letters', 'a👩'.repeat(2_000)],
	['a long paragraph', 'When is the boiler service and who pays for it? '.repeat(200)],
	['search for noise', `search ${'y'.repeat(3_000)}`],
])('what is looked for is never longer than a search takes: %s', (_what, text) => {
	const response = ask([owner(text)]);
	if ('call' in response) expect(`${response.call.args.query}`.length).toBeLessThanOrEqual(500);
	else expect(response.say).not.toBe('');
});
