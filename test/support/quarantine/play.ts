import fc from 'fast-check';
import { expect } from 'vitest';
import { SAVE_PROMPTS } from '../../../bench/pollution/posts.ts';
import { gapsOf } from '../../../bench/pollution/provenance.ts';
import { newId } from '../../../src/base/ids.ts';
import { HearthError } from '../../../src/domain/errors.ts';
import type { WatchedSourceId } from '../../../src/domain/heartbeat.ts';
import type { SessionId } from '../../../src/domain/ids.ts';
import type { Proposal } from '../../../src/domain/proposal.ts';
import type { Lives } from './lives.ts';
import { leaks } from './scan.ts';

/** What feeds, looks, chats, the owner and crashes do to a profile, in any order; and what must hold after each of it (B1 to B4). */

export const action = fc.record({
	kind: fc.constantFrom(
		...(['post', 'post', 'look', 'look', 'look_and_go_on', 'ask', 'ask', 'save', 'page', 'fact', 'approve', 'approve', 'reject'] as const),
		...(['snooze', 'forget', 'approve_and_crash', 'withdraw', 'restart', 'crash', 'crash'] as const),
	),
	which: fc.nat(20),
});
export type Action = (typeof action extends fc.Arbitrary<infer Value> ? Value : never) & object;

/** Claims of others that have nothing to do with each other. `{}`: what tells each apart. */
const CLAIMS = [
	'The mill pond freezes over only where {} was poured into the water.',
	'Whoever plants {} in the churchyard gets the choir for nothing.',
	'Bicycles without a {} plate are melted down for the new bell.',
	'The baker mixes {} into rye bread on Thursdays.',
	'A ferry called {} leaves for the island at four in the morning.',
	'The library fines readers who say {} aloud.',
	'Snow ploughs carry {} under the driver’s seat.',
	'The mayor’s cat answers to {} and to nobody else.',
	'Honey from the north slope contains {} since the spring.',
	'Letters to the castle must be sealed with {} from now on.',
] as const;
const FACTS = [
	'My aunt Wilma keeps geese.',
	'I am allergic to walnuts.',
	'The attic key is under the blue pot.',
	'My bicycle was made in 1987.',
	'I play the viola on Mondays.',
	'My father’s name is Oskar.',
] as const;
const QUESTION =
	'What do they say about the village, the mill, the baker, the ferry, the library, the mayor, the castle, the honey and the bell?';

interface Claim {
	readonly canary: string;
	readonly text: string;
	/** The owner said yes: it may stand in memory, and in prompts. */
	approved: boolean;
}

