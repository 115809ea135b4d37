import { basename } from 'node:path';
import type { ContentFiles } from '../../base/content-files.ts';
import type { WriteDb } from '../../db/brands.ts';
import type { Needle } from '../../db/needle.ts';
import type { StateDb } from '../../db/open.ts';
import { all, run, sql, value } from '../../db/sql.ts';
import { renameBlob, unnamedBlobs } from '../../run/blob-store.ts';
import { decodeText } from '../../sessions/decode-text.ts';
import { lastWorkspaceChanges, lastWorkspaceSeq, moveWorkspaceContent } from '../../tools/workspace/change-store.ts';
import type { ProfileFile } from './scan.ts';

/** Forgetting in what runs keep: texts in `blobs/`, notes of tools, the ledger of files in `workspace/`. */

/**
 * A text loses it and has another name from then on; whatever else it is in can't be changed, so it goes, and whoever asks for it is told.
 * Killed in between, the old one is what nothing names.
 */
export async function forgetInBlobs(db: StateDb, blobs: ContentFiles, holding: readonly ProfileFile[], needle: Needle): Promise<void> {
	for (const { path } of holding) {
		const hash = basename(path);
		const bytes = unnamedBlobs(db.read, [hash]).length > 0 ? undefined : await blobs.read(hash);
		const decoded = bytes && decodeText(bytes, Number.POSITIVE_INFINITY);
		if (decoded) {
			const text = needle.replaced(decoded.text);
			const rewritten = Buffer.from(text, 'utf8');
			const name = await blobs.put(rewritten, (to) => {
				db.write((tx) => {
					renameBlob(tx, hash, to, text.length);
					moveWorkspaceContent(tx, hash, to, rewritten.length);
					run(tx, sql`UPDATE restores SET plan = replace(plan, ${hash}, ${to}) WHERE instr(plan, ${hash}) > 0`);
				});
				return to;
			});
			// Only a file that still holds the old content went by that name.
			await blobs.remove([name], (given) => unnamedBlobs(db.read, given));
		}
		await blobs.remove([hash], (given) => given);
	}
}

/** A note whose key holds it can't be kept under another one: it goes. Back-ups of earlier versions have none. */
export function forgetNotes(tx: WriteDb, needle: Needle): void {
	if (value(tx, sql`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'tool_state'`) === undefined) return;
	for (const { key } of all<{ key: string }>(tx, sql`SELECT DISTINCT key FROM tool_state`))
		if (needle.holds(key)) run(tx, sql`DELETE FROM tool_state WHERE key = ${key}`);
}

/** Files in `workspace/` that tools wrote and that are there: their names are how they are known. */
export function workspacePaths(db: StateDb): string[] {
	return lastWorkspaceChanges(db.read, lastWorkspaceSeq(db.read)).flatMap(({ path, after }) => (after === null ? [] : [path]));
}
