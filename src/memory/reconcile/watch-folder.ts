import type { Logger } from '../../base/logger.ts';
import type { Reconciler } from './reconciler.ts';
import { watchSigns } from './watch-signs.ts';

/** After the last sign of a change, so that a save in several steps is one. */
const QUIET_MS = 120;
/** However long the signs go on. */
const LONGEST_WAIT_MS = 1_500;
/** A look without any sign: systems lose some, and folders that are not local may give none (mem-2). */
const LOOK_EVERY_MS = 5_000;
/** Where the system gives no signs at all. */
const LOOK_EVERY_UNWATCHED_MS = 1_500;

export interface FolderWatch {
	/** Resolves when the system gives signs, or it is known that it does not. */
	readonly ready: Promise<void>;
	/** Waits for a look that is under way. */
	close(): Promise<void>;
}

export interface WatchOptions {
	/** Of the profile. */
	readonly folder: string;
	readonly reconciler: Reconciler;
	readonly logger: Logger;
	/** Tests only: without the system's signs. */
	readonly signs?: boolean;
}

/** Looks at the memory files soon after each change on the disk. A failed look is logged and made again. */
export function watchFolder({ folder, reconciler, logger, signs = true }: WatchOptions): FolderWatch {
	let timer: NodeJS.Timeout | undefined;
	let since: number | undefined;
	let looking: Promise<void> | undefined;
	let closed = false;
	let regular = setInterval(look, signs ? LOOK_EVERY_MS : LOOK_EVERY_UNWATCHED_MS).unref();

	function signed(): void {
		since ??= performance.now();
		lookIn(Math.max(0, Math.min(QUIET_MS, since + LONGEST_WAIT_MS - performance.now())));
	}

	function lookIn(ms: number): void {
		clearTimeout(timer);
		if (!closed) timer = setTimeout(look, ms).unref();
	}

	function look(): void {
		if (closed) return;
		if (looking !== undefined) {
			lookIn(QUIET_MS);
			return;
		}
		since = undefined;
		looking = reconciler
			.look({ patient: true })
			.then(
				() => {
					if (reconciler.unsettled()) lookIn(QUIET_MS);
				},
				(error: unknown) => logger.warn('memory_not_compared', { error }),
			)
			.finally(() => {
				looking = undefined;
			});
	}

	function onLost(error: unknown): void {
		logger.warn('memory_not_watched', { error });
		if (closed) return;
		clearInterval(regular);
		regular = setInterval(look, LOOK_EVERY_UNWATCHED_MS).unref();
	}

	const system = signs ? watchSigns({ folder, onSign: signed, onLost }) : undefined;
	return {
		ready: system?.ready ?? Promise.resolve(),
		close: async () => {
			closed = true;
			clearTimeout(timer);
			clearInterval(regular);
			await system?.close();
			await looking;
		},
	};
}
