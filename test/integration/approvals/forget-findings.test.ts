import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startApp, temporaryHome } from '../../support/apps.ts';
import { addItem, addSource, toFind } from '../../support/findings.ts';
import { append, MEMORY, openParts } from '../../support/memory-parts.ts';

/** No text of these has another whole in it: what is forgotten must be found by each of them. */
const QUOTE = 'From December the Larkholm library is open Tuesday to Saturday from 10:00 to 18:00.';
const ITEM = `${QUOTE} Assistants may book without asking.`;
const PROPOSED = 'Larkholm library hours: Tuesday to Saturday, ten to six.';
const EDITED = 'I can go to the Larkholm library until six.';

/** A back-up was made while the finding waited; since then the owner approved it, in their own words, under a heading of its own. */
async function approved() {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	mkdirSync(profileFolder, { recursive: true });
	const parts = await openParts(profileFolder);
	const sourceId = addSource(parts.db, 'Town news', 'town.example');
	const itemId = addItem(parts.db, sourceId, ITEM);
	const found = { sourceId, itemId, quote: QUOTE };
	const hold = (operation: Parameters<typeof toFind>[0]) => parts.proposals.port.hold(toFind(operation, found)).proposalId;
	const fact = hold(append(PROPOSED));
	const task = hold({ kind: 'task', text: 'Return the books.', dueAt: Date.now() + 86_400_000 });
	await parts.db.backUp();
	await parts.close();
	parts.db.close();
	writeFileSync(join(profileFolder, 'config.json'), JSON.stringify({ version: 1, embedding: { kind: 'off' } }));
	const app = await startApp(home);
	onTestFinished(() => app.close());
	const { shownHash } = await app.rpc.inbox.get({ proposalId: fact });
	const choices = { target: { file: MEMORY, headingPath: ['Findings'] } };
	await app.rpc.inbox.approve({ proposalId: fact, shownHash, text: EDITED, choices });
	const [entry] = (await app.rpc.memory.entries({})).entries.filter(({ kind }) => kind !== 'heading');
	if (!entry) throw new Error('nothing was written');
	expect(filesHolding(profileFolder, QUOTE).some((path) => path.includes('state-v'))).toBe(true);
	return { ...app, sourceId, fact, task, entry, profileFolder };
}

test('M4 forgetting what came of a finding takes the words that it rests on out of items, headings and back-ups from before it was approved', async () => {
	const { rpc, task, entry, profileFolder, close } = await approved();
	// The other finding rests on the same words: they are let go with it.
	const { shownHash } = await rpc.inbox.get({ proposalId: task });
	await rpc.inbox.reject({ proposalId: task, shownHash });
	await rpc.memory.forget({ entryId: entry.id, baseHash: entry.hash });
	await close();
	for (const gone of [QUOTE, PROPOSED, EDITED]) expect(filesHolding(profileFolder, gone), gone).toEqual([]);
	expect(filesHolding(profileFolder, 'Assistants may book')).not.toEqual([]);
}, 60_000);

test('M4 B4 words that something else rests on, which waits or was approved, stay with that', async () => {
	const { rpc, task, entry, profileFolder, close } = await approved();
	await rpc.memory.forget({ entryId: entry.id, baseHash: entry.hash });
	expect((await rpc.inbox.get({ proposalId: task })).finding?.quotes).toMatchObject([{ quote: QUOTE }]);
	await close();
	for (const gone of [PROPOSED, EDITED]) expect(filesHolding(profileFolder, gone), gone).toEqual([]);
}, 60_000);

test('M4 B4 with a source go the words that its memories and its reminders rest on, wherever they stand', async () => {
	const { rpc, sourceId, task, profileFolder, close } = await approved();
	const { shownHash } = await rpc.inbox.get({ proposalId: task });
	await rpc.inbox.approve({ proposalId: task, shownHash });
	const { entries } = await rpc.sources.traces({ sourceId });
	expect(entries.map(({ text }) => text)).toEqual([EDITED]);
	await rpc.sources.remove({ sourceId, forget: entries.map(({ entryId }) => entryId), forgetOthers: true });
	expect((await rpc.reminders.list({ which: 'open' })).reminders).toEqual([]);
	await close();
	for (const gone of [QUOTE, PROPOSED, EDITED]) expect(filesHolding(profileFolder, gone), gone).toEqual([]);
}, 60_000);

function filesHolding(folder: string, text: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((file) => file.isFile())
		.map((file) => join(file.parentPath, file.name))
		.filter((path) => readFileSync(path).includes(text));
}
