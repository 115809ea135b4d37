import type { StateDb } from '../../../src/db/open.ts';

/** From now on state.db can't grow by more than these pages: the disk is full, for SQLite. */
export function fillDisk(db: StateDb, spare = 0): void {
	db.write((tx) => {
		const pages = Number(tx.pragma('page_count', { simple: true })) + spare;
		tx.pragma(`max_page_count = ${pages}`);
	});
}

export function freeDisk(db: StateDb): void {
	// Outside a transaction of its own a pragma needs no room.
	db.write((tx) => tx.pragma('max_page_count = 1073741823'));
}
