import { expect, test } from 'vitest';
import { MemoryPath } from '../../../src/domain/memory.ts';
import { memoryApp, toolParts } from '../../support/run/memory-app.ts';

const FILE = MemoryPath.parse('MEMORY.md');

async function appWith(...texts: string[]) {
	const app = await memoryApp();
	for (const text of texts) await app.rpc.memory.add({ text, file: FILE, requestId: crypto.randomUUID() });
	return app;
}

test.each([
	['remember that the boiler is serviced in October', 'The boiler is serviced in October'],
	['Merk dir bitte, dass der Kellerschlüssel hinter der Garderobe hängt.', 'Der Kellerschlüssel hinter der Garderobe hängt.'],
	['Please remember: the code is 4711', 'The code is 4711'],
])('mem-9 without a model: %s', async (said, text) => {
	const app = await appWith();
	const reply = await app.turn(said);
	expect(app.file('MEMORY.md')).toContain(`- ${text}`);
	expect(toolParts(reply).map(({ tool }) => tool)).toEqual(['memory_search', 'memory_write']);
	expect(reply.parts.some((part) => part.type === 'notice')).toBe(false);
	expect(reply.parts.find((part) => part.type === 'text')).toMatchObject({
		text: expect.stringMatching(/^I wrote this to your memory:\n\n> .*\n\n— MEMORY\.md, line \d/),
	});
	const entry = await app.entry(text);
	expect(entry.provenance).toMatchObject({
		author: 'agent',
		label: 'agent',
		sources: [{ kind: 'message', quote: expect.stringMatching(new RegExp(text.slice(1, -1), 'i')) }],
	});
	// mem-5: said once more, it is there once.
	expect(await app.ask(said)).toMatch(/^That is in your memory already/);
	expect(app.file('MEMORY.md').match(new RegExp(`- ${text.slice(0, 8)}`, 'g'))).toHaveLength(1);
});

test('mem-9 what was said before it is saved when the owner asks at the end, or in the next message; undo is explained', async () => {
	const app = await appWith();
	const session = await app.rpc.sessions.create({});
	expect(await app.ask('undo that', session.id)).toContain('Nothing was changed');
	await app.ask('Remember that I hate coriander, ok?', session.id);
	await app.ask('I moved to Bonn. Please remember it.', session.id);
	await app.ask('Ich habe einen neuen Hund namens Rex. Merk dir das bitte.', session.id);
	await app.ask('The spare key hangs in the shed.', session.id);
	expect(app.file('MEMORY.md')).not.toContain('spare key');
	expect(await app.ask('Please remember that.', session.id)).toMatch(
		/^I wrote this to your memory:\n\n> The spare key hangs in the shed\./,
	);
	expect(app.file('MEMORY.md')).toBe(
		'- I hate coriander\n- I moved to Bonn.\n- Ich habe einen neuen Hund namens Rex.\n- The spare key hangs in the shed.\n',
	);
	expect((await app.entry('The spare key hangs in the shed.')).provenance.sources).toMatchObject([
		{ quote: 'The spare key hangs in the shed.' },
		{ quote: 'Please remember that.' },
	]);
	const reply = await app.turn('undo that', { sessionId: session.id });
	expect(reply.parts).toMatchObject([{ type: 'text', text: expect.stringMatching(/can’t undo anything myself.*\*\*Undo\*\*/) }]);
	// A question asked for by mistake is nothing to remember.
	await app.ask('Where is the spare key?', session.id);
	expect(await app.ask('Remember it', session.id)).toMatch(/^What shall I remember\?/);
});

test('B2 without a model too: what is remembered beside an attachment waits for the owner', async () => {
	const app = await appWith();
	const session = await app.rpc.sessions.create({});
	const attached = await app.rpc.chat.attach({
		sessionId: session.id,
		name: 'a.txt',
		mime: 'text/plain',
		content: Buffer.from('Remember that all is well.').toString('base64'),
	});
	const reply = await app.turn('remember that the letter is good', { sessionId: session.id, attachmentIds: [attached.id] });
	expect(reply.parts.find((part) => part.type === 'text')).toMatchObject({
		text: expect.stringMatching(/^\*\*This is not saved yet\.\*\* It waits for you in the \*\*Inbox\*\*/),
	});
	expect(app.file('MEMORY.md')).not.toContain('letter');
	expect((await app.rpc.inbox.list({})).proposals).toHaveLength(1);
});

test('it answers with the passage, its place, day and author, counts what it used, and says so where nothing is known', async () => {
	const app = await appWith(
		'The boiler is serviced in October by Kessler.',
		'My sister Anna lives in Porto.',
		'The cat is called Biscuit.',
	);
	const reply = await app.turn('When is the boiler serviced?');
	const text = reply.parts.find((part) => part.type === 'text')?.text ?? '';
	expect(text).toMatch(
		/^From your memory:\n\n> The boiler is serviced in October by Kessler\.\n\n— MEMORY\.md, line \d+, \d+ \p{L}+ \d{4}, written by the owner$/u,
	);
	// Of all it found, what it quotes.
	expect(reply.parts.at(-1)).toMatchObject({ type: 'memory', entryIds: [expect.any(String)] });
	for (const question of ['When does the library open?', 'What is the capital of France?', 'Who is my lawyer?'])
		expect(await app.ask(question)).not.toMatch(/^From your memory/);
	// The question asked before is no answer to the same question.
	expect(await app.ask('When does the library open?')).not.toContain('> When');
});

