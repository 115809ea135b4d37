import { crashPoint } from '../base/crash-point.ts';
import { newId } from '../base/ids.ts';
import type { StateDb, WriteDb } from '../db/open.ts';
import type { ContextSource } from '../domain/context-source.ts';
import { sourceName } from '../domain/context-source.ts';
import type { TickId, WatchedItem } from '../domain/heartbeat.ts';
import type { RunId, Timestamp } from '../domain/ids.ts';
import { MOST_ITEMS, triageTask } from '../model/triage/request.ts';
import type { RunEngine } from '../run/engine.ts';
import type { ChosenModel } from '../run/models.ts';
import { roomForPrompt, tokenCounterFor } from '../run/tokens.ts';
import type { LookSource, SourcesForLook } from './look-ports.ts';
import { insertTickRun, lastRunOfSource, tickRuns } from './tick-store.ts';

/** One run of a look: as many items of one source as a model considers well in one go. */

/** Items of one run of the responder, which looks at each by itself. */
const MOST_ITEMS_BUILTIN = 100;
/** Tokens of a run's prompt, however large the model's window is: what it costs, and what it still reads with care. */
const MOST_TOKENS = 32_000;

export interface BatchDeps {
	readonly db: StateDb;
	readonly clock: { now(): Timestamp };
	readonly engine: Pick<RunEngine, 'beginWork' | 'start'>;
	readonly sources: SourcesForLook;
}

export interface Batch {
	readonly tickId: TickId;
	readonly source: LookSource;
	readonly heartbeat: string;
	readonly chosen: ChosenModel;
}

/** Begins the next run over this source's unread items. False: it has none. */
export async function beginBatch(deps: BatchDeps, batch: Batch): Promise<boolean> {
	const items = deps.sources.unreadOf(batch.source.id, itemsFor(deps, batch));
	if (items.length === 0) return false;
	await begin(deps, batch, items, 1);
	return true;
}

/** The same items once more, in a run of their own, with what was wrong with the first answer. */
export async function repeatBatch(deps: BatchDeps, batch: Batch, { runId, problem, within }: Repeat): Promise<void> {
	const items = deps.sources.itemsOf(runId);
	await begin(deps, batch, items, 2, {
		problem,
		within: (tx) => {
			deps.sources.markUnread(tx, runId);
			within(tx);
		},
	});
}

interface Repeat {
	readonly runId: RunId;
	readonly problem: string;
	/** In the transaction that begins the other one. */
	readonly within: (tx: WriteDb) => void;
}

/** Where the last run of a source did not cope, it gets half as many. */
function itemsFor({ db }: BatchDeps, { source, chosen }: Batch): number {
	const last = lastRunOfSource(db.read, source.id);
	return last?.outcome === 'failed' || last?.outcome === 'unanswered' ? Math.max(1, Math.floor(last.items / 2)) : mostFor(chosen);
}

function mostFor({ model }: ChosenModel): number {
	return model.port.kind === 'builtin' ? MOST_ITEMS_BUILTIN : MOST_ITEMS;
}

/** The run, its items and that it is this look's, in one transaction: it is begun once (R1), and no item is considered twice. */
async function begin(
	{ db, clock, engine, sources }: BatchDeps,
	{ tickId, source, heartbeat, chosen }: Batch,
	unread: readonly WatchedItem[],
	attempt: number,
	again?: Omit<Repeat, 'runId'>,
): Promise<void> {
	const count = await tokenCounterFor(chosen.model.port);
	const room = roomForPrompt(chosen.model.info.contextTokens);
	const tokens = chosen.model.port.kind === 'builtin' ? room : Math.min(MOST_TOKENS, room);
	const now = clock.now();
	const { instructions, task, taken } = triageTask({
		heartbeat,
		items: unread,
		sourceTitle: source.title,
		now,
		tokens,
		count,
		most: mostFor(chosen),
	});
	const items = unread.slice(0, taken);
	const runId = newId<RunId>();
	const number = tickRuns(db.read, tickId).length + 1;
	db.write((tx) => {
		again?.within(tx);
		engine.beginWork(tx, {
			id: runId,
			kind: 'heartbeat',
			beginKey: `${tickId}:${source.id}:${number}`,
			title: `Look at ${source.title}`,
			task,
			label: 'external',
			sources: items.map((item) => sourceOf(source, item)),
			tools: [],
			model: chosen.ref,
			// A tool that a model asks for all the same is refused, and there is no second call to hear of it.
			maxModelCalls: 1,
			isolated: { instructions: again ? `${instructions}\n\n${again.problem}` : instructions, answer: 'findings' },
		});
		sources.markLooking(
			tx,
			items.map(({ id }) => id),
			runId,
		);
		insertTickRun(tx, { runId, tickId, sourceId: source.id, attempt, items: items.length });
	});
	crashPoint('heartbeat.began');
	engine.start(runId);
}

/** By the owner's name for the source: what others wrote, their titles too, stays in the quarantine (B1). */
function sourceOf({ title }: LookSource, { fetchedHash, fetchedAt }: WatchedItem): ContextSource {
	return { kind: 'finding', name: sourceName(title), label: 'external', hash: fetchedHash, at: fetchedAt };
}
