import type { Clock } from '../../base/clock.ts';
import type { ContentFiles } from '../../base/content-files.ts';
import { newId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import { MAX_ATTACHMENT_BYTES } from '../../contract/methods/chat.ts';
import type { StateDb } from '../../db/open.ts';
import { terminal } from '../../domain/errors.ts';
import type { AttachmentId } from '../../domain/ids.ts';
import type { AttachmentInfo } from '../../domain/message.ts';
import type { Redactor } from '../../firewall/ports.ts';
import { getAttachment, insertAttachment, unreferencedHashes } from '../../sessions/attachment-store.ts';
import { cleanName, readAttachment } from '../../sessions/read-attachment.ts';
import { getSession } from '../../sessions/session-store.ts';
import type { Handlers } from '../router.ts';

export interface AttachmentsDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly files: ContentFiles;
	readonly redactor: Pick<Redactor, 'redact'>;
}

export function createAttachmentsHandlers({
	db,
	clock,
	files,
	redactor,
}: AttachmentsDeps): Pick<Handlers['chat'], 'attach' | 'attachment'> {
	return {
		attach: async ({ sessionId, name, mime, content }) => {
			getSession(db.read, sessionId);
			// Three bytes for four characters: refused before anything is decoded.
			if (content.length > Math.ceil(MAX_ATTACHMENT_BYTES / 3) * 4) throw tooLarge(name);
			const bytes = Buffer.from(content, 'base64');
			if (bytes.length > MAX_ATTACHMENT_BYTES) throw tooLarge(name);
			const { text: whole, ...read } = await readAttachment(bytes, name, mime);
			// The file is kept as the owner gave it; what models and search are given of it holds no secret (S3).
			const { text } = redactor.redact(whole);
			return files.put(bytes, (hash): AttachmentInfo => {
				const info = { id: newId<AttachmentId>(), ...read, bytes: bytes.length, textChars: text.length };
				db.write((tx) => {
					getSession(tx, sessionId);
					insertAttachment(tx, { info, sessionId, hash, text, createdAt: clock.now() });
				});
				return info;
			});
		},

		attachment: async ({ attachmentId }) => {
			const { info, hash, text } = getAttachment(db.read, attachmentId);
			const bytes = await files.read(hash);
			if (!bytes) {
				throw terminal('not_found', `The file of “${info.name}” is missing from the profile’s attachments folder, or damaged.`, {
					...(text !== '' && { safe: 'Its text is kept, and models can still be given it.' }),
					action: 'Attach it again, or put the folder back from a back-up.',
				});
			}
			return { info, content: Buffer.from(bytes).toString('base64'), text };
		},
	};
}

/** At start: removes files that a crash, or a deletion without its clean-up, left unnamed. Never rejects. */
export async function collectAttachments({ db, files, logger }: Pick<AttachmentsDeps, 'db' | 'files'> & { logger: Logger }): Promise<void> {
	try {
		await files.collect((hashes) => unreferencedHashes(db.read, hashes));
	} catch (error) {
		logger.warn('attachments_not_collected', { error });
	}
}

function tooLarge(name: string) {
	const most = `${MAX_ATTACHMENT_BYTES / 1024 / 1024} MiB`;
	return terminal('file_too_large', `“${cleanName(name)}” is larger than ${most}, the most that can be attached.`, {
		safe: 'Nothing was added; the file itself is unchanged.',
		action: 'Attach a part of it, or a smaller version.',
	});
}
