import { release, type } from 'node:os';
import * as sqliteVec from 'sqlite-vec';
import { PROTOCOL_VERSION } from '../contract/protocol.ts';
import { connect } from '../db/driver.ts';
import { HEARTH_VERSION } from './version.ts';

/** Versions of everything a bug report needs. `shell`: what the desktop shell says of itself (electron, chrome). */
export function collectVersions(shell: Readonly<Record<string, string>>): Record<string, string> {
	return {
		hearth: HEARTH_VERSION,
		protocol: String(PROTOCOL_VERSION),
		node: process.versions.node,
		...shell,
		...databaseVersions(),
		os: `${type()} ${release()} ${process.arch}`,
	};
}

/** SQLite's own, and sqlite-vec's as loaded into a database in memory that is thrown away: the file of the profile is not touched. */
function databaseVersions(): Record<string, string> {
	const db = connect(':memory:');
	try {
		const sqlite = String(db.prepare('SELECT sqlite_version()').pluck().get());
		try {
			sqliteVec.load(db);
			return { sqlite, 'sqlite-vec': String(db.prepare('SELECT vec_version()').pluck().get()) };
		} catch (error) {
			return { sqlite, 'sqlite-vec': `can’t be loaded (${error instanceof Error ? error.name : 'unknown'})` };
		}
	} finally {
		db.close();
	}
}
