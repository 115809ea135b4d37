import type Database from 'better-sqlite3';
import { crashPoint } from '../base/crash-point.ts';
import { transact } from './transact.ts';

/** One step of the schema. Never edited once shipped; a file and a test each (style.md, 5). */
export interface Migration {
	/** 1, 2, 3 …; `PRAGMA user_version` after it ran. */
	readonly version: number;
	readonly name: string;
	readonly sql: string;
}

export function schemaVersion(db: Database.Database): number {
	return db.pragma('user_version', { simple: true }) as number;
}

/** Runs what is missing, each in a transaction of its own, so that a crash leaves a whole older version. Returns the version reached. */
export function migrate(db: Database.Database, migrations: readonly Migration[]): number {
	let version = schemaVersion(db);
	// SQLite cannot rebuild a referenced table while foreign keys are enforced; they are checked before each commit instead.
	db.pragma('foreign_keys = OFF');
	try {
		for (const migration of migrations) {
			if (migration.version <= version) continue;
			if (migration.version !== version + 1) throw new Error(`migration ${migration.version} does not follow ${version}`);
			apply(db, migration);
			version = migration.version;
		}
	} finally {
		db.pragma('foreign_keys = ON');
	}
	return version;
}

function apply(db: Database.Database, migration: Migration): void {
	transact(db, () => {
		db.exec(migration.sql);
		const broken = db.pragma('foreign_key_check') as unknown[];
		if (broken.length > 0) throw new Error(`migration ${migration.version} leaves ${broken.length} broken references`);
		db.pragma(`user_version = ${migration.version}`);
		crashPoint('migration.applied');
	});
}
