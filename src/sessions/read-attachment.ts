import { type HearthError, terminal } from '../domain/errors.ts';
import type { AttachmentInfo } from '../domain/message.ts';
import { cutCodePoints, repairSurrogates } from '../domain/text.ts';
import { decodeText } from './decode-text.ts';
import { readPdf } from './read-pdf.ts';

/** What a model can be given of a file. */
export interface ReadAttachment {
	readonly kind: AttachmentInfo['kind'];
	readonly mime: string;
	readonly name: string;
	/** Empty for images. */
	readonly text: string;
}

/** UTF-16 units kept of one file: beyond the window of any model, and small enough to store beside the messages. */
export const ATTACHMENT_TEXT_LIMIT = 2_000_000;
const CUT_NOTE = `\n\n[Hearth kept the first ${ATTACHMENT_TEXT_LIMIT.toLocaleString('en')} characters of this file.]`;

/**
 * Finds out what a file is by its content, never by its name, and reads its text. Rejects with a HearthError that names
 * the file and says what to do, where it can't be used.
 */
export async function readAttachment(bytes: Uint8Array, givenName: string, givenMime: string): Promise<ReadAttachment> {
	const name = cleanName(givenName);
	if (bytes.length === 0) throw refuse(`“${name}” is empty.`, 'Choose a file that has something in it.');
	const image = imageMime(bytes);
	if (image) return { kind: 'image', mime: image, name, text: '' };
	if (startsWithPdf(bytes)) return { kind: 'pdf', mime: 'application/pdf', name, text: await pdfText(bytes, name) };
	const decoded = decodeText(bytes, ATTACHMENT_TEXT_LIMIT);
	if (!decoded) throw refuseBinary(bytes, name);
	return { kind: 'text', mime: textMime(givenMime), name, text: decoded.cut ? decoded.text + CUT_NOTE : decoded.text };
}

async function pdfText(bytes: Uint8Array, name: string): Promise<string> {
	const pdf = await readPdf(bytes, name);
	if (!/\S/u.test(pdf.text)) {
		throw refuse(
			`“${name}” holds no text: its pages are probably scanned pictures.`,
			'Run text recognition over it first, or attach single pages as pictures.',
		);
	}
	const note = pdf.pagesRead < pdf.pages ? `\n\n[Hearth read the first ${pdf.pagesRead} of ${pdf.pages} pages.]` : '';
	return limited(repairSurrogates(pdf.text).replaceAll('\0', '')) + note;
}

function limited(text: string): string {
	return text.length <= ATTACHMENT_TEXT_LIMIT ? text : cutCodePoints(text, ATTACHMENT_TEXT_LIMIT) + CUT_NOTE;
}

/** The pictures that models take, by their first bytes. */
function imageMime(bytes: Uint8Array): string | undefined {
	if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png';
	if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg';
	if (ascii(bytes, 0, 6) === 'GIF87a' || ascii(bytes, 0, 6) === 'GIF89a') return 'image/gif';
	if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp';
	return undefined;
}

/** A PDF's header may stand behind a little rubbish, as every viewer allows. */
function startsWithPdf(bytes: Uint8Array): boolean {
	return ascii(bytes, 0, 5) === '%PDF-' || (bytes.subarray(0, 1024).includes(0) && ascii(bytes, 0, 1024).includes('%PDF-'));
}

function refuseBinary(bytes: Uint8Array, name: string): HearthError {
	if (startsWith(bytes, [0x50, 0x4b, 0x03, 0x04])) {
		return refuse(
			`“${name}” is a zip, Word, Excel or similar file, which can’t be read yet.`,
			'Save it as PDF or plain text and attach that.',
		);
	}
	const picture =
		startsWith(bytes, [0x42, 0x4d]) ||
		startsWith(bytes, [0x49, 0x49, 0x2a]) ||
		startsWith(bytes, [0x4d, 0x4d, 0x00]) ||
		ascii(bytes, 4, 8) === 'ftyp';
	if (picture)
		return refuse(`“${name}” is a picture or film of a kind that models can’t see.`, 'Save it as PNG, JPEG, WebP or GIF and attach that.');
	return refuse(`“${name}” is not text, a PDF or a picture, so no model could read it.`, 'Attach text, PDF, PNG, JPEG, WebP or GIF.');
}

function refuse(message: string, action: string): HearthError {
	return terminal('invalid_input', message, { safe: 'Nothing was added; the file itself is unchanged.', action });
}

/** The last part of a path, without characters that hide or reorder what a name says. */
export function cleanName(name: string): string {
	const last = repairSurrogates(name).split(/[/\\]/).at(-1) ?? '';
	return last.replace(/[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, '').trim() || 'file';
}

/** The sender's word counts for text only as far as it says text. */
function textMime(mime: string): string {
	const plain = mime.split(';')[0]?.trim().toLowerCase() ?? '';
	return /^text\/[\w.+-]+$/.test(plain) || /^application\/([\w.-]+\+)?(json|xml|yaml|toml|javascript|typescript|sql)$/.test(plain)
		? plain
		: 'text/plain';
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
	return magic.every((byte, index) => bytes[index] === byte);
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
	return String.fromCharCode(...bytes.subarray(from, to));
}
