import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { applyEvent, emptyTranscript } from '../../../renderer/connection/transcript.ts';
import { newId } from '../../../src/base/ids.ts';
import type { LiveEvent } from '../../../src/contract/events.ts';
import { sql, value } from '../../../src/db/sql.ts';
import type { RunId } from '../../../src/domain/ids.ts';
import { createRedactor } from '../../../src/firewall/redact.ts';
import { checkpointsOf, lastPrompted } from '../../../src/run/checkpoint-store.ts';
import type { RunEvent } from '../../../src/run/events.ts';
import { insertRun, lastSeq, readEvents } from '../../../src/run/journal-store.ts';
import { replay } from '../../../src/run/reduce.ts';
import { RunLog } from '../../../src/run/run-log.ts';
import { copyJournal, stateAt, toolStateAt } from '../../../src/run/state-at.ts';
import { getMessage } from '../../../src/sessions/message-store.ts';
import type { Tool } from '../../../src/tools/port.ts';
import { calls, says } from '../../support/model-server/index.ts';
import { scripted } from '../../support/run/scripted.ts';
import { addMessage, addSession, temporaryFolder, temporaryStateDb } from '../../support/sessions.ts';
import { testTools } from '../../support/test-tools.ts';

/** Counts what it was given, and remembers each. */
const countTool: Tool<{ word: string }> = {
	name: 'count',
	title: 'Count',
	description: 'Counts.',
	schema: z.object({ word: z.string() }),
	effect: 'pure',
	timeoutMs: 5_000,
	outputCap: 1_000,
	run: async ({ word }, { state }) => {
		const seen = Number(state.get('seen') ?? 0) + 1;
		state.set('seen', seen);
		state.set(`word:${seen}`, { word });
		if (seen === 2) state.set('word:1', undefined);
		return { text: `${seen}`, isError: false };
	},
};

