import { chmod, copyFile, rm, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { settleForgotten } from '../../approvals/proposal-store.ts';
import { move } from '../../base/move.ts';
import { systemCode } from '../../base/system-code.ts';
import type { WriteDb } from '../../db/brands.ts';
import { connect } from '../../db/driver.ts';
import { findDamage } from '../../db/integrity.ts';
import { FORGOTTEN, type Needle } from '../../db/needle.ts';
import type { StateDb } from '../../db/open.ts';
import { findText, mergeFullText, scrubText, type TextPlace } from '../../db/scrub.ts';
import { transact } from '../../db/transact.ts';
import { HearthError } from '../../domain/errors.ts';
import type { AppendRecords } from '../../firewall/audit-forget.ts';
import { appendRecords } from '../../firewall/audit-store.ts';
import { dropFindingVectors } from '../../heartbeat/trace-store.ts';
import { dropRetellings } from '../../sessions/compaction-store.ts';
import { retitleSessions } from '../../sessions/session-store.ts';
import { settleForgottenTasks } from '../../tasks/forgotten.ts';
import { forgetInAudit, isChained, isInAudit } from './audit.ts';
import { rowidsIn } from './places.ts';

/** How often the database is looked through again, because something was written meanwhile. */
const ROUNDS = 5;
const TRIES = 40;
const TRY_AGAIN_MS = 250;

/** What is done in the transaction before values are replaced one by one: where that would break what a text stands in. */
export type PrepareScrub = (tx: WriteDb) => void;

/**
 * Takes the text out of the open state.db, but for the places that `skip` names, and out of its full-text indexes. Gives the places that
 * held it; undefined where it is being written again and again.
 */
export async function scrubStateDb(
	db: StateDb,
	needle: Needle,
	prepare: PrepareScrub,
	skip: (place: TextPlace) => boolean,
	append: AppendRecords,
): Promise<TextPlace[] | undefined> {
	const scrubbed: TextPlace[] = [];
	for (let round = 0; round < ROUNDS; round++) {
		const places = await findText(db.read, needle, (place) => skip(place) || isChained(place));
		// The first round also empties what holds the text in other words.
		if (round > 0 && places.length === 0) {
			await mergeFullText(db.read, (change) => db.write(change));
			await leaveNothing(db);
			return scrubbed;
		}
		scrubbed.push(...places);
		db.write((tx) => {
			prepare(tx);
			dropRetellings(tx, rowidsIn(places, 'message_parts'));
			forgetInAudit(tx, places, append);
			scrubText(
				tx,
				places.filter((place) => !isInAudit(place)),
				needle,
			);
			retitleSessions(tx, rowidsIn(places, 'messages'));
			dropFindingVectors(tx, rowidsIn(places, 'proposals'));
			settleForgotten(tx, rowidsIn(places, 'proposals'), FORGOTTEN, Date.now());
			settleForgottenTasks(tx, rowidsIn(places, 'tasks'), FORGOTTEN);
		});
	}
	return undefined;
}

/** As `StateDb.leaveNothing`, which a back-up that is being made may hinder for a while. */
export async function leaveNothing(db: StateDb, how = { rebuild: false }): Promise<void> {
	for (let left = TRIES; ; left--) {
		try {
			db.leaveNothing(how);
			return;
		} catch (error) {
			if (error instanceof HearthError || left === 1) throw error;
			await sleep(TRY_AGAIN_MS);
		}
	}
}

/**
 * Takes the text out of a back-up of state.db: a copy is changed, checked and put in its place, so that a crash leaves a whole one. A
 * back-up that is damaged or cannot be opened is removed, because nobody can tell what is in it.
 */
export async function scrubBackup(file: string, needle: Needle, prepare: PrepareScrub): Promise<'scrubbed' | 'removed'> {
	const draft = `${file}.tmp`;
	await removeWithSideFiles(draft);
	try {
		await copyFile(file, draft);
		if (process.platform !== 'win32') await chmod(draft, 0o600);
		const db = connect(draft, { mustExist: true });
		try {
			db.pragma('journal_mode = DELETE');
			db.pragma('secure_delete = ON');
			db.pragma('temp_store = MEMORY');
			const tx = db as unknown as WriteDb;
			const places = await findText(tx, needle, isChained);
			transact(db, () => {
				prepare(tx);
				dropRetellings(tx, rowidsIn(places, 'message_parts'));
				dropFindingVectors(tx, rowidsIn(places, 'proposals'));
				forgetInAudit(tx, places, (own, entries) => appendRecords(own, entries, Date.now()));
				scrubText(
					tx,
					places.filter((place) => !isInAudit(place)),
					needle,
				);
				settleForgottenTasks(tx, rowidsIn(places, 'tasks'), FORGOTTEN);
			});
			await mergeFullText(tx, (change) => transact(db, () => change(tx)));
			db.exec('VACUUM');
			const [damage] = findDamage(db, 'quick');
			if (damage) throw new Error(`the back-up is damaged: ${damage}`);
			if ((await findText(tx, needle, isChained)).length > 0) throw new Error('the back-up still holds it');
		} finally {
			db.close();
		}
		await move(draft, file);
		return 'scrubbed';
	} catch (error) {
		if (['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'SQLITE_FULL'].includes(systemCode(error))) throw error;
		await rm(file, { force: true });
		return 'removed';
	} finally {
		await removeWithSideFiles(draft);
	}
}

/** How many values of a database hold it. 0 where there is none, or it cannot be read. */
export async function countIn(file: string, needle: Needle): Promise<number> {
	if (!(await exists(file))) return 0;
	const db = connect(file, { readonly: true, mustExist: true });
	try {
		return (await findText(db as unknown as WriteDb, needle, isChained)).length;
	} catch (error) {
		if (!systemCode(error).startsWith('SQLITE_')) throw error;
		return 0;
	} finally {
		db.close();
	}
}

async function removeWithSideFiles(file: string): Promise<void> {
	for (const ending of ['', '-journal', '-wal', '-shm']) await rm(`${file}${ending}`, { force: true });
}

async function exists(file: string): Promise<boolean> {
	try {
		return (await stat(file)).isFile();
	} catch (error) {
		if (systemCode(error) === 'ENOENT') return false;
		throw error;
	}
}
