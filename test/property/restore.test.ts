import fc from 'fast-check';
import { expect, test } from 'vitest';
import { newId } from '../../src/base/ids.ts';
import type { RunId } from '../../src/domain/ids.ts';
import { calls, type Reply, says } from '../support/model-server/index.ts';
import { type RunsApp, runsApp } from '../support/run/runs-app.ts';
import { tries } from '../support/thorough.ts';

/** Random runs over real files, memory and an external ledger of effects; restored to and forked at random places, and taken back. */

type Act =
	| { do: 'write'; path: string; text: string }
	| { do: 'append'; path: string; text: string }
	| { do: 'delete'; path: string }
	| { do: 'move'; from: string; to: string }
	| { do: 'remember'; text: string }
	| { do: 'effect' };

const path = fc.constantFrom('a.txt', 'b.txt', 'folder/c.txt');
const text = fc.constantFrom('one', 'two', 'three\nlines\n', 'é 😀', '');
const act: fc.Arbitrary<Act> = fc.oneof(
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('write' as const), path, text }) },
	fc.record({ do: fc.constant('append' as const), path, text }),
	fc.record({ do: fc.constant('delete' as const), path }),
	fc.record({ do: fc.constant('move' as const), from: path, to: path }),
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('remember' as const), text: fc.constantFrom('The door', 'The roof', 'The bin') }) },
	fc.record({ do: fc.constant('effect' as const) }),
);

const scenario = fc.record({
	acts: fc.array(act, { minLength: 1, maxLength: 5 }),
	/** Of the number of acts: after how many. */
	at: fc.double({ min: 0, max: 1, noNaN: true }),
	forkAt: fc.double({ min: 0, max: 1, noNaN: true }),
	chat: fc.boolean(),
	files: fc.boolean(),
	memory: fc.boolean(),
});

function replyOf(one: Act, unique: string): Reply {
	switch (one.do) {
		case 'write':
			return calls('write_file', { path: one.path, content: one.text });
		case 'append':
			return calls('write_file', { path: one.path, content: one.text, mode: 'append' });
		case 'delete':
			return calls('delete_file', { path: one.path });
		case 'move':
			return calls('move_file', { from: one.from, to: one.to });
		case 'remember':
			return calls('memory_write', { text: `${one.text} ${unique}.`, reason: 'It matters.', file: 'MEMORY.md' });
		case 'effect':
			return calls('test_effectful', { value: unique });
	}
}

interface World {
	files: (string | undefined)[];
	memory: string;
}

function look(app: RunsApp): World {
	return { files: ['a.txt', 'b.txt', 'folder/c.txt'].map((name) => app.work(name)), memory: app.file('MEMORY.md') };
}

/** Runs the acts, one model call each; the world before each of them and after the last, as it was when the model was asked for the next. */
async function worked(app: RunsApp, acts: readonly Act[]): Promise<{ runId: RunId; worlds: World[] }> {
	const worlds: World[] = [];
	const unique = newId<string>();
	app.server?.script(() => {
		const done = worlds.push(look(app)) - 1;
		const next = acts[done];
		return next ? replyOf(next, `${unique} ${done}`) : says('Done.');
	});
	const { runId } = await app.rpc.chat.send({ text: 'Do the work', attachmentIds: [], requestId: newId<string>() });
	await app.approving(runId, 'done');
	app.server?.script(() => says('Went on.'));
	return { runId, worlds };
}

test('R4 files, memory and chat are restored to any place, each by choice, and taken back; no effect happens again', async () => {
	const app = await runsApp([]);
	let restored = 0;
	await fc.assert(
		fc.asyncProperty(scenario, async ({ acts, at, forkAt, chat, files, memory }) => {
			const { runId, worlds } = await worked(app, acts);
			const after = look(app);
			const effects = app.effects().length;
			const detail = await app.rpc.runs.get({ runId });
			const messages = await app.messages(detail.run.sessionId);
			const place = Math.round(at * acts.length);
			const then = worlds[place];
			expect(worlds).toHaveLength(acts.length + 1);
			expect(after).toEqual(worlds.at(-1));

			if (chat || files || memory) {
				restored += 1;
				const record = await app.restore(runId, 2 * place, { chat, files: files ? 'safe' : 'no', memory });
				expect(record.left).toEqual([]);
				expect(look(app)).toEqual({ files: (files ? then : after)?.files, memory: (memory ? then : after)?.memory });
				const reply = (await app.messages(detail.run.sessionId)).at(-1);
				const parts = messages.at(-1)?.parts ?? [];
				expect(reply?.runId).toBe(chat ? record.newRunId : runId);
				expect(reply?.parts.filter(({ type }) => type !== 'notice')).toEqual(chat ? parts.slice(0, place) : parts);
				const undone = await app.rpc.runs.undoRestore({ restoreId: record.id });
				expect(undone.left).toEqual([]);
				expect(look(app)).toEqual(after);
				expect((await app.messages(detail.run.sessionId)).map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
			}

			const from = 2 * Math.round(forkAt * acts.length);
			const forked = await app.rpc.runs.fork({ runId, step: from, requestId: newId<string>() });
			const forkedRun = await app.until(forked.runId, 'done');
			// The finished steps are those of the other run; one more was made.
			expect(forkedRun.steps.map(({ title }) => title).slice(0, -1)).toEqual(detail.steps.slice(0, from).map(({ title }) => title));
			expect(look(app)).toEqual(after);
			expect(app.effects()).toHaveLength(effects);
		}),
		{ numRuns: tries(10) },
	);
	expect(restored).toBeGreaterThan(2);
}, 240_000);
