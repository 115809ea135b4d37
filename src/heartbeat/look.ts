import { crashPoint } from '../base/crash-point.ts';
import type { Logger } from '../base/logger.ts';
import { Sequencer } from '../base/sequencer.ts';
import { isFullDisk } from '../db/errors.ts';
import { type ErrorShape, HearthError, toErrorShape } from '../domain/errors.ts';
import type { HeartbeatTick, TickId } from '../domain/heartbeat.ts';
import { messageText } from '../domain/message.ts';
import type { RunSummary } from '../domain/run.ts';
import { interestsOf } from '../model/triage/watch.ts';
import { isAtRest } from '../run/children.ts';
import type { RunEngine } from '../run/engine.ts';
import { findRun } from '../run/journal-store.ts';
import { Later } from '../run/later.ts';
import type { ChosenModel } from '../run/models.ts';
import { findMessage } from '../sessions/message-store.ts';
import type { Hold } from '../timer/holds.ts';
import { leaveFor, type Recipient } from './consent.ts';
import { type Batch, beginBatch, repeatBatch } from './look-batch.ts';
import { judgeEnd } from './look-end.ts';
import { ASKS, HELD, LATELY, LookEnds, type LookEndsDeps, NO_INTERESTS, REFUSED } from './look-ends.ts';
import type { TakeIn, TellFound } from './look-ports.ts';
import {
	addFound,
	endTickRun,
	findTick,
	findTickRun,
	openTick,
	type StoredTick,
	setTickRead,
	type TickRun,
	tickRuns,
	unansweredAlone,
	WITHOUT_ANSWER,
	worksLately,
} from './tick-store.ts';

export interface LooksDeps extends LookEndsDeps {
	readonly logger: Logger;
	readonly engine: Pick<RunEngine, 'beginWork' | 'start' | 'stop'>;
	readonly takeIn: TakeIn;
	/** HEARTBEAT.md as it is now; empty where there is none. */
	readonly heartbeat: () => Promise<string>;
	/** The owner's choice for work in the background. Rejects where it is not set up any more. */
	readonly model: () => Promise<ChosenModel>;
	/** In the transaction that takes findings in: they wait for the owner now. */
	readonly found: TellFound;
	/** What keeps a look from its next step. */
	readonly hold: (by: HeartbeatTick['by']) => Hold | undefined;
}

const CALLED_A_TOOL = 'Your last answer to this called a tool. There are none: answer with the JSON object alone.';

/**
 * Looks, each a row that goes on by what is written down: it reads, begins a run for some items, takes its findings in, and so on until nothing is
 * left. What is held in memory can be lost at any moment. Whoever has news (a run ended) says `look`, any number of times.
 */
export class Looks {
	readonly #deps: LooksDeps;
	readonly #sequencer = new Sequencer();
	readonly #later: Later;
	readonly #ends: LookEnds;
	#reading = new AbortController();
	#stopping = false;
	#closing = false;

	constructor(deps: LooksDeps) {
		this.#deps = deps;
		this.#later = new Later(deps.logger);
		this.#ends = new LookEnds(deps);
	}

	/** Does what the look asks for next, as far as it goes by itself. Never rejects. */
	look(id: TickId): Promise<void> {
		return this.#sequencer.run('look', () => this.#goOn(id));
	}

	/** A run is over: if it is a look's, that goes on. */
	runEnded({ id, kind }: Pick<RunSummary, 'id' | 'kind'>): void {
		const run = kind === 'heartbeat' ? findTickRun(this.#deps.db.read, id) : undefined;
		if (run && run.outcome === undefined) void this.look(run.tickId);
	}

	/** Call once, after runs were recovered. */
	recover(): void {
		this.#ends.tell();
		const open = openTick(this.#deps.db.read);
		if (open) void this.look(open.id);
	}

	/** The owner's Stop. What no run has considered to its end waits for the next look. */
	async stop(): Promise<void> {
		const { db, engine } = this.#deps;
		const open = openTick(db.read);
		if (!open) return;
		this.#stopping = true;
		this.#reading.abort();
		await this.#sequencer.run('look', async () => {
			this.#stopping = false;
			for (const { runId, outcome } of tickRuns(db.read, open.id)) if (outcome === undefined) await engine.stop(runId);
			const tick = findTick(db.read, open.id);
			if (tick && tick.endedAt === undefined) this.#ends.tick(tick, 'stopped');
		});
	}

	async close(): Promise<void> {
		this.#closing = true;
		this.#reading.abort();
		this.#later.close();
		await this.#sequencer.idle();
	}

