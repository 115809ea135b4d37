import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import type { ProposalId } from '../../src/domain/memory.ts';
import { insertOutsideChat } from '../../src/sessions/outside-chat-store.ts';
import { beginSession } from '../../src/sessions/session-store.ts';
import type { Life } from '../support/approvals/main.ts';
import { startApp, temporaryHome } from '../support/apps.ts';
import { addItem, addSource, toFind } from '../support/findings.ts';
import { append, type OpenParts, openParts, RUN, toHold } from '../support/memory-parts.ts';
import { programOf } from '../support/program.ts';
import { setClock } from '../support/timers.ts';

const CHILD = programOf(fileURLToPath(new URL('../support/approvals/main.ts', import.meta.url)));
const TUESDAYS = 'The bin is emptied on Tuesdays.';
/** From the owner's yes on: before memory knows, with an intent, with the file written, with the ledger written. */
const PLACES: CrashPointName[] = ['proposal.approved', 'memory.intended', 'file.written', 'memory.written', 'memory.done'];

interface Prepared {
	readonly home: string;
	readonly folder: string;
}

function newProfile(): Prepared {
	const { home, profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	return { home, folder: profileFolder };
}

/** One life in this process, closed in the end. */
async function inOneLife<T>(folder: string, work: (parts: OpenParts) => Promise<T> | T, clock?: Clock): Promise<T> {
	const parts = await openParts(folder, clock);
	try {
		return await work(parts);
	} finally {
		await parts.close();
		parts.db.close();
	}
}

async function killed(life: Life): Promise<void> {
	const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(life)], { stdio: ['ignore', 'ignore', 'inherit'] });
	const [, signal] = (await once(child, 'close')) as [number | null, string | null];
	expect(signal).toBe('SIGKILL');
}

const textOf = (folder: string): string => (existsSync(join(folder, 'MEMORY.md')) ? readFileSync(join(folder, 'MEMORY.md'), 'utf8') : '');

test.each(PLACES)(
	'R1 B3 killed at %s after the owner’s yes: the next start writes it exactly once, with who approved what',
	async (dieAt) => {
		const { home, folder } = newProfile();
		const { proposalId, shownHash } = await inOneLife(folder, ({ proposals }) => {
			const { proposalId } = proposals.port.hold(toHold(append(TUESDAYS)));
			return { proposalId, shownHash: proposals.decisions.get(proposalId).shownHash };
		});
		await killed({ home, proposalId, act: 'approve', dieAt });
		await inOneLife(folder, ({ proposals, entry }) => {
			expect(proposals.decisions.get(proposalId)).toMatchObject({ status: 'approved', receipt: { outcome: 'written' } });
			expect(entry(TUESDAYS).provenance).toMatchObject({
				author: 'agent',
				label: 'approved',
				origin: 'external',
				approval: { shownHash, proposalId },
			});
		});
		expect(textOf(folder)).toBe(`- ${TUESDAYS}\n`);
		// Nor once more by a start after that.
		await inOneLife(folder, ({ proposals }) => expect(proposals.decisions.counts().proposals).toBe(0));
		expect(textOf(folder)).toBe(`- ${TUESDAYS}\n`);
	},
);

test.each<CrashPointName>(['memory.intended', 'memory.written', 'memory.done'])(
	'R1 M4 killed at %s while a decision is taken back: the next start takes it back, and it waits again',
	async (dieAt) => {
		const { home, folder } = newProfile();
		const proposalId = await inOneLife(folder, async ({ proposals }) => {
			const { proposalId } = proposals.port.hold(toHold(append(TUESDAYS)));
			await proposals.decisions.approve(proposalId, proposals.decisions.get(proposalId).shownHash, undefined);
			return proposalId;
		});
		await killed({ home, proposalId, act: 'undo', dieAt });
		await inOneLife(folder, async ({ proposals }) => {
			const waiting = proposals.decisions.get(proposalId);
			expect(waiting).toMatchObject({ status: 'pending', stale: false });
			expect(textOf(folder)).not.toContain(TUESDAYS);
			await proposals.decisions.approve(proposalId, waiting.shownHash, undefined);
		});
		expect(textOf(folder).split(TUESDAYS)).toHaveLength(2);
	},
);

test('R1 bg-2 killed while a program’s text is put back: the next start puts it back', async () => {
	const { home, folder } = newProfile();
	const proposalId: ProposalId = await inOneLife(folder, async ({ memory, proposals }) => {
		writeFileSync(join(folder, 'MEMORY.md'), '- Tea, not coffee.\n');
		await memory.reconcile();
		await memory.watchProgram(RUN, 'shell', async () => writeFileSync(join(folder, 'MEMORY.md'), '- Coffee, not tea.\n'));
		const [drift] = proposals.decisions.list('pending', 10);
		if (!drift) throw new Error('nothing waits');
		return drift.id;
	});
	await killed({ home, proposalId, act: 'reject', dieAt: 'memory.intended' });
	await inOneLife(folder, ({ proposals }) => expect(proposals.decisions.get(proposalId).status).toBe('rejected'));
	expect(textOf(folder)).toBe('- Tea, not coffee.\n');
});

