import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { ProviderId, type RunId, type SessionId } from '../../src/domain/ids.ts';
import type { InterruptAnswer } from '../../src/domain/run.ts';
import { temporaryHome } from '../support/apps.ts';
import { type LiveChild, liveChild } from '../support/live-child.ts';
import { connectFixture, type HttpFixture, startHttpFixture } from '../support/mcp-fixture.ts';
import { calls, type ModelServer, says, startModelServer } from '../support/model-server/index.ts';

/** A call of a tool server's tool, which the owner approves with a standing permission, in a runtime that dies. */

interface Stage {
	readonly folder: string;
	readonly model: ModelServer;
	readonly fixture: HttpFixture;
}

interface Sent {
	readonly runId: RunId;
	readonly sessionId: SessionId;
}

async function stage(): Promise<Stage> {
	const { profileFolder: folder, remove } = temporaryHome();
	onTestFinished(remove);
	const [model, fixture] = [await startModelServer(), await startHttpFixture()];
	for (const server of [model, fixture]) onTestFinished(() => server.close());
	mkdirSync(folder, { recursive: true });
	const config = {
		version: 1,
		embedding: { kind: 'off' },
		providers: [{ id: ProviderId.parse('scripted'), kind: 'openai-compatible', name: 'Scripted', baseUrl: model.openaiUrl }],
		models: { chat: { providerId: 'scripted', modelId: 'scripted' } },
	};
	writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
	return { folder, model, fixture };
}

/** A new chat, up to what is asked of the owner. */
async function begin({ model }: Stage, { rpc }: LiveChild, note: string): Promise<Sent> {
	model.script({ replies: [calls('mcp_fixture_record', { note }), says('Noted.')] });
	const sent = await rpc.chat.send({ text: 'Note it', attachmentIds: [], requestId: crypto.randomUUID() });
	await expect.poll(async () => (await rpc.chat.interrupts({ sessionId: sent.sessionId })).length, { timeout: 20_000 }).toBe(1);
	return sent;
}

/** The owner of a run until it is over: says yes with the standing offer, and looks whether a thing happened. Gives what was asked. */
async function own({ rpc }: LiveChild, { runId, sessionId }: Sent, hasHappened: () => boolean): Promise<string[]> {
	const asked: string[] = [];
	const answers = (kind: string): InterruptAnswer => {
		if (kind === 'approval') return { type: 'approve', offer: 1 };
		return hasHappened() ? { type: 'happened', result: 'It did.' } : { type: 'run_again' };
	};
	const isOver = async (): Promise<boolean> => {
		for (const { id: interruptId, shownHash, detail } of await rpc.chat.interrupts({ sessionId })) {
			asked.push(detail.kind);
			await rpc.chat.answer({ interruptId, shownHash, answer: answers(detail.kind) });
		}
		return (await rpc.runs.get({ runId })).run.status === 'done';
	};
	await expect.poll(isOver, { timeout: 20_000 }).toBe(true);
	return asked;
}

/** What a death there leaves for the owner to be asked in the next life. */
const DEATHS: [CrashPointName, asked: string[]][] = [
	['transaction.open', ['approval']],
	['transaction.committed', []],
	['interrupt.answered', []],
	['step.started', ['did_it_happen']],
	['effect.done', ['did_it_happen']],
];

test('R1 R2 B3 dur-3 killed around the owner’s yes with a permission: that is there exactly once, the call runs once under it, and what may have happened is asked', async () => {
	const on = await stage();
	let life = await liveChild(on.folder);
	await connectFixture(life.rpc, on.fixture);
	for (const [point, expected] of DEATHS) {
		const { runId, sessionId } = await begin(on, life, point);
		const [asked] = await life.rpc.chat.interrupts({ sessionId });
		if (asked?.detail.kind !== 'approval') throw new Error('nothing is asked');
		expect(asked.detail.offers[1]).toMatchObject({ reach: 'standing', terms: { job: { kind: 'chat', sessionId } } });
		await life.arm(point);
		// The process dies before it can say that it took the answer.
		void life.rpc.chat
			.answer({ interruptId: asked.id, shownHash: asked.shownHash, answer: { type: 'approve', offer: 1 } })
			.catch(() => undefined);
		await life.dead;

		life = await liveChild(on.folder);
		const happened = () => on.fixture.calls.filter(({ args }) => args.note === point);
		expect(await own(life, { runId, sessionId }, () => happened().length > 0), point).toEqual(expected);
		expect(happened(), point).toHaveLength(1);
		const given = (await life.rpc.permissions.list()).permissions.filter(
			({ terms }) => terms.job.kind === 'chat' && terms.job.sessionId === sessionId,
		);
		expect(given, point).toMatchObject([{ origin: 'approval', terms: { scope: { kind: 'server', server: 'fixture', tool: 'record' } } }]);
		const { records } = await life.rpc.audit.list({ runId });
		const told = (decision: string) => records.filter((record) => record.decision === decision);
		expect(
			[told('granted'), told('approved')].map(({ length }) => length),
			point,
		).toEqual([1, 1]);
		expect(await life.rpc.audit.verify(), point).toMatchObject({ whole: true, breaks: [] });
	}
});

test('R2 dur-3 killed while a tool server is at work on a call: the owner is asked, and the call is not made again', async () => {
	const on = await stage();
	const first = await liveChild(on.folder);
	await connectFixture(first.rpc, on.fixture);
	const sent = await begin(on, first, 'half');
	const [, record] = on.fixture.tools;
	if (!record) throw new Error('no tool');
	// It does it, and never comes to say so.
	record.run = (args) => {
		on.fixture.calls.push({ tool: 'record', args });
		return new Promise(() => undefined);
	};
	const { sessionId } = sent;
	const [approval] = await first.rpc.chat.interrupts({ sessionId });
	if (!approval) throw new Error('nothing is asked');
	await first.rpc.chat.answer({ interruptId: approval.id, shownHash: approval.shownHash, answer: { type: 'approve', offer: 1 } });
	await expect.poll(() => on.fixture.calls.length, { timeout: 20_000 }).toBe(1);
	first.child.kill('SIGKILL');
	await first.dead;

	const second = await liveChild(on.folder);
	await expect.poll(async () => (await second.rpc.chat.interrupts({ sessionId })).length, { timeout: 20_000 }).toBe(1);
	const [asked] = await second.rpc.chat.interrupts({ sessionId });
	expect(asked?.detail).toMatchObject({ kind: 'did_it_happen', tool: 'mcp_fixture_record', args: { note: 'half' } });
	expect(await own(second, sent, () => on.fixture.calls.length > 0)).toEqual(['did_it_happen']);
	expect(on.fixture.calls).toHaveLength(1);
	expect((await second.rpc.permissions.list()).permissions.filter(({ origin }) => origin === 'approval')).toHaveLength(1);
});
