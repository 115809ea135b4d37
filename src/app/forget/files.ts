import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnfinishedWrite } from '../../base/atomic-file.ts';
import type { ContentFiles } from '../../base/content-files.ts';
import type { Needle } from '../../db/needle.ts';
import type { StateDb } from '../../db/open.ts';
import { HearthError } from '../../domain/errors.ts';
import { type AttachmentContent, attachmentContents, moveAttachments, unreferencedHashes } from '../../sessions/attachment-store.ts';
import { decodeText } from '../../sessions/decode-text.ts';
import { openArchive } from '../backup/read-archive.ts';
import { countIn } from './databases.ts';
import { fileHolds, type ProfileFile } from './scan.ts';

/** In the folder of the back-ups, where a crash leaves nothing of it outside the profile. */
export const UNPACKED = 'forget-';

/** Which part of a profile a file belongs to. `owner`: not Hearth's to change. */
export type FilePart = 'memory' | 'state' | 'index' | 'attachments' | 'blobs' | 'logs' | 'backups' | 'leftover' | 'owner';

/** What is being written, or was when a process died: by Hearth's own names only, since the owner may call a file anything. */
const LEFTOVER =
	/^(?:state\.db|index\.db|reserve)\.new(?:-wal|-shm|-journal)?$|^(?:attachments|blobs|backups)\/.*\.tmp(?:\.db)?(?:-wal|-shm|-journal)?$/;

export function partOf(path: string): FilePart {
	const [first = '', ...rest] = path.split('/');
	if (LEFTOVER.test(path) || (isUnfinishedWrite(path) && first !== 'workspace')) return 'leftover';
	if (path === 'MEMORY.md' || (first === 'memory' && path.endsWith('.md'))) return 'memory';
	if (/^state\.db(?:-|$)/.test(path)) return 'state';
	if (/^index\.db/.test(path)) return 'index';
	if (rest.length > 0 && (first === 'attachments' || first === 'blobs' || first === 'logs' || first === 'backups')) return first;
	return 'owner';
}

/** Attached files that hold it, in their bytes or in what was read out of them. */
export async function attachmentsHolding(db: StateDb, files: readonly ProfileFile[], needle: Needle): Promise<AttachmentContent[]> {
	const found: AttachmentContent[] = [];
	for (const { path, file } of files) {
		if (partOf(path) !== 'attachments') continue;
		for (const content of attachmentContents(db.read, path.slice('attachments/'.length))) {
			if (!found.some(({ hash }) => hash === content.hash) && (needle.holds(content.text) || (await fileHolds(file, needle))))
				found.push(content);
		}
	}
	return found;
}

/** A file of text loses the text and keeps the rest; of any other kind nothing can be taken out, so the file goes and its name stays. */
export async function forgetInAttachments(
	db: StateDb,
	files: ContentFiles,
	holding: readonly AttachmentContent[],
	needle: Needle,
): Promise<void> {
	for (const { hash, kind } of holding) {
		const bytes = kind === 'text' ? await files.read(hash) : undefined;
		const decoded = bytes && decodeText(bytes, Number.POSITIVE_INFINITY);
		if (decoded) {
			const rewritten = Buffer.from(needle.replaced(decoded.text), 'utf8');
			await files.put(rewritten, (newHash) => db.write((tx) => moveAttachments(tx, hash, newHash, rewritten.length)));
			await files.remove([hash], (given) => unreferencedHashes(db.read, given));
		} else {
			await files.remove([hash], (given) => given);
		}
	}
}

/** Written over in place: the file of today is open for appending. */
export async function forgetInLog(file: string, needle: Needle): Promise<void> {
	await writeFile(file, needle.replaced(await readFile(file, 'utf8')));
}

/** Whether an archive of the profile holds it in anything that is Hearth's. One that cannot be read counts as one that does. */
export async function archiveHolds({ file, bytes }: ProfileFile, temporary: string, needle: Needle): Promise<boolean> {
	const folder = await mkdtemp(join(temporary, UNPACKED));
	const archive = await openArchive(file, bytes).catch(() => undefined);
	try {
		if (!archive) return true;
		for (const archived of archive.manifest.files) {
			const part = partOf(archived.path);
			if (part === 'owner') continue;
			const target = join(folder, 'file.tmp');
			await archive.extract(archived, target);
			if ((await fileHolds(target, needle)) || (part === 'state' && (await countIn(target, needle)) > 0)) return true;
			await rm(target, { force: true });
		}
		return false;
	} catch (error) {
		if (error instanceof HearthError && error.code === 'invalid_input') return true;
		throw error;
	} finally {
		archive?.close();
		await rm(folder, { recursive: true, force: true });
	}
}
