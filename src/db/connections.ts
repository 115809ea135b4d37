import type Database from 'better-sqlite3';
import type { Logger } from '../base/logger.ts';
import { connect } from './driver.ts';
import { needsNoSharedMemory } from './errors.ts';

/** How connections to state.db are set up: what each promises, and how many there can be. */

export function configure(db: Database.Database): void {
	db.pragma('trusted_schema = OFF');
	db.pragma('foreign_keys = ON');
	// R1: a journal row is on the disk before its effect begins.
	db.pragma('synchronous = FULL');
	// M4: deleted text is overwritten; temporary tables never reach a file; the log shrinks again.
	db.pragma('secure_delete = ON');
	db.pragma('temp_store = MEMORY');
	db.pragma('journal_size_limit = 4194304');
	db.pragma('cell_size_check = ON');
	db.pragma('busy_timeout = 5000');
}

export interface Connections {
	readonly writer: Database.Database;
	readonly reader: Database.Database;
	readonly shared: boolean;
	close(): void;
}

export function openConnections(options: { file: string; exclusive?: boolean; logger: Logger }): Connections {
	if (!options.exclusive) {
		try {
			return openTwo(options.file);
		} catch (error) {
			// A full disk has no room for the shared-memory file. One connection needs none, and then everything can still be read (S5).
			if (!needsNoSharedMemory(error)) throw error;
			options.logger.warn('database_without_shared_memory', { error });
		}
	}
	return openOne(options.file);
}

/** Reads have a connection of their own that cannot write, and never see half a transaction. */
function openTwo(file: string): Connections {
	const writer = connect(file, { mustExist: true });
	try {
		configure(writer);
		writer.pragma('journal_mode = WAL');
		const reader = connect(file, { mustExist: true });
		configure(reader);
		reader.pragma('query_only = ON');
		const close = () => {
			reader.close();
			writer.close();
		};
		return { writer, reader, shared: true, close };
	} catch (error) {
		writer.close();
		throw error;
	}
}

function openOne(file: string): Connections {
	const db = connect(file, { mustExist: true });
	try {
		db.pragma('locking_mode = EXCLUSIVE');
		configure(db);
		db.pragma('journal_mode = WAL');
		return { writer: db, reader: db, shared: false, close: () => db.close() };
	} catch (error) {
		db.close();
		throw error;
	}
}