test.each<CrashPointName>(['proposal.approved', 'memory.written'])(
	'R1 B4 killed at %s after a yes with choices: the next start does exactly what was chosen, once, and undo takes all of it back',
	async (dieAt) => {
		const { home, folder } = newProfile();
		const mondays = 'The bin is emptied on Mondays.';
		const { proposalId, choices } = await inOneLife(folder, async ({ db, memory, proposals, entry }) => {
			writeFileSync(join(folder, 'MEMORY.md'), `- ${mondays}\n`);
			await memory.reconcile();
			const { id: entryId, hash: baseHash } = entry(mondays);
			const { proposalId } = proposals.port.hold(toFind(append(TUESDAYS), { sourceId: addSource(db), conflicts: [entryId] }));
			return { proposalId, choices: { replaces: { entryId, baseHash }, validUntil: 5_000_000_000_000 } };
		});
		await killed({ home, proposalId, act: 'approve', choices, dieAt });
		await inOneLife(folder, async ({ proposals, entry, memory }) => {
			expect(proposals.decisions.get(proposalId)).toMatchObject({ status: 'approved', receipt: { outcome: 'written', kind: 'supersede' } });
			expect(entry(TUESDAYS)).toMatchObject({
				supersedes: choices.replaces.entryId,
				validUntil: choices.validUntil,
				provenance: { author: 'heartbeat', label: 'approved', approval: { proposalId } },
			});
			expect(textOf(folder)).toBe(`- ${mondays}\n- ${TUESDAYS}\n`);
			await proposals.decisions.undo(proposalId);
			expect(textOf(folder)).toBe(`- ${mondays}\n`);
			expect(memory.entry(choices.replaces.entryId).state).toBe('current');
		});
	},
);

test('R2 killed when the reminder of an approved task is set and nobody knows: the next start sets no second one', async () => {
	const { home, folder } = newProfile();
	const dueAt = Date.now() + 86_400_000;
	const proposalId = await inOneLife(
		folder,
		({ db, proposals }) =>
			proposals.port.hold(toFind({ kind: 'task', text: 'Put it out.', dueAt }, { sourceId: addSource(db) })).proposalId,
	);
	await killed({ home, proposalId, act: 'approve', dieAt: 'transaction.committed', after: 1 });
	await inOneLife(folder, ({ proposals, reminders }) => {
		expect(reminders.list('open', 10)).toMatchObject([{ text: 'Put it out.', dueAt, label: 'approved' }]);
		expect(proposals.decisions.get(proposalId)).toMatchObject({ status: 'approved', receipt: { outcome: 'reminder_set' } });
	});
});

test('bg-3 killed right after a finding was put off: it stays put off, and comes back by itself', async () => {
	const { home, folder } = newProfile();
	const until = Date.now() + 3_600_000;
	const proposalId = await inOneLife(
		folder,
		({ db, proposals }) => proposals.port.hold(toFind(append(TUESDAYS), { sourceId: addSource(db) })).proposalId,
	);
	await killed({ home, proposalId, act: 'snooze', until, dieAt: 'transaction.committed' });
	await inOneLife(folder, ({ proposals }) => expect(proposals.decisions.list('snoozed', 10)).toMatchObject([{ id: proposalId }]));
	const later = setClock(until);
	await inOneLife(
		folder,
		async ({ proposals }) => {
			await expect.poll(() => proposals.decisions.get(proposalId).snoozedUntil).toBeUndefined();
			expect(proposals.decisions.counts().findings).toBe(1);
		},
		later,
	);
});

test.each<CrashPointName>(['source.withdrawn', 'forget.scrubbed'])(
	'M4 killed at %s while a source is withdrawn: the next start ends it, and forgets what was named',
	async (dieAt) => {
		const { home, folder } = newProfile();
		const item = 'Bins: emptied on Tuesdays, says the town.';
		const { proposalId, sourceId, entryId, chat } = await inOneLife(folder, async ({ db, proposals, entry }) => {
			const sourceId = addSource(db);
			const itemId = addItem(db, sourceId, item);
			const { proposalId } = proposals.port.hold(toFind(append(TUESDAYS), { sourceId, itemId, quote: 'Bins: emptied' }));
			await proposals.decisions.approve(proposalId, proposals.decisions.get(proposalId).shownHash, undefined);
			proposals.port.hold(toFind({ kind: 'notice', text: 'The town hall is shut.' }, { sourceId }));
			const chat = db.write((tx) => {
				const sessionId = beginSession(tx, 'About the bins', Date.now());
				insertOutsideChat(tx, { sessionId, proposalId, sourceId });
				return sessionId;
			});
			return { proposalId, sourceId, entryId: entry(TUESDAYS).id, chat };
		});
		await killed({ home, proposalId, act: 'remove', source: { sourceId, forget: [entryId], deleteChats: [chat] }, dieAt });
		const { rpc, close } = await startApp(home);
		expect((await rpc.sources.list()).sources).toEqual([]);
		expect(await rpc.inbox.counts()).toMatchObject({ proposals: 0, findings: 0 });
		expect((await rpc.memory.entries({})).total).toBe(0);
		expect((await rpc.sessions.list()).sessions).toEqual([]);
		await close();
		await inOneLife(folder, ({ db }) => {
			for (const table of ['watched_sources', 'watched_items', 'proposals'])
				expect(db.read.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0);
		});
		expect(textOf(folder)).not.toContain('Tuesdays');
	},
);