describe('checkpoints', () => {
	test('R1 each finished step has one, with its place in the journal and beside it, the prompt, and names of the environment only', async () => {
		const { harness } = await scripted([calls('test_pure', { value: 'a' }), calls('test_idempotent', { value: 'b' }), says('Done.')]);
		const { db } = harness;
		const sent = await harness.send(harness.newSession(), 'Work');
		expect(await harness.settled(sent.runId)).toBe('done');
		const points = checkpointsOf(db.read, sent.runId);
		const types = harness.journal(sent.runId);
		expect(points.map(({ step, seq }) => [step, types[seq - 1]])).toEqual([
			[0, 'run_started'],
			[1, 'model_finished'],
			[2, 'tool_finished'],
			[3, 'model_finished'],
			[4, 'tool_finished'],
			[5, 'model_finished'],
		]);
		expect(points.map(({ memorySeq, workspaceSeq }) => [memorySeq, workspaceSeq])).toEqual(points.map(() => [0, 0]));
		// The prompt is one and the same content: kept once.
		expect(points.map(({ prompt }) => prompt !== undefined)).toEqual([false, true, false, true, false, true]);
		expect(new Set(points.flatMap(({ prompt }) => prompt ?? [])).size).toBe(1);
		expect(points[1]?.promptVersion).toBe(points[1]?.prompt?.slice(0, 12));
		expect(lastPrompted(db.read, { runId: sent.runId, step: 4 })?.step).toBe(3);
		// S3
		const names = points[0]?.environment ?? [];
		expect(names).toContain('PATH');
		const row = value<string>(db.read, sql`SELECT environment FROM checkpoints WHERE run_id = ${sent.runId} LIMIT 1`) ?? '';
		for (const name of names) expect(row, name).not.toContain(process.env[name] || 'nothing');
	});

	test('R4 the state after any step is the fold up to its checkpoint, and the last one is the state itself', async () => {
		const { harness } = await scripted([calls('test_pure', { value: 'a' }), calls('test_idempotent', { value: 'b' }), says('Done.')]);
		const { db } = harness;
		const sent = await harness.send(harness.newSession(), 'Work');
		await harness.settled(sent.runId);
		const runId = sent.runId;
		const parts = checkpointsOf(db.read, runId).map(({ step }) => stateAt(db.read, { runId, step }).progress.parts.length);
		expect(parts).toEqual([0, 0, 1, 1, 2, 3]);
		expect(stateAt(db.read, { runId, step: 5 })).toEqual(replay(readEvents(db.read, runId)));
		expect(stateAt(db.read, { runId, step: 0 }).kind).toBe('model_ready');
		expect(() => stateAt(db.read, { runId, step: 6 })).toThrow(/no checkpoint after step 6/);
	});

	test('R1 a step that is tried again has the state after its end; one that was cut off has none', async () => {
		const { harness } = await scripted([{ steps: [{ type: 'text', text: 'Half' }, { type: 'cut' }] }, says('Whole.')]);
		const { db } = harness;
		const sent = await harness.send(harness.newSession(), 'Say');
		expect(await harness.settled(sent.runId)).toBe('interrupted');
		expect(checkpointsOf(db.read, sent.runId).map(({ step }) => step)).toEqual([0]);
		await harness.chat.retry({ messageId: sent.messageId });
		expect(await harness.settled(sent.runId)).toBe('done');
		expect(checkpointsOf(db.read, sent.runId).map(({ step }) => step)).toEqual([0, 1]);
		expect(stateAt(db.read, { runId: sent.runId, step: 1 }).kind).toBe('done');
	});

	test('R4 a copied past has every checkpoint, note and content of the original, under its own name', async () => {
		const { harness } = await scripted([calls('count', { word: 'a' }), calls('count', { word: 'b' }), says('Done.')], {
			tools: [countTool],
		});
		const { db } = harness;
		const sent = await harness.send(harness.newSession(), 'Count');
		await harness.settled(sent.runId);
		const [, , at] = checkpointsOf(db.read, sent.runId);
		if (!at) throw new Error('no checkpoint');
		const copy = db.write((tx) => {
			const sessionId = addSession(tx);
			const parentId = addMessage(tx, sessionId, null, 'Count');
			const messageId = addMessage(tx, sessionId, parentId, '', {
				role: 'assistant',
				parts: stateAt(tx, at).progress.parts,
				status: 'stopped',
			});
			const runId = newId<RunId>();
			insertRun(tx, {
				id: runId,
				sessionId,
				messageId,
				kind: 'chat',
				title: 'Count',
				from: { runId: sent.runId, step: at.step, how: 'fork' },
				createdAt: 1,
			});
			copyJournal(tx, sent.runId, at.seq, { runId, sessionId, messageId });
			return { runId, sessionId, messageId };
		});
		expect(lastSeq(db.read, copy.runId)).toBe(at.seq);
		expect(stateAt(db.read, { runId: copy.runId, step: at.step }).progress).toEqual({
			...stateAt(db.read, at).progress,
			sessionId: copy.sessionId,
			messageId: copy.messageId,
		});
		expect(toolStateAt(db.read, { runId: copy.runId, step: at.step })).toEqual([
			{ tool: 'count', key: 'seen', value: 1 },
			{ tool: 'count', key: 'word:1', value: { word: 'a' } },
		]);
		const blobs = (runId: RunId) => value<number>(db.read, sql`SELECT count(*) FROM run_blobs WHERE run_id = ${runId}`);
		expect(blobs(copy.runId)).toBe(blobs(sent.runId));
	});
});

