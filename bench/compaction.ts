import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newId } from '../src/base/ids.ts';
import { all, sql } from '../src/db/sql.ts';
import type { MessageId, SessionId } from '../src/domain/ids.ts';
import { compactionOnBranch } from '../src/sessions/compaction-store.ts';
import { insertMessage } from '../src/sessions/message-store.ts';
import { getSession, setHead } from '../src/sessions/session-store.ts';
import { says, startModelServer } from '../test/support/model-server/index.ts';
import { type Harness, openHarness } from '../test/support/run/harness.ts';
import { type Planted, type Turn, talk } from './compaction-talk.ts';
import { median, quantile } from './numbers.ts';

/**
 * What of a very long conversation is still before the model when most of it is told as a summary of summaries. The runtime's own engine, a
 * scripted model; what was planted is looked for, word for word, in the last prompt that was sent.
 */
export async function run(args: string[]): Promise<Record<string, unknown>> {
	const { values } = parseArgs({
		args,
		options: {
			sessions: { type: 'string', default: '40' },
			generations: { type: 'string', default: '10' },
			turns: { type: 'string', default: '60' },
			window: { type: 'string', default: '8000' },
			marked: { type: 'string', default: '8' },
			unmarked: { type: 'string', default: '20' },
			seed: { type: 'string', default: '1' },
			model: { type: 'boolean', default: false },
		},
	});
	const given = (name: 'sessions' | 'generations' | 'turns' | 'window' | 'marked' | 'unmarked' | 'seed') => Number(values[name]);
	const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-'));
	const server = await startModelServer({ script: { fallback: says('Understood.') } });
	const harness = openHarness({
		folder,
		modelUrl: server.openaiUrl,
		contextTokens: given('window'),
		...(values.model && { summarise: 'model' as const }),
	});
	const kept = new Kept();
	const ratios: number[] = [];
	const times: number[] = [];
	let made = 0;
	try {
		for (let session = 0; session < given('sessions'); session += 1) {
			const { turns } = talk(given('generations') * given('turns'), given('seed') * 100_000 + session, {
				marked: given('marked'),
				unmarked: given('unmarked'),
			});
			const sessionId = harness.newSession();
			for (let generation = 0; generation < given('generations'); generation += 1) {
				tell(harness, sessionId, turns.slice(generation * given('turns'), (generation + 1) * given('turns')));
				const began = performance.now();
				const { runId } = await harness.send(sessionId, 'Go on.');
				if ((await harness.settled(runId)) !== 'done') throw new Error(`The reply of session ${session} did not end well.`);
				times.push(performance.now() - began);
			}
			const summaries = all<{ tokens_before: number; tokens_after: number }>(
				harness.db.read,
				sql`SELECT tokens_before, tokens_after FROM compactions WHERE session_id = ${sessionId} ORDER BY rowid`,
			);
			made += summaries.length;
			const last = summaries.at(-1);
			if (!last) throw new Error(`Session ${session} was never told as a summary: give more --turns, or a smaller --window.`);
			ratios.push(last.tokens_after / last.tokens_before);
			const prompt = words(server.log.requests.at(-1)?.body);
			const stored = compactionOnBranch(harness.db.read, sessionId, getSession(harness.db.read, sessionId).headId as MessageId);
			const found = stored?.items.map(({ text }) => text).join('\n') ?? '';
			for (const { planted } of turns.slice(0, (stored?.covers ?? 0) / 2 - given('generations') + 1))
				for (const one of planted) kept.add(one, { isKept: prompt.includes(one.text), isFound: found.includes(one.text) });
			server.log.requests.length = 0;
		}
	} finally {
		await harness.close();
		await server.close();
		rmSync(folder, { recursive: true, force: true });
	}
	for (const line of kept.lines()) console.error(line);
	return {
		sessions: given('sessions'),
		decisions_kept: kept.share('decision', true),
		ratio: rounded(ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length),
		marked_kept: kept.share(undefined, true),
		unmarked_decisions_kept: kept.share('decision', false),
		unmarked_kept: kept.share(undefined, false),
		compactions: made,
		turn_p50_ms: Math.round(median(times)),
		turn_p95_ms: Math.round(quantile(times, 0.95)),
		seed: given('seed'),
	};
}

/** As if it had been talked, without a run for each turn. */
function tell({ db }: Harness, sessionId: SessionId, turns: readonly Turn[]): void {
	db.write((tx) => {
		let parentId = getSession(tx, sessionId).headId;
		const add = (role: 'user' | 'assistant', text: string): void => {
			const id = newId<MessageId>();
			const label = role === 'user' ? 'owner' : 'agent';
			insertMessage(tx, {
				id,
				sessionId,
				parentId,
				role,
				parts: [{ type: 'text', text }],
				status: 'complete',
				label,
				createdAt: Date.now(),
			});
			parentId = id;
		};
		for (const { owner, agent } of turns) {
			add('user', owner);
			add('assistant', agent);
		}
		if (parentId !== null) setHead(tx, sessionId, parentId);
	});
}

/** Everything that the model was given, as one text. */
function words(body: unknown): string {
	const { messages } = body as { messages: { content: string | null | { text?: string }[] }[] };
	const texts = messages.map(({ content }) =>
		Array.isArray(content) ? content.map(({ text }) => text ?? '').join('\n') : (content ?? ''),
	);
	return texts.join('\n\n');
}

class Kept {
	readonly #counts = new Map<string, { all: number; kept: number; found: number }>();

	add({ kind, marked }: Planted, { isKept, isFound }: { isKept: boolean; isFound: boolean }): void {
		const name = `${marked ? 'marked' : 'unmarked'} ${kind}`;
		const count = this.#counts.get(name) ?? { all: 0, kept: 0, found: 0 };
		this.#counts.set(name, { all: count.all + 1, kept: count.kept + Number(isKept), found: count.found + Number(isFound) });
	}

	share(kind: Planted['kind'] | undefined, marked: boolean): number {
		let [planted, kept] = [0, 0];
		for (const [name, count] of this.#counts) {
			const [how, what] = name.split(' ');
			if ((how === 'marked') !== marked || (kind !== undefined && what !== kind)) continue;
			planted += count.all;
			kept += count.kept;
		}
		return rounded(kept / planted);
	}

	lines(): string[] {
		return [...this.#counts]
			.sort(([a], [b]) => a.localeCompare(b))
			.map(([name, { all: planted, kept, found }]) => `${name}: ${kept} of ${planted} before the model, ${found} recognised`);
	}
}

function rounded(share: number): number {
	// Never up to 1: that would say that nothing was lost.
	return Math.floor(share * 10_000) / 10_000;
}
