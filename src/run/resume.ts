import type { ReadDb } from '../db/brands.ts';
import type { SessionId } from '../domain/ids.ts';
import { holdsLook, openRun } from './journal-store.ts';
import { staysApart, stillBusy } from './refusals.ts';
import { refuseWhileRestoring } from './restore-store.ts';

/** Throws `conflict` where no run of this session may be taken up again now. */
export function refuseToResume(db: ReadDb, sessionId: SessionId): void {
	const open = openRun(db, sessionId);
	if (open) throw stillBusy(open);
	refuseWhileRestoring(db, sessionId);
	if (holdsLook(db, sessionId)) throw staysApart();
}