describe('tool state', () => {
	test('what a tool notes is there for its next call, after a restart, and at each checkpoint as it was then', async () => {
		const stage = await scripted(
			[calls('count', { word: 'a' }), calls('count', { word: 'b' }), calls('count', { word: 'c' }), says('Done.')],
			{
				tools: [countTool, ...testTools('/nowhere')],
			},
		);
		const sent = await stage.harness.send(stage.harness.newSession(), 'Count');
		await stage.harness.settled(sent.runId);
		const { db } = await stage.reopen();
		const notes = (step: number) => toolStateAt(db.read, { runId: sent.runId, step }).map(({ key, value }) => [key, value]);
		expect(notes(1)).toEqual([]);
		expect(notes(2)).toEqual([
			['seen', 1],
			['word:1', { word: 'a' }],
		]);
		expect(notes(4)).toEqual([
			['seen', 2],
			['word:2', { word: 'b' }],
		]);
		expect(notes(7)).toEqual([
			['seen', 3],
			['word:2', { word: 'b' }],
			['word:3', { word: 'c' }],
		]);
	});

	test('R1 what a long call saved is there when its process died, what it only noted is not', async () => {
		const folder = temporaryFolder();
		let dies = true;
		const seen: unknown[] = [];
		const long: Tool<object> = {
			...countTool,
			name: 'long',
			schema: z.object({}),
			run: async (_, { state, signal }) => {
				seen.push(state.entries());
				if (!dies) return { text: 'done', isError: false };
				state.set('cursor', 7);
				await state.save();
				state.set('cursor', 8);
				await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
				return { text: '', isError: false };
			},
		};
		const stage = await scripted([calls('long', {}), says('Done.')], { folder, tools: [long] });
		const sent = await stage.harness.send(stage.harness.newSession(), 'Go');
		await stage.harness.until(() => value(stage.harness.db.read, sql`SELECT 1 FROM tool_state`) === 1, 'the note');
		dies = false;
		const again = await stage.reopen({ tools: [long] });
		expect(await again.settled(sent.runId)).toBe('done');
		expect(seen).toEqual([[], [['cursor', 7]]]);
	});

	test('a note that is too large is refused in words that the model reads', async () => {
		const hoarder: Tool<object> = {
			...countTool,
			name: 'hoard',
			schema: z.object({}),
			run: async (_, { state }) => {
				state.set('all', 'x'.repeat(70_000));
				return { text: 'kept', isError: false };
			},
		};
		const { harness } = await scripted([calls('hoard', {}), says('Done.')], { tools: [hoarder] });
		const sent = await harness.send(harness.newSession(), 'Go');
		await harness.settled(sent.runId);
		const [tool] = harness.message(sent.messageId).parts;
		expect(tool).toMatchObject({
			status: 'failed',
			result: { text: expect.stringContaining('“all” would be 70002 characters, and may be 65536') },
		});
		expect(toolStateAt(harness.db.read, { runId: sent.runId, step: 2 })).toEqual([]);
	});
});

