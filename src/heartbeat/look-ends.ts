import type { Announce } from '../contract/announce.ts';
import type { StateDb, WriteDb } from '../db/open.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { HeartbeatTick, TickId } from '../domain/heartbeat.ts';
import type { Timestamp } from '../domain/ids.ts';
import { cutCodePoints } from '../domain/text.ts';
import type { Hold } from '../timer/holds.ts';
import type { SourcesForLook } from './look-ports.ts';
import { setProblem } from './problem-store.ts';
import {
	dropSameHeld,
	endTick,
	endTickRun,
	findTick,
	type StoredTick,
	setNote,
	setTold,
	settleAside,
	type TickRun,
	type TickRunOutcome,
	tickRuns,
	untoldTicks,
	worksLately,
} from './tick-store.ts';

export interface LookEndsDeps {
	readonly db: StateDb;
	readonly clock: { now(): Timestamp };
	readonly announce: Announce;
	readonly sources: SourcesForLook;
	/** Findings that wait for the owner. */
	readonly waiting: () => number;
	/** A look is over. Must not throw. */
	readonly ended: () => void;
}

/** Runs, whatever their source, that tell whether the model works. */
export const LATELY = 200;
const LONGEST_WORDS = 500;

export const HELD: Record<Hold['why'], string> = {
	paused: 'All background work was paused.',
	active_hours: 'It came outside the hours that you set.',
	budget_used: 'The day’s budget for background work was used.',
};
export const NO_INTERESTS = 'HEARTBEAT.md says nothing to watch for.';
export const ASKS = 'You are asked first whether text of your sources may go to the model.';
export const REFUSED = 'You said that text of your sources may not go to the model.';

/** How looks and their runs end, each once and in one transaction, with what the owner is told of it. */
export class LookEnds {
	readonly #deps: LookEndsDeps;

	constructor(deps: LookEndsDeps) {
		this.#deps = deps;
	}

	/** `within`: what goes with it. Nothing where it ended before. `error`: why it came to no answer. */
	run({ runId }: TickRun, outcome: TickRunOutcome, within: (tx: WriteDb) => unknown, error?: ErrorShape): void {
		const { db, sources, announce } = this.#deps;
		db.write((tx) => {
			if (endTickRun(tx, runId, outcome, error)) within(tx);
		});
		sources.changed();
		announce({ type: 'heartbeat_changed' });
	}

	/** Its items are not considered again, and the look says so. */
	giveUp(tick: StoredTick, open: TickRun, title: string, why: string): true {
		const { sources } = this.#deps;
		this.run(open, 'unreadable', (tx) => {
			sources.markRead(tx, open.runId);
			addNote(tx, tick.id, notConsidered(open, title, why));
		});
		return true;
	}

	/** What a run of it still considers is unread again: that run is nobody's any more. False: nothing goes on by itself. */
	tick(tick: StoredTick, outcome: HeartbeatTick['outcome'], why?: string): false {
		const { db, clock, sources, announce } = this.#deps;
		db.write((tx) => {
			for (const run of tickRuns(tx, tick.id)) {
				if (run.outcome === 'aside') this.#settleAside(tx, tick, run);
				if (run.outcome !== undefined) continue;
				sources.markUnread(tx, run.runId);
				endTickRun(tx, run.runId, 'stopped');
			}
			endTick(tx, tick.id, { outcome, why: why === undefined ? undefined : short(why) }, clock.now());
			if (outcome === 'held') dropSameHeld(tx, tick.id);
		});
		announce({ type: 'heartbeat_changed' });
		this.tell();
		this.#deps.ended();
		return false;
	}

	/** Where others went well, this item is to blame that nothing came of it; else it is looked at again. */
	#settleAside(tx: WriteDb, tick: StoredTick, run: TickRun): void {
		const { sources } = this.#deps;
		if (!worksLately(tx, LATELY)) {
			sources.markUnread(tx, run.runId);
			settleAside(tx, run.runId, 'unanswered');
			return;
		}
		sources.markRead(tx, run.runId);
		settleAside(tx, run.runId, 'unreadable');
		const title = sources.find(run.sourceId)?.title ?? run.sourceId;
		addNote(tx, tick.id, notConsidered(run, title, run.error?.message ?? ''));
	}

	/** Until the owner says go on. */
	stopLooks(tick: StoredTick, error: ErrorShape): false {
		this.#deps.db.write((tx) => setProblem(tx, error, this.#deps.clock.now()));
		return this.tick(tick, 'failed', error.message);
	}

	/** Once a look: of what it found, not of each finding. */
	tell(): void {
		const { db, announce, waiting } = this.#deps;
		for (const { id, findings } of untoldTicks(db.read)) {
			const now = waiting();
			// Decided meanwhile: there is nothing to tell.
			if (now > 0) announce({ type: 'findings_wait', found: findings, waiting: now });
			db.write((tx) => setTold(tx, id));
		}
	}
}

function addNote(tx: WriteDb, id: TickId, line: string): void {
	const before = findTick(tx, id)?.note;
	setNote(tx, id, short(before === undefined ? line : `${before}\n${line}`));
}

function notConsidered({ items }: TickRun, title: string, why: string): string {
	return `${items === 1 ? 'One item' : `${items} items`} of “${title}” could not be considered: ${why}`;
}

function short(text: string): string {
	return text.length <= LONGEST_WORDS ? text : `${cutCodePoints(text, LONGEST_WORDS - 1)}…`;
}
