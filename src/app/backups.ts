import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import { sql, value } from '../db/sql.ts';
import type { ProfileBackups } from './backup/profile-backups.ts';
import { freeBytesOf } from './health.ts';
import { folderBytes } from './storage-report.ts';

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
 * A back-up of state.db a day, so that a damaged database has one to go back to (dur-4), and one of the whole profile. None while there
 * is nothing to lose or too little space for a copy. How many are kept is stated where they are made.
 */
export function keepBackups(options: {
	db: StateDb;
	folder: string;
	clock: Clock;
	logger: Logger;
	/** Of the whole profile; without it only the database is backed up. */
	archives?: Pick<ProfileBackups, 'newestMadeAt' | 'create'>;
}): BackupKeeper {
	const { db, folder, clock, logger, archives } = options;
	let timer = setTimeout(again, FIRST_LOOK_MS).unref();
	const madeHere = { database: Number.NEGATIVE_INFINITY, archive: Number.NEGATIVE_INFINITY };
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
		if (!hasSomethingToLose()) return false;
		const database = await makeIfDue('database', db.backups()[0]?.madeAt, databaseBytes(), async () => {
			const made = await db.backUp();
			logger.info('backup_made', { name: made.name, bytes: made.bytes });
		});
		if (!archives) return database;
		// Twice the database: it is copied before it is packed.
		const bytes = databaseBytes() + (await folderBytes(folder));
		return (await makeIfDue('archive', await archives.newestMadeAt(), bytes, () => archives.create())) || database;
	}

	function hasSomethingToLose(): boolean {
		const found = value(db.read, sql`SELECT EXISTS (SELECT 1 FROM sessions) OR EXISTS (SELECT 1 FROM memory_files)`);
		return found === 1;
	}

	function databaseBytes(): number {
		return value<number>(db.read, sql`SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`) ?? 0;
	}

	async function makeIfDue(
		what: keyof typeof madeHere,
		newest: number | undefined,
		bytes: number,
		make: () => Promise<unknown>,
	): Promise<boolean> {
		const age = newest === undefined ? DAY : clock.now() - newest;
		// One "from the future" means that the clock jumped back (dur-6); then this process's own clock counts the day.
		const due = age >= 0 ? age >= DAY : clock.monotonic() - madeHere[what] >= DAY;
		if (!due) return false;
		if ((await freeBytesOf(folder)) < bytes + SPARE_BYTES) {
			logger.warn('backup_skipped_little_space', { what });
			return false;
		}
		await make();
		madeHere[what] = clock.monotonic();
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
