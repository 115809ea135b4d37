import { closeSync, fsyncSync, openSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { Logger } from '../base/logger.ts';
import { moveSync } from '../base/move.ts';
import { HearthError } from '../domain/errors.ts';
import { type BackupFile, backUpGently, backUpNow, copyGently, listBackups } from './backup.ts';
import type { ReadDb, WriteDb } from './brands.ts';
import { type Connections, configure, openConnections } from './connections.ts';
import { connect } from './driver.ts';
import { asStorageError } from './errors.ts';
import { inspect } from './inspect.ts';
import { type Migration, migrate } from './migrate.ts';
import { migrations as shipped } from './migrations/index.ts';
import { displaced, identityOf } from './place.ts';
import { RESERVE_PARTS, type Reserve } from './reserve.ts';
import { transact } from './transact.ts';

export type { ReadDb, WriteDb } from './brands.ts';

export interface StateDb {
	readonly read: ReadDb;
	/**
	 * Runs `change` in one IMMEDIATE transaction: all of it is on the disk when this returns, or nothing is. The function must
	 * be synchronous and must not call `write` again. Throws what it throws, or `disk_full` / `read_only` / `database_corrupt`.
	 * Where the disk is full it is run again after the write-ahead log was emptied, and, where `makesRoom`, after the reserve was given up.
	 */
	write<T>(change: (tx: WriteDb) => T, how?: { makesRoom: boolean }): T;
	/** Told after each write how it went: nothing, or why the disk did not take it. Returns a function that stops it. */
	onWrite(listener: (failure: HearthError | undefined) => void): () => void;
	/** A checked copy in the back-up folder, made a little at a time between other work. */
	backUp(): Promise<BackupFile>;
	/** The same at a path of the caller's, where no file may be yet. */
	copyTo(file: string): Promise<void>;
	backups(): BackupFile[];
	/**
	 * M4: puts all of the log into the database and empties it, so that nothing lies there that was deleted or replaced. `rebuild` also
	 * writes the database anew, for which it blocks and needs room as large as itself. Not inside a transaction.
	 */
	leaveNothing(how?: { rebuild: boolean }): void;
	/** False once somebody deleted, moved or replaced the file; then `write` refuses, after a back-up of all there is. */
	isInPlace(): boolean;
	readonly schemaVersion: number;
	readonly file: string;
	close(): void;
}

export interface OpenOptions {
	file: string;
	backupsFolder: string;
	logger: Logger;
	clock?: Clock;
	/** One connection that keeps the file to itself and needs no shared memory: for network file systems. */
	exclusive?: boolean;
	/** Room to give up for writes that make room on a full disk. */
	reserve?: Pick<Reserve, 'release'> | undefined;
	/** Tests only. */
	migrations?: readonly Migration[];
}

/**
 * Opens state.db, creating or migrating it. Throws `database_corrupt`, `database_newer`, `disk_full` or `read_only`; the first
 * two before anything was changed (dur-4). The caller holds the profile's lock.
 */
export function openStateDb(options: OpenOptions): StateDb {
	const { file, logger } = options;
	const clock = options.clock ?? systemClock;
	const migrations = options.migrations ?? shipped;
	const newest = migrations.at(-1)?.version ?? 0;
	try {
		const found = inspect(file, options.backupsFolder, newest);
		if (found.state === 'missing') create(file, migrations);
		const connections = openConnections(options);
		try {
			if (found.state === 'usable' && found.version < newest) {
				const backup = backUpNow(connections.writer, options.backupsFolder, clock.now());
				crashPoint('migration.backed_up');
				logger.info('database_migrating', { from: found.version, to: newest, backup: backup.name });
				migrate(connections.writer, migrations);
			}
			return new OpenStateDb(connections, options, clock, newest);
		} catch (error) {
			connections.close();
			throw error;
		}
	} catch (error) {
		const known = asStorageError(error);
		logger.error('database_refused', { error: known });
		throw known;
	}
}

/** Builds the first version beside its final name, so that a state.db that exists is always a whole one. */
function create(file: string, migrations: readonly Migration[]): void {
	const draft = `${file}.new`;
	for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${draft}${ending}`, { force: true });
	const db = connect(draft);
	try {
		db.pragma('locking_mode = EXCLUSIVE');
		configure(db);
		db.pragma('journal_mode = WAL');
		migrate(db, migrations);
	} finally {
		db.close();
	}
	crashPoint('database.created');
	moveSync(draft, file);
	syncFolder(dirname(file));
}

function syncFolder(folder: string): void {
	if (process.platform === 'win32') return;
	const descriptor = openSync(folder, 'r');
	try {
		fsyncSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}

class OpenStateDb implements StateDb {
	readonly file: string;
	readonly schemaVersion: number;
	readonly #connections: Connections;
	readonly #backupsFolder: string;
	readonly #reserve: OpenOptions['reserve'];
	readonly #clock: Clock;
	readonly #logger: Logger;
	/** Undefined where the file system may not tell files apart. */
	readonly #identity: string | undefined;
	readonly #reserveParts = Array.from({ length: RESERVE_PARTS }, () => () => this.#giveUpReserve());
	#rescue: BackupFile | undefined;
	readonly #listeners = new Set<(failure: HearthError | undefined) => void>();

	constructor(connections: Connections, options: OpenOptions, clock: Clock, version: number) {
		this.#connections = connections;
		this.#backupsFolder = options.backupsFolder;
		this.#reserve = options.reserve;
		this.#clock = clock;
		this.#logger = options.logger;
		this.#identity = options.exclusive ? undefined : identityOf(options.file);
		this.file = options.file;
		this.schemaVersion = version;
	}

	get read(): ReadDb {
		return this.#connections.reader as ReadDb;
	}

	write<T>(change: (tx: WriteDb) => T, how = { makesRoom: false }): T {
		const db = this.#connections.writer;
		if (db.inTransaction) throw new Error('write() inside write(): pass the transaction on instead');
		if (!this.isInPlace()) {
			const refused = displaced(this.file, this.#rescueNow());
			this.#tell(refused);
			throw refused;
		}
		try {
			const result = this.#transact(change, [() => this.#emptyLog(), ...(how.makesRoom ? this.#reserveParts : [])]);
			this.#tell(undefined);
			return result;
		} catch (error) {
			if (error instanceof HearthError && ['disk_full', 'read_only'].includes(error.code)) this.#tell(error);
			throw error;
		}
	}

	/** `room`: what to do, one after the other, where the disk has no room for the change. */
	#transact<T>(change: (tx: WriteDb) => T, [makeRoom, ...more]: readonly (() => void)[]): T {
		const db = this.#connections.writer;
		try {
			return transact(db, () => change(db as WriteDb));
		} catch (error) {
			const known = asStorageError(error);
			if (!makeRoom || !(known instanceof HearthError) || known.code !== 'disk_full') throw known;
			makeRoom();
		}
		return this.#transact(change, more);
	}

	/** Puts what is in the log in its place in the database, so that the log's own room is free for what comes next. */
	#emptyLog(): void {
		try {
			this.#connections.writer.pragma('wal_checkpoint(RESTART)');
		} catch (error) {
			// The database has to grow for it, and can't.
			if (!(asStorageError(error) instanceof HearthError)) throw error;
		}
	}

	#giveUpReserve(): void {
		if (this.#reserve?.release()) this.#logger.warn('reserve_given_up');
		this.#emptyLog();
	}

	#tell(failure: HearthError | undefined): void {
		for (const listener of this.#listeners) listener(failure);
	}

	onWrite(listener: (failure: HearthError | undefined) => void): () => void {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}

	backUp(): Promise<BackupFile> {
		return backUpGently(this.#connections.writer, this.#backupsFolder, this.#clock.now());
	}

	copyTo(file: string): Promise<void> {
		return copyGently(this.#connections.writer, file);
	}

	backups(): BackupFile[] {
		return listBackups(this.#backupsFolder);
	}

	leaveNothing(how = { rebuild: false }): void {
		const db = this.#connections.writer;
		try {
			if (how.rebuild) db.exec('VACUUM');
			const [state] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
			if (state?.busy !== 0) throw new Error('another connection keeps the log of state.db from being emptied');
		} catch (error) {
			throw asStorageError(error);
		}
	}

	isInPlace(): boolean {
		return this.#identity === undefined || identityOf(this.file) === this.#identity;
	}

	#rescueNow(): BackupFile {
		this.#rescue ??= backUpNow(this.#connections.writer, this.#backupsFolder, this.#clock.now());
		return this.#rescue;
	}

	close(): void {
		try {
			if (!this.isInPlace()) this.#rescueNow();
		} catch (error) {
			this.#logger.error('database_not_rescued', { error });
		}
		this.#connections.close();
	}
}
