import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import type { MessageId } from '../../src/domain/ids.ts';
import type { MessagePart } from '../../src/domain/message.ts';
import { copyBranch } from '../../src/sessions/branch.ts';
import { exportJson, SessionExport } from '../../src/sessions/export-json.ts';
import { allMessages, branchTo, insertMessage, newestLeafBelow, updateMessage } from '../../src/sessions/message-store.ts';
import { readPage } from '../../src/sessions/page.ts';
import { deleteSession, getSession, listSessions, setHead, summarise } from '../../src/sessions/session-store.ts';
import { addSession, temporaryStateDb } from '../support/sessions.ts';

/** What an owner can do to a chat. `at` picks a message of those there are. */
const operation = fc.oneof(
	{ weight: 4, arbitrary: fc.record({ do: fc.constant('send' as const), text: fc.string({ unit: 'binary', maxLength: 20 }) }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('edit' as const), at: fc.nat() }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('regenerate' as const), at: fc.nat() }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('choose' as const), at: fc.nat() }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('branch' as const), at: fc.nat() }) },
	{
		weight: 1,
		arbitrary: fc.record({ do: fc.constant('rewrite' as const), at: fc.nat(), text: fc.string({ unit: 'binary', maxLength: 20 }) }),
	},
);

/** The same tree, kept in the plainest way. */
interface Model {
	nodes: { id: MessageId; parent: MessageId | null; role: 'user' | 'assistant' }[];
	head: MessageId | null;
}

test('whatever the owner does to a chat, its tree, its versions and its pages stay true', () => {
	const db = temporaryStateDb();
	const done = { edit: 0, regenerate: 0, choose: 0, branch: 0, rewrite: 0, send: 0 };
	fc.assert(
		fc.property(fc.array(operation, { minLength: 1, maxLength: 30 }), (operations) => {
			const session = db.write((tx) => addSession(tx));
			const model: Model = { nodes: [], head: null };
			const add = (parentId: MessageId | null, role: 'user' | 'assistant', text: string): MessageId => {
				const id = newId<MessageId>();
				const parts: MessagePart[] = [{ type: 'text', text }];
				db.write((tx) => {
					insertMessage(tx, { id, sessionId: session, parentId, role, parts, status: 'complete', label: 'owner', createdAt: 1 });
					setHead(tx, session, id);
				});
				model.nodes.push({ id, parent: parentId, role });
				model.head = id;
				return id;
			};
			for (const step of operations) {
				if (step.do === 'send') {
					add(add(model.head, 'user', step.text), 'assistant', 'reply');
					done.send++;
					continue;
				}
				const target = model.nodes[step.at % Math.max(1, model.nodes.length)];
				if (!target) continue;
				done[step.do]++;
				if (step.do === 'edit' && target.role === 'user') add(add(target.parent, 'user', 'edited'), 'assistant', 'reply');
				if (step.do === 'regenerate' && target.role === 'assistant') add(target.parent, 'assistant', 'again');
				if (step.do === 'rewrite') db.write((tx) => updateMessage(tx, target.id, { parts: [{ type: 'text', text: step.text }] }));
				if (step.do === 'choose') {
					const leaf = newestLeafBelow(db.read, target.id);
					expect(pathTo(model, leaf)).toContain(target.id);
					expect(model.nodes.some((node) => node.parent === leaf)).toBe(false);
					db.write((tx) => setHead(tx, session, leaf));
					model.head = leaf;
				}
				if (step.do === 'branch') checkBranch(db, target.id);
			}
			check(db, session, model);
			db.write((tx) => deleteSession(tx, session));
			expect(listSessions(db.read).every((other) => other.id !== session)).toBe(true);
		}),
		{ numRuns: 40 },
	);
	for (const count of Object.values(done)) expect(count).toBeGreaterThan(0);
}, 60_000);

type Db = ReturnType<typeof temporaryStateDb>;

function pathTo(model: Model, id: MessageId | null): MessageId[] {
	const path: MessageId[] = [];
	for (let at = id; at !== null; at = model.nodes.find((node) => node.id === at)?.parent ?? null) path.unshift(at);
	return path;
}

function check(db: Db, session: Parameters<typeof summarise>[1], model: Model): void {
	const path = pathTo(model, model.head);
	expect(summarise(db.read, session).messageCount).toBe(path.length);
	if (model.head !== null) expect(branchTo(db.read, model.head).map((message) => message.id)).toEqual(path);
	const paged: MessageId[] = [];
	for (let hasOlder = true; hasOlder; ) {
		const page = readPage(db.read, { sessionId: session, before: paged[0], limit: 3 });
		paged.unshift(...page.messages.map((message) => message.id));
		hasOlder = page.hasOlder;
	}
	expect(paged).toEqual(path);
	const all = allMessages(db.read, session);
	expect(all.map((message) => message.id)).toEqual(model.nodes.map((node) => node.id));
	for (const message of all) {
		const siblings = model.nodes.filter((node) => node.parent === message.parentId && node.role === message.role).map((node) => node.id);
		expect(message.versions).toEqual(siblings);
		for (const part of message.parts) if (part.type === 'text') expect(/\p{Surrogate}/u.test(part.text)).toBe(false);
	}
	const stored = getSession(db.read, session);
	const file = exportJson(stored, all, 5);
	const { headId, id, title } = stored;
	expect(SessionExport.parse(JSON.parse(file))).toMatchObject({ version: 1, exportedAt: 5, session: { id, title, headId }, messages: all });
}

function checkBranch(db: Db, lastId: MessageId): void {
	const copy = db.write((tx) => copyBranch(tx, lastId, 9, (message) => message));
	const texts = (head: MessageId) => branchTo(db.read, head).map(({ role, parts, status }) => ({ role, parts, status }));
	const { headId } = getSession(db.read, copy);
	expect(headId).not.toBeNull();
	if (headId !== null) expect(texts(headId)).toEqual(texts(lastId));
	expect(allMessages(db.read, copy).every((message) => message.versions.length === 1 && message.runId === null)).toBe(true);
}
