import PostalMime from 'postal-mime';
import { type MailContent, oneLine } from './mail-words.ts';

const MOST_NAMES = 20;

/**
 * What stands in a mail, however broken. Never rejects because of what it is; may take long on one that is made for it, so it is called in a thread
 * that can be ended.
 */
export async function contentOf(bytes: Uint8Array): Promise<MailContent> {
	const { subject = '', from, messageId = '', date, text = '', html = '', attachments = [] } = await parsed(bytes);
	const address = from?.address ?? '';
	const name = from?.name ?? '';
	const at = date === undefined ? Number.NaN : Date.parse(date);
	return {
		subject: oneLine(subject),
		from: oneLine(name !== '' && address !== '' ? `${name} <${address}>` : name || address),
		messageId: messageId.replace(/^<|>$/g, '').trim(),
		...(Number.isFinite(at) && { sentAt: at }),
		text: text.replaceAll('\r\n', '\n').trim(),
		html,
		names: attachments.slice(0, MOST_NAMES).map(({ filename, mimeType }) => oneLine(filename || mimeType)),
	};
}

async function parsed(bytes: Uint8Array): Promise<Partial<Awaited<ReturnType<typeof PostalMime.parse>>>> {
	try {
		return await PostalMime.parse(bytes, { maxNestingDepth: 50 });
	} catch {
		// The library gives up where a mail is not as the format has it; what there is to read is read as it stands.
		return { text: Buffer.from(bytes).toString('utf8') };
	}
}