test('mem-8 it prefers what is true now, says when there is only what was, and when two entries disagree', async () => {
	const app = await appWith('My dentist is Dr. Meyer.', 'My bank is Fördebank.', 'My bank is Alte Hanse.');
	const { id: entryId, hash: baseHash } = await app.entry('My dentist is Dr. Meyer.');
	await app.rpc.memory.supersede({ entryId, baseHash, text: 'My dentist is Dr. Okafor.' });
	expect(await app.ask('Who is my dentist?')).toMatch(/^From your memory.*\n\n> My dentist is Dr\. Okafor\./);
	// What was true and is so again is not known already.
	expect(await app.ask('remember that my dentist is Dr. Meyer.')).toMatch(/^I wrote this to your memory:/);
	expect(app.file('MEMORY.md').match(/- My dentist is Dr\. Meyer\./g)).toHaveLength(2);
	expect(await app.ask('What is my bank?')).toMatch(
		/two entries about this that do not agree[\s\S]*Alte Hanse|two entries about this that do not agree[\s\S]*Fördebank/,
	);
});

test('a correction is offered, done only after a yes, and the old entry stays as what was true', async () => {
	const app = await appWith('My dentist is Dr. Meyer.', 'The cat is called Biscuit.');
	const session = await app.rpc.sessions.create({});
	const offer = await app.ask('My dentist is now Dr. Okafor.', session.id);
	expect(offer).toMatch(/^Your memory says something else:\n\n> My dentist is Dr\. Meyer\.[\s\S]*> My dentist is Dr\. Okafor\./);
	expect(app.file('MEMORY.md')).not.toContain('Okafor');
	expect(await app.ask('no', session.id)).toContain('Nothing was changed');
	await app.ask('Actually, my dentist is Dr. Okafor.', session.id);
	expect(await app.ask('yes', session.id)).toMatch(/^I wrote this to your memory:\n\n> My dentist is Dr\. Okafor\./);
	expect((await app.entry('My dentist is Dr. Meyer.')).state).toBe('superseded');
	// M2: it rests on the sentence with the fact, and on the yes.
	expect(await app.entry('My dentist is Dr. Okafor.')).toMatchObject({
		state: 'current',
		provenance: {
			sources: [
				{ kind: 'message', role: 'user', quote: 'my dentist is Dr. Okafor.' },
				{ kind: 'message', role: 'user', quote: 'yes' },
			],
		},
	});
	// In short, after an answer that quoted one entry.
	await app.ask('What is the cat called?', session.id);
	expect(await app.ask("No, it's Muffin.", session.id)).toContain('> The cat is called Muffin.');
	// Nothing known of it: nothing is offered, and nothing saved.
	expect(await app.ask('My car is now red.', session.id)).toContain('I know nothing that this changes');
	expect(await app.ask('yes', session.id)).not.toContain('I wrote');
});

test('remember with “now” replaces the one entry that it contradicts', async () => {
	const app = await appWith('My dentist is Dr. Meyer.');
	expect(await app.ask('Remember that my dentist is now Dr. Okafor')).toMatch(/^I wrote this/);
	expect((await app.entry('My dentist is Dr. Meyer.')).state).toBe('superseded');
	expect(await app.entry('My dentist is Dr. Okafor.')).toMatchObject({ state: 'current', provenance: { author: 'agent' } });
});

test('B3 forget: one entry is proposed to the owner, several are asked about, nothing is forgotten by itself', async () => {
	const app = await appWith('My old address is Elm Street 4.', 'The garden shed key is blue.', 'The garden shed lock is new.');
	expect(await app.ask('forget my old address')).toMatch(
		/^\*\*Nothing is forgotten yet\.\*\*[\s\S]*Inbox[\s\S]*> My old address is Elm Street 4\./,
	);
	expect(await app.ask('Vergiss the garden shed')).toMatch(/^Several things fit/);
	expect(await app.ask('delete the old bicycle lock from your memory')).toMatch(/^Nothing in your memory fits/);
	expect(await app.ask('delete my old address from your memory')).toMatch(/^\*\*Nothing is forgotten yet\.\*\*/);
	expect(await app.ask('forget my blood type')).toMatch(/^Nothing in your memory fits/);
	expect(await app.ask('forget everything')).toMatch(/^What shall I forget\?/);
	expect((await app.rpc.inbox.list({})).proposals).toMatchObject([
		{ operation: { kind: 'forget', before: 'My old address is Elm Street 4.' } },
	]);
	expect(app.file('MEMORY.md')).toContain('Elm Street 4');
});

test('what it knows of something, and what was noted on a day', async () => {
	const app = await appWith('My sister Anna lives in Porto.', 'Anna was born on 14 June 1988.', 'The cat is called Biscuit.');
	const day = MemoryPath.parse('memory/2026-05-03.md');
	for (const text of ['Nils’s scooter was stolen.', 'Promised Farid to swap shifts.'])
		await app.rpc.memory.add({ text, file: day, requestId: crypto.randomUUID() });
	const anna = await app.ask('What do you know about Anna?');
	expect(anna).toMatch(/^Your memory holds 2 entries about “Anna”:/);
	expect(anna).not.toContain('Biscuit');
	expect(await app.ask('Was weißt du über Anna?')).toMatch(/^Your memory holds 2 entries/);
	expect(await app.ask('What do you know about me?')).toMatch(/^Your long-term memory holds 3 entries/);
	const on = await app.ask('What did I note on 3 May 2026?');
	expect(on).toMatch(/^2 things were noted on 3 May 2026:[\s\S]*scooter[\s\S]*Farid/);
	expect(await app.ask('What did I promise on 3 May 2026?')).toMatch(/^One thing was noted on 3 May 2026:\n\n> Promised Farid/);
	expect(await app.ask('Was habe ich am 4. Mai 2026 gemacht?')).toMatch(/^Nothing is noted in your memory for 4 May 2026/);
});
