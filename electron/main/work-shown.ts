import type { WorkTold } from '../host-protocol.ts';
import { nextLineChangesAt } from './next-line.ts';

/** Longer ones end at once. */
const LONGEST_TIMER_MS = 2_000_000_000;

export interface WorkShown {
	now(): WorkTold;
	told(work: WorkTold): void;
	/** Shows it anew: after the machine slept, time has passed that no timer counted. */
	again(): void;
}

/** Keeps what menus say of background work true: shows what the runtime told, and shows it again when time alone makes it another. */
export function createWorkShown(show: (work: WorkTold) => void): WorkShown {
	let work: WorkTold = { state: 'off', findings: 0, tasks: { missed: 0 } };
	let timer: NodeJS.Timeout | undefined;
	const again = (): void => {
		clearTimeout(timer);
		show(work);
		const now = Date.now();
		const at = nextLineChangesAt(work, now);
		if (at !== undefined) timer = setTimeout(again, Math.min(at - now + 1, LONGEST_TIMER_MS));
	};
	return {
		now: () => work,
		told: (next) => {
			if (JSON.stringify(next) === JSON.stringify(work)) return;
			work = next;
			again();
		},
		again,
	};
}
