import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import { sql, value } from '../db/sql.ts';
import { freeBytesOf } from './health.ts';

const FIRST_LOOK_MS = 20_000;
const LOOK_EVERY_MS = 600_000;
const DAY = 86_400_000;
const SPARE_BYTES = 200 * 1024 * 1024;

export interface BackupKeeper {
	/** Makes a back-up if one is due; true when it did. Never rejects: a missed back-up is logged and tried again later. */
	look(): Promise<boolean>;
	/** Waits for one under way. */
	close(): Promise<void>;
}

/**
 * A back-up of state.db a day, so that a damaged database has one to go back to (dur-4). None while there is nothing to lose
 * or too little space for a copy. How many are kept is stated in `db/backup.ts`.
 */
export function keepBackups(options: { db: StateDb; folder: string; clock: Clock; logger: Logger }): BackupKeeper {
	const { db, folder, clock, logger } = options;
	let timer = setTimeout(again, FIRST_LOOK_MS).unref();
	let madeHere = Number.NEGATIVE_INFINITY;
	let looking: Promise<boolean> | undefined;

	function again(): void {
		void look();
		timer = setTimeout(again, LOOK_EVERY_MS).unref();
	}

	function look(): Promise<boolean> {
		looking ??= backUpIfDue()
			.catch((error: unknown) => {
				logger.warn('backup_failed', { error });
				return false;
			})
			.finally(() => {
				looking = undefined;
			});
		return looking;
	}

	async function backUpIfDue(): Promise<boolean> {
		if (value(db.read, sql`SELECT 1 FROM sessions LIMIT 1`) === undefined) return false;
		const [newest] = db.backups();
		const age = newest ? clock.now() - newest.madeAt : DAY;
		// One "from the future" means that the clock jumped back (dur-6); then this process's own clock counts the day.
		const due = age >= 0 ? age >= DAY : clock.monotonic() - madeHere >= DAY;
		if (!due) return false;
		const bytes = (value<number>(db.read, sql`SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`) ?? 0) + SPARE_BYTES;
		if ((await freeBytesOf(folder)) < bytes) {
			logger.warn('backup_skipped_little_space');
			return false;
		}
		const made = await db.backUp();
		madeHere = clock.monotonic();
		logger.info('backup_made', { name: made.name, bytes: made.bytes });
		return true;
	}

	return {
		look,
		close: async () => {
			clearTimeout(timer);
			await looking;
		},
	};
}