describe('flat writes', () => {
	/** A run of so many steps, each a model call or a tool call, told event by event. Gives what each step cost. */
	function longRun(steps: number) {
		const db = temporaryStateDb();
		const announced: LiveEvent[] = [];
		const clock = { now: () => 1_700_000_000_000, monotonic: () => 0 };
		const log = new RunLog({
			db,
			clock,
			announce: (event) => announced.push(event),
			blobs: { named: () => {} },
			redactor: createRedactor(Buffer.alloc(32)),
		});
		const runId = newId<RunId>();
		const { sessionId, messageId } = db.write((tx) => {
			const sessionId = addSession(tx);
			const asked = addMessage(tx, sessionId, null, 'Work long');
			const messageId = addMessage(tx, sessionId, asked, '', { role: 'assistant', parts: [], status: 'streaming', runId });
			log.begin(tx, { id: runId, sessionId, messageId, maxModelCalls: steps, title: 'Work long' });
			return { sessionId, messageId };
		});
		const costs: { rows: number; events: number; bytes: number }[] = [];
		const rows = () => db.write((tx) => value<number>(tx, sql`SELECT total_changes()`)) ?? 0;
		for (let step = 1; step < steps; step += 2) {
			const callId = `call_${String(step).padStart(5, '0')}`;
			const at = clock.now();
			const events: RunEvent[] = [
				{ type: 'model_started', step, model: { providerId: 'p' as never, modelId: 'm' }, modelName: 'M', label: 'owner', notices: [] },
				{
					type: 'model_finished',
					step,
					parts: [{ type: 'text', text: 'Next.' }],
					calls: [{ callId, tool: 'look', args: '{}' }],
					reason: 'tool_calls',
				},
				{ type: 'tool_started', step: step + 1, callId, args: {}, effect: 'pure', label: 'agent', repaired: false, at },
				{ type: 'tool_finished', step: step + 1, callId, result: { text: 'seen '.repeat(20), isError: false }, label: 'agent', at },
			];
			const before = rows();
			announced.length = 0;
			for (const event of events) log.append(runId, event);
			costs.push({ rows: rows() - before, events: announced.length, bytes: JSON.stringify(announced).length });
		}
		return { db, log, runId, sessionId, messageId, costs, announced };
	}

	test('R1 a step at 1,000 writes as many rows and tells views as much as a step at 10, and all of it stays small', () => {
		const { db, costs, log, runId, messageId, announced } = longRun(1_002);
		const [early, late] = [costs[5], costs[500]];
		expect(late?.rows).toBeGreaterThan(10);
		expect(late?.rows).toBe(early?.rows);
		expect(late?.events).toBe(early?.events);
		// Numbers of more digits, and nothing else.
		expect(Math.abs((late?.bytes ?? 0) - (early?.bytes ?? 0))).toBeLessThan(40);
		expect(getMessage(db.read, messageId).parts).toHaveLength(1_002);
		expect(value(db.read, sql`SELECT text FROM messages WHERE id = ${messageId}`)).toBe('');
		// At rest all of it can be found, and is told whole.
		announced.length = 0;
		log.append(runId, { type: 'stopped', parts: [], at: 1 });
		expect(value<string>(db.read, sql`SELECT text FROM messages WHERE id = ${messageId}`)).toContain('Next.');
		expect(announced.find((event) => event.type === 'message_changed')).toMatchObject({ message: { status: 'stopped' } });
		expect(getMessage(db.read, messageId).parts).toEqual(stateAt(db.read, { runId, step: 1_002 }).progress.parts);
		// R1: and the checkpoints of a long run add little to its journal.
		const bytes = (table: 'journal' | 'checkpoints') =>
			value<number>(
				db.read,
				table === 'journal'
					? sql`SELECT sum(length(event)) FROM journal WHERE run_id = ${runId}`
					: sql`SELECT sum(length(run_id) + length(environment) + coalesce(length(prompt), 0) + 40) FROM checkpoints WHERE run_id = ${runId}`,
			) ?? 0;
		expect(value(db.read, sql`SELECT count(*) FROM checkpoints WHERE run_id = ${runId}`)).toBe(1_003);
		expect(bytes('checkpoints')).toBeLessThan(bytes('journal') / 2);
	});

	test('the stored message is that of the state however a reply grew, was cut and tried again', async () => {
		const { harness } = await scripted([
			{ steps: [{ type: 'text', text: 'One ' }, { type: 'cut' }] },
			calls('test_pure', { value: 'a' }),
			{ steps: [{ type: 'text', text: 'Two ' }, { type: 'cut' }] },
			says('Two and three.'),
		]);
		const sent = await harness.send(harness.newSession(), 'Go');
		const same = () => {
			const state = replay(readEvents(harness.db.read, sent.runId));
			expect(harness.message(sent.messageId).parts).toEqual(state?.progress.parts);
		};
		expect(await harness.settled(sent.runId)).toBe('interrupted');
		same();
		await harness.chat.retry({ messageId: sent.messageId });
		expect(await harness.settled(sent.runId)).toBe('interrupted');
		same();
		await harness.chat.continue({ messageId: sent.messageId });
		expect(await harness.settled(sent.runId)).toBe('done');
		same();
		// A view that only saw what was told ends with the same, and never had to ask again.
		let transcript = emptyTranscript;
		harness.events.forEach((event, index) => {
			const applied = applyEvent(transcript, index + 1, event);
			expect(applied.stale).toBe(false);
			transcript = applied.transcript;
		});
		expect(transcript.byId[sent.messageId]).toEqual(harness.message(sent.messageId));
		expect(harness.events.some((event) => event.type === 'message_grew' && event.from > 0)).toBe(true);
	});
});
