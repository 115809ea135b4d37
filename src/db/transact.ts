import type Database from 'better-sqlite3';
import { crashPoint } from '../base/crash-point.ts';
import type { WriteDb } from './brands.ts';

/** One transaction on any of our databases; what `change` throws rolls it back and is thrown. The only place that commits. */
export function transact<T>(db: Database.Database, change: () => T): T {
	db.exec('BEGIN IMMEDIATE');
	try {
		const result = change();
		if (result instanceof Promise) throw new Error('a transaction must be synchronous');
		crashPoint('transaction.open');
		db.exec('COMMIT');
		crashPoint('transaction.committed');
		return result;
	} catch (error) {
		// SQLite may have rolled back by itself when the disk was full.
		if (db.inTransaction) db.exec('ROLLBACK');
		throw error;
	}
}

/** Within a transaction: all of it or, where it throws, nothing of it; the transaction itself can go on. */
export function attempt<T>(tx: WriteDb, change: () => T): T {
	tx.exec('SAVEPOINT attempt');
	try {
		const result = change();
		tx.exec('RELEASE attempt');
		return result;
	} catch (error) {
		if (tx.inTransaction) tx.exec('ROLLBACK TO attempt; RELEASE attempt');
		throw error;
	}
}
