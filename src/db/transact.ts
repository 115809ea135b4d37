import type Database from 'better-sqlite3';
import { crashPoint } from '../base/crash-point.ts';

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
