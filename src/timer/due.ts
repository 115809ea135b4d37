import type { Timestamp } from '../domain/ids.ts';
import type { RunKind } from '../domain/run.ts';
import { holdOnTimers, type Situation } from './holds.ts';

/** A slot: at `dueAt`, or as soon afterwards as may be, `kind` is told `ref`, once. */
export interface Timer {
	readonly id: string;
	/** Who is told. */
	readonly kind: string;
	readonly ref: string;
	readonly dueAt: Timestamp;
	/** Whose work it is. */
	readonly work: RunKind;
}

/** The kinds of work whose timers are told now. */
export function tellable(kinds: readonly RunKind[], situation: Situation): RunKind[] {
	return kinds.filter((work) => holdOnTimers(work, situation) === undefined);
}

/** When to look again, given the earliest slot of each kind of work; undefined where nothing will come by itself. Never in the past. */
export function nextDue(earliest: ReadonlyMap<RunKind, Timestamp>, situation: Situation): Timestamp | undefined {
	const times = [...earliest].flatMap(([work, dueAt]) => {
		const hold = holdOnTimers(work, situation);
		if (hold?.why === 'paused') return [];
		return [Math.max(dueAt, hold?.until ?? situation.now)];
	});
	return times.length === 0 ? undefined : Math.min(...times);
}
