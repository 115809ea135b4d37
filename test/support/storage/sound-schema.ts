import { expect } from 'vitest';
import type { connect } from '../../../src/db/driver.ts';

/** Whole, every reference leads somewhere, and every table of ours is strict. */
export function expectSoundSchema(db: ReturnType<typeof connect>): void {
	expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
	expect(db.pragma('foreign_key_check')).toEqual([]);
	const loose = db
		.prepare("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND strict = 0")
		.pluck()
		.all()
		.filter((name) => !/^(sqlite_|messages_(words|trigrams)_)/.test(String(name)));
	expect(loose).toEqual([]);
}