	async #goOn(id: TickId): Promise<void> {
		try {
			while (!this.#closing && !this.#stopping && (await this.#step(id)));
		} catch (error) {
			if (this.#closing) return;
			if (isFullDisk(error) || (error instanceof HearthError && error.kind === 'retryable'))
				this.#later.again('look_not_gone_on', () => void this.look(id));
			else this.#failed(id, error);
		}
	}

	/** False: nothing more by itself. */
	async #step(id: TickId): Promise<boolean> {
		const tick = findTick(this.#deps.db.read, id);
		if (!tick || tick.endedAt !== undefined) return false;
		const open = tickRuns(this.#deps.db.read, id).find(({ outcome }) => outcome === undefined);
		if (open) return this.#runOver(tick, open);
		return tick.outcome === 'reading' ? this.#read(tick) : this.#next(tick);
	}

	/** Again after a crash: what was taken in is known. */
	async #read(tick: StoredTick): Promise<boolean> {
		const { db, sources, hold, announce } = this.#deps;
		const held = hold(tick.by);
		if (held) return this.#ends.tick(tick, 'held', HELD[held.why]);
		this.#reading = new AbortController();
		const { signal } = this.#reading;
		const read = await sources.readDue({ signal, only: tick.only, early: tick.by === 'owner' }).catch((error: unknown) => {
			if (signal.aborted) return undefined;
			throw error;
		});
		// Stopped, or closing: who did it goes on from here.
		if (!read) return false;
		db.write((tx) => setTickRead(tx, tick.id, sources.readSince(tick.startedAt, tick.only)));
		announce({ type: 'heartbeat_changed' });
		return true;
	}

	async #next(tick: StoredTick): Promise<boolean> {
		const { db, sources, heartbeat, model, hold } = this.#deps;
		const runs = tickRuns(db.read, tick.id);
		const left = new Set(runs.filter(({ outcome }) => outcome === 'unanswered').map(({ sourceId }) => sourceId));
		const source = sources.withUnread(tick.only).find(({ id }) => !left.has(id));
		if (!source) return this.#over(tick, runs);
		const held = hold(tick.by);
		if (held) return this.#ends.tick(tick, 'held', HELD[held.why]);
		const text = await heartbeat();
		if (interestsOf(text).length === 0) return this.#ends.tick(tick, 'held', NO_INTERESTS);
		const chosen = await model().catch((error: unknown) => toErrorShape(error));
		if ('code' in chosen) return this.#ends.stopLooks(tick, chosen);
		const leave = leaveFor(db.read, recipientOf(chosen));
		if (leave === 'asks' || leave === 'refused') return this.#ends.tick(tick, 'held', leave === 'asks' ? ASKS : REFUSED);
		if (await beginBatch(this.#deps, { tickId: tick.id, source, heartbeat: text, chosen }))
			this.#deps.announce({ type: 'heartbeat_changed' });
		return false;
	}

	/** Nothing is left to consider. A look of which nothing came to an answer failed; where nothing did lately, the next one would fare no better. */
	#over(tick: StoredTick, runs: readonly TickRun[]): false {
		const error = runs.findLast(({ outcome }) => WITHOUT_ANSWER.has(outcome))?.error;
		if (!error || runs.some(({ outcome }) => outcome === 'taken')) return this.#ends.tick(tick, runs.length > 0 ? 'done' : 'nothing_new');
		const isToBlame = error.kind === 'terminal' && !worksLately(this.#deps.db.read, LATELY);
		return isToBlame ? this.#ends.stopLooks(tick, error) : this.#ends.tick(tick, 'failed', error.message);
	}

	/** Its answer becomes findings, its items are read, and it is over: in one transaction, once. False: it is still at work. */
	async #runOver(tick: StoredTick, open: TickRun): Promise<boolean> {
		const { db, sources, found } = this.#deps;
		const run = findRun(db.read, open.runId);
		if (run && !isAtRest(run.status)) return false;
		crashPoint('heartbeat.ended');
		const message = run && findMessage(db.read, run.messageId);
		const source = sources.find(open.sourceId);
		if (!run || !message || !source || run.status === 'stopped') {
			// Deleted, withdrawn, or stopped by the owner.
			this.#ends.run(open, 'stopped', (tx) => sources.markUnread(tx, open.runId));
			return run?.status === 'stopped' ? this.#ends.tick(tick, 'stopped') : true;
		}
		if (run.status === 'failed') return this.#runFailed(tick, open, source.title, message.error ?? UNKNOWN);
		const answer = messageText(message).trim();
		if (run.status === 'interrupted' && answer === '') return this.#unreadable(tick, open, source, CALLED_A_TOOL);
		const earlier = tick.findings;
		const { step, sessionId } = run;
		const { modelName } = message;
		const look = { runId: run.id, tickId: tick.id, step, sessionId, modelName, source, items: sources.itemsOf(run.id), answer, earlier };
		const taken = await this.#deps.takeIn(look).catch((error: unknown) => {
			if (error instanceof HearthError && error.code === 'findings_unreadable') return error.shape;
			throw error;
		});
		if ('code' in taken) return this.#unreadable(tick, open, source, `Your last answer to this could not be read: ${taken.message}`);
		crashPoint('heartbeat.found');
		const dropped = taken.dropped.reduce((sum, { count }) => sum + count, 0);
		this.#ends.run(open, 'taken', (tx) => {
			taken.settle(tx);
			sources.markRead(tx, open.runId);
			if (taken.held > 0) found(tx, { sourceId: source.id, sourceTitle: source.title, findings: taken.held });
			addFound(tx, tick.id, { findings: taken.held, known: taken.known, overCap: taken.overCap, dropped });
		});
		return true;
	}

	/** Asked once more, with what was wrong; after that its items are not considered, and the look says so. */
	async #unreadable(tick: StoredTick, open: TickRun, source: Batch['source'], problem: string): Promise<boolean> {
		const { db, sources, heartbeat, model, announce, hold } = this.#deps;
		if (open.attempt > 1) return this.#ends.giveUp(tick, open, source.title, 'the model gave no answer that could be read');
		const chosen = await model().catch(() => undefined);
		const mayGoOn = chosen !== undefined && !hold(tick.by) && ['free', 'allowed'].includes(leaveFor(db.read, recipientOf(chosen)));
		if (!mayGoOn) {
			this.#ends.run(open, 'stopped', (tx) => sources.markUnread(tx, open.runId));
			return true;
		}
		const batch = { tickId: tick.id, source, heartbeat: await heartbeat(), chosen };
		await repeatBatch(this.#deps, batch, { runId: open.runId, problem, within: (tx) => void endTickRun(tx, open.runId, 'unreadable') });
		announce({ type: 'heartbeat_changed' });
		return false;
	}

	#runFailed(tick: StoredTick, open: TickRun, title: string, error: ErrorShape): boolean {
		const { db, sources } = this.#deps;
		const failed = tickRuns(db.read, tick.id).filter(({ outcome }) => WITHOUT_ANSWER.has(outcome));
		const verdict = judgeEnd({
			error,
			items: open.items,
			failedOfLook: failed.length,
			failedOfSource: failed.filter(({ sourceId }) => sourceId === open.sourceId).length,
			worksLately: worksLately(db.read, LATELY),
			unansweredBefore: unansweredAlone(db.read, open.sourceId, LATELY),
		});
		if (verdict === 'give_up') return this.#ends.giveUp(tick, open, title, error.message);
		this.#ends.run(open, OUTCOMES[verdict], (tx) => verdict !== 'aside' && sources.markUnread(tx, open.runId), error);
		switch (verdict) {
			case 'asks':
				return this.#ends.tick(tick, 'held', ASKS);
			case 'stop':
				return this.#ends.stopLooks(tick, error);
			case 'fail':
				return this.#ends.tick(tick, 'failed', error.message);
			case 'fewer':
			case 'aside':
			case 'others':
				return true;
		}
	}

	/** Something that no step foresaw. */
	#failed(id: TickId, error: unknown): void {
		const { db, logger } = this.#deps;
		logger.error('look_failed', { tickId: id, error });
		try {
			const tick = findTick(db.read, id);
			if (tick && tick.endedAt === undefined) this.#ends.tick(tick, 'failed', toErrorShape(error).message);
		} catch (second) {
			logger.error('look_stuck', { tickId: id, error: second });
		}
	}
}

function recipientOf({ ref, model: { provider } }: ChosenModel): Recipient {
	return { ref, provider };
}

/** What keeps a look as a whole from going on is no fault of its items. */
const OUTCOMES = { asks: 'stopped', stop: 'stopped', fail: 'stopped', fewer: 'failed', others: 'unanswered', aside: 'aside' } as const;
const UNKNOWN: ErrorShape = { kind: 'terminal', code: 'internal', message: 'The run of the look ended without saying why.' };