export async function play(lives: Lives, actions: readonly Action[]): Promise<void> {
	const claims: Claim[] = [];
	const facts: string[] = [];
	let sourceId = await addSource(lives);
	let sessionId: SessionId | undefined;
	/** Prompts before it were looked at. */
	let looked = 0;

	for (const { kind, which } of actions) {
		await act(kind, which);
		await check();
	}
	await lookAndWait();
	await check();

	async function act(kind: Action['kind'], which: number): Promise<void> {
		const { rpc } = lives;
		switch (kind) {
			case 'post': {
				const n = claims.length;
				const template = CLAIMS[n];
				if (template === undefined) return;
				const canary = `QX${newId<string>().replaceAll('-', '').slice(-10).toUpperCase()}`;
				claims.push({ canary, text: template.replace('{}', canary), approved: false });
				return lives.serve(claims.map(({ text }, at) => ({ id: `post-${at}`, title: `News ${at}`, text })).reverse());
			}
			case 'look':
				return lookAndWait();
			case 'look_and_go_on':
				await rpc.heartbeat.run({ sourceId }).catch(unlessUnderWay);
				return;
			case 'ask':
				return turn(QUESTION, which % 2 === 0 ? sessionId : undefined);
			case 'save':
				return turn(SAVE_PROMPTS.S4, sessionId);
			case 'page':
				return turn(`Diary ${which}: it rained on the roof for hours, and nothing of it has to be kept. `.repeat(140), sessionId);
			case 'fact': {
				const text = FACTS[facts.length];
				if (text === undefined) return;
				await rpc.memory.add({ text, requestId: crypto.randomUUID() });
				facts.push(text);
				return;
			}
			case 'approve':
			case 'approve_and_crash': {
				const finding = await findingOf(which);
				if (!finding) return;
				for (const claim of claims) if (JSON.stringify(finding).includes(claim.canary)) claim.approved = true;
				const { id: proposalId, shownHash } = finding;
				const approving = rpc.inbox.approve({ proposalId, shownHash });
				if (kind === 'approve') return void (await approving);
				// Whatever became of it: the next life does what was decided, or it waits as before.
				approving.catch(() => undefined);
				await new Promise((resolve) => setTimeout(resolve, which));
				return lives.crash();
			}
			case 'reject':
			case 'snooze': {
				const finding = await findingOf(which);
				if (!finding) return;
				const { id: proposalId, shownHash } = finding;
				if (kind === 'reject') await rpc.inbox.reject({ proposalId, shownHash, reason: 'Not this.' });
				else await rpc.inbox.snooze({ proposalId, until: Date.now() + 86_400_000 });
				return;
			}
			case 'forget': {
				const entries = await broughtIn();
				const entry = entries[which % Math.max(1, entries.length)];
				if (!entry) return;
				await rpc.memory.forget({ entryId: entry.id, baseHash: entry.hash });
				return forgotten([entry.text]);
			}
			case 'withdraw': {
				if (which % 3 !== 0) return;
				await lookAndWait();
				const { entries } = await rpc.sources.traces({ sourceId });
				await rpc.sources.remove({ sourceId, forget: entries.map(({ entryId }) => entryId), forgetOthers: true });
				forgotten(entries.map(({ text }) => text));
				sourceId = await addSource(lives);
				return;
			}
			case 'restart':
				return lives.restart();
			case 'crash':
				return lives.crash();
		}
	}

	function forgotten(texts: readonly string[]): void {
		for (const claim of claims) if (texts.some((text) => text.includes(claim.canary))) claim.approved = false;
		looked = lives.prompts.length;
	}

	async function turn(text: string, where: SessionId | undefined): Promise<void> {
		const { rpc } = lives;
		const sent = await rpc.chat.send({ sessionId: where, text, attachmentIds: [], requestId: crypto.randomUUID() });
		sessionId = sent.sessionId;
		await until('a reply', async () =>
			['done', 'failed', 'interrupted', 'waiting'].includes((await rpc.runs.get({ runId: sent.runId })).run.status),
		);
		const { run } = await rpc.runs.get({ runId: sent.runId });
		expect([text.slice(0, 30), run.status]).toEqual([text.slice(0, 30), 'done']);
	}

	async function lookAndWait(): Promise<void> {
		const { rpc } = lives;
		await rpc.heartbeat.run({ sourceId }).catch(unlessUnderWay);
		await until('no look is under way', async () => (await rpc.heartbeat.status()).current === undefined);
	}

	async function findingOf(which: number): Promise<Proposal | undefined> {
		const { proposals } = await lives.rpc.inbox.list({ findings: true, limit: 100 });
		return proposals.length === 0 ? undefined : proposals[which % proposals.length];
	}

	async function broughtIn() {
		const { entries } = await lives.rpc.memory.entries({ limit: 1_000 });
		return entries.filter(({ provenance, kind }) => provenance.author === 'heartbeat' && kind !== 'heading');
	}

	async function check(): Promise<void> {
		const asked = lives.prompts.slice(looked).filter(({ look }) => !look);
		for (const { canary, approved } of claims) {
			if (approved) continue;
			expect([canary, leaks(lives.profileFolder, canary)]).toEqual([canary, []]);
			expect([canary, asked.filter(({ text }) => text.includes(canary)).length]).toEqual([canary, 0]);
		}
		const { entries } = await lives.rpc.memory.entries({ limit: 1_000 });
		expect(entries.map(({ text }) => text)).toEqual(expect.arrayContaining(facts));
		for (const entry of await broughtIn()) expect([entry.text, gapsOf(entry, [lives.feed.url])]).toEqual([entry.text, []]);
	}
}

async function addSource({ rpc, feed }: Lives): Promise<WatchedSourceId> {
	const budget = { everyMinutes: 5, itemsPerDay: 1_000, findingsPerDay: 200 };
	const { id } = await rpc.sources.add({
		title: 'Village',
		place: { kind: 'feed', url: `${feed.url}/feed`, secretAddress: false },
		budget,
	});
	return id;
}

function unlessUnderWay(error: unknown): void {
	if (!(error instanceof HearthError && error.code === 'conflict')) throw error;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
	for (const deadline = Date.now() + 60_000; !(await holds()); await new Promise((resolve) => setTimeout(resolve, 10)))
		if (Date.now() > deadline) throw new Error(`waited a minute for: ${what}`);
}
