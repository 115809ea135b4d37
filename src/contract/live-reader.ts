import type { HearthClient } from './contract.ts';
import type { LiveEvent, LiveItem } from './events.ts';

/** How far a view has read the live stream. */
export interface LivePosition {
	readonly epoch: string;
	readonly seq: number;
}

/**
 * What to do with an item. `snapshot`: take the snapshots anew, something was missed. `resumed`: nothing was missed.
 * `apply`: the next event. `skip`: seen before.
 */
export type LiveOutcome = { kind: 'snapshot' } | { kind: 'resumed' } | { kind: 'apply'; seq: number; event: LiveEvent } | { kind: 'skip' };

/** Pure. The position after an item, and what the item means for a view at `position` (none: it has read nothing yet). */
export function advance(position: LivePosition | undefined, item: LiveItem): { position: LivePosition | undefined; outcome: LiveOutcome } {
	if (item.type === 'ready') {
		const resumes = position !== undefined && !item.gap && item.epoch === position.epoch;
		if (resumes) return { position, outcome: { kind: 'resumed' } };
		return { position: { epoch: item.epoch, seq: item.seq }, outcome: { kind: 'snapshot' } };
	}
	if (position === undefined || item.seq <= position.seq) return { position, outcome: { kind: 'skip' } };
	const next = { epoch: position.epoch, seq: item.seq };
	// A hole: the snapshot that is taken from here on holds this event, too.
	if (item.seq !== position.seq + 1) return { position: next, outcome: { kind: 'snapshot' } };
	return { position: next, outcome: { kind: 'apply', seq: item.seq, event: item.event } };
}

export interface LiveListener {
	/** Events up to now may have been missed: take the snapshots anew and drop later events at or before their `seq`. */
	onSnapshotNeeded(position: LivePosition): void;
	onEvent(event: LiveEvent, seq: number): void;
	/** The stream is on again and nothing was missed. */
	onResumed?(): void;
}

export interface LiveReader {
	readonly position: LivePosition | undefined;
	/**
	 * Reads one connection's live stream until it ends. Resolves when the runtime ended it or `stop` was called; rejects
	 * with `disconnected` when the channel went away: connect again and call it again, it catches up from where it was.
	 */
	follow(rpc: HearthClient): Promise<void>;
	stop(): void;
}

export function createLiveReader(listener: LiveListener): LiveReader {
	let position: LivePosition | undefined;
	let current: AsyncIterator<LiveItem> | undefined;
	let stopped = false;
	return {
		get position() {
			return position;
		},
		async follow(rpc) {
			const stream = await rpc.system.live(position ? { epoch: position.epoch, afterSeq: position.seq } : {});
			const iterator = stream[Symbol.asyncIterator]();
			if (stopped) {
				await iterator.return?.();
				return;
			}
			current = iterator;
			try {
				for (;;) {
					const step = await iterator.next();
					if (step.done || stopped) return;
					const { position: next, outcome } = advance(position, step.value);
					position = next;
					if (outcome.kind === 'apply') listener.onEvent(outcome.event, outcome.seq);
					else if (outcome.kind === 'snapshot' && next) listener.onSnapshotNeeded(next);
					else if (outcome.kind === 'resumed') listener.onResumed?.();
				}
			} catch (error) {
				if (!stopped) throw error;
			} finally {
				current = undefined;
			}
		},
		stop() {
			stopped = true;
			// Its promise rejects only where the channel is gone already, which is what was wanted.
			current?.return?.().catch(() => {});
		},
	};
}
