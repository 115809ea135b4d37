import { open, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../base/logger.ts';
import type { Announce } from '../contract/announce.ts';
import type { Health } from '../contract/shapes.ts';
import { asStorageError, diskFull } from '../db/errors.ts';
import type { StateDb } from '../db/open.ts';
import { RESERVE_BYTES, type Reserve } from '../db/reserve.ts';
import { type ErrorShape, HearthError, needsOwner } from '../domain/errors.ts';

/** Below this nothing can be promised, so Hearth stops writing before a write is cut. */
const LEAST_FREE_BYTES = 2 * 1024 * 1024;
const LOW_BYTES = 300 * 1024 * 1024;
const PROBE_BYTES = 256 * 1024;
const PROBE_EVERY_MS = 2_000;
const LOOK_EVERY_MS = 60_000;

export interface HealthOptions {
	db: StateDb;
	folder: string;
	/** Filled again when there is plenty of room. */
	reserve?: Pick<Reserve, 'fill'>;
	announce: Announce;
	logger: Logger;
	/** Bytes that this user may still write in the folder. */
	freeBytes?: (folder: string) => Promise<number>;
	probeEveryMs?: number;
}

export interface HealthKeeper {
	current(): Health;
	/** For any failed write outside state.db: a full disk makes the app read-only, other errors change nothing. */
	report(error: unknown): void;
	/** Sets or clears what is worth knowing, by a name of the caller's. */
	warn(name: string, warning: ErrorShape | undefined): void;
	/** Looks now instead of at the next interval. */
	check(): Promise<Health>;
	/** Waits for a look under way. */
	close(): Promise<void>;
}

/**
 * Whether anything can be saved (dur-2). A write that the disk refused makes it `read_only`; from then on it tries a small real
 * write every two seconds and says `ok` again as soon as that works, with nothing for the owner to press.
 */
export function keepHealth(options: HealthOptions): HealthKeeper {
	const { db, folder, announce, logger } = options;
	const freeBytes = options.freeBytes ?? freeBytesOf;
	const probeEveryMs = options.probeEveryMs ?? PROBE_EVERY_MS;
	const warnings = new Map<string, ErrorShape>();
	let problem: ErrorShape | undefined;
	let timer: NodeJS.Timeout | undefined;
	let looking: Promise<void> | undefined;
	let closed = false;
	let looked = false;

	const current = (): Health => ({
		state: problem ? 'read_only' : 'ok',
		...(problem ? { problem } : {}),
		warnings: [...warnings.values()],
	});
	const changed = () => {
		if (!closed) announce({ type: 'health_changed', health: current() });
	};

	const setProblem = (next: ErrorShape | undefined) => {
		if (problem?.code === next?.code) return;
		problem = next;
		// It says that everything is still saved.
		if (next) warnings.delete('low_space');
		logger.warn(next ? 'health_read_only' : 'health_recovered', next ? { code: next.code } : {});
		changed();
		plan();
	};
	const report = (error: unknown) => {
		const known = asStorageError(error);
		if (known instanceof HearthError && (known.code === 'disk_full' || known.code === 'read_only')) setProblem(known.shape);
	};
	const warn = (name: string, warning: ErrorShape | undefined) => {
		if (warnings.get(name)?.message === warning?.message) return;
		if (warning) warnings.set(name, warning);
		else warnings.delete(name);
		changed();
	};

	const look = async () => {
		try {
			const free = await freeBytes(folder);
			if (free < LEAST_FREE_BYTES) return setProblem(diskFull().shape);
			if (problem || !db.isInPlace()) await tryWriting(folder, db);
			setProblem(undefined);
			warn('low_space', free < LOW_BYTES ? lowSpace(free) : undefined);
			// Not at once: a start and a short command have other things to do.
			if (looked && free > 4 * RESERVE_BYTES) await options.reserve?.fill();
			looked = true;
		} catch (error) {
			report(error);
			if (!(asStorageError(error) instanceof HearthError)) logger.warn('health_look_failed', { error });
		}
	};
	const check = async () => {
		looking ??= look().finally(() => {
			looking = undefined;
			plan();
		});
		await looking;
		return current();
	};
	function plan(): void {
		clearTimeout(timer);
		if (closed) return;
		timer = setTimeout(() => void check(), problem ? probeEveryMs : LOOK_EVERY_MS);
		timer.unref();
	}

	const stopListening = db.onWrite((failure) => {
		if (failure) report(failure);
	});
	void check();
	return {
		current,
		report,
		warn,
		check,
		close: async () => {
			closed = true;
			clearTimeout(timer);
			stopListening();
			await looking;
		},
	};
}

/** A file of a quarter megabyte, synced, and a page of state.db: both must go through. */
async function tryWriting(folder: string, db: StateDb): Promise<void> {
	const probe = join(folder, '.space-probe');
	try {
		const file = await open(probe, 'w', 0o600);
		try {
			await file.writeFile(Buffer.alloc(PROBE_BYTES, 1));
			await file.sync();
		} finally {
			await file.close();
		}
	} finally {
		await rm(probe, { force: true });
	}
	db.write((tx) => tx.pragma(`user_version = ${db.schemaVersion}`));
}

export async function freeBytesOf(folder: string): Promise<number> {
	const found = await statfs(folder);
	return found.bavail * found.bsize;
}

function lowSpace(free: number): ErrorShape {
	// Rounded, so that the words do not change with every byte.
	const tens = Math.max(10, Math.round(free / 10_000_000) * 10);
	return needsOwner('disk_full', `Little space is left on the disk: about ${tens} MB.`, {
		safe: 'Hearth still saves everything.',
		action: 'Free some space soon.',
	}).shape;
}
