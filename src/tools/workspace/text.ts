import { terminal } from '../../domain/errors.ts';
import { decodeText } from '../../sessions/decode-text.ts';
import { readPdf } from '../../sessions/read-pdf.ts';
import type { WorkspaceFile } from './port.ts';

/** The text of files, as models read and write it: lines end with `\n` there, whatever they end with in the file. */

const MOST_CHARS = 20_000_000;

export interface FileText {
	readonly text: string;
	/** What else there is to say of it, such as that only some pages could be read. */
	readonly note?: string | undefined;
}

/** Undefined where it is no text and no PDF. Rejects with a HearthError for a PDF that can't be read. */
export async function textOf({ path, bytes }: Pick<WorkspaceFile, 'path' | 'bytes'>): Promise<FileText | undefined> {
	if (bytes.subarray(0, 5).toString('latin1') === '%PDF-') {
		const { text, pages, pagesRead } = await readPdf(bytes, path);
		const note = pagesRead < pages ? `only the first ${pagesRead} of ${pages} pages could be read` : undefined;
		return { text: text === '' ? '(This PDF holds no text: its pages are probably scanned pictures.)' : text, note };
	}
	const decoded = decodeText(bytes, MOST_CHARS);
	return (
		decoded && {
			text: decoded.text,
			note: decoded.cut ? `only its first ${MOST_CHARS / 1_000_000} million characters are read` : undefined,
		}
	);
}

/** Of a file that is to be edited: exactly, so that what is not edited stays as it is. Throws `invalid_input` where it is no UTF-8. */
export function editableText({ path, bytes, hasOtherNames }: WorkspaceFile): string {
	if (hasOtherNames) throw otherNames(path);
	try {
		const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
		if (!text.includes('\0')) return text;
	} catch (error) {
		if (!(error instanceof TypeError)) throw error;
	}
	throw terminal('invalid_input', `${path} is not text in UTF-8, so it can only be replaced as a whole.`, { safe: 'Nothing was changed.' });
}

/** What is the same file elsewhere, by a hard link, may be any file of the owner's. */
export function otherNames(path: string) {
	return terminal('tool_denied', `${path} has another name elsewhere (a hard link), so what it holds is not handed over.`, {
		safe: 'Nothing was changed.',
		action: 'The owner can put a copy in its place.',
	});
}

/** `text` with the line ends that the file has. */
export function withLineEnds(text: string, of: string): string {
	const plain = text.replaceAll('\r\n', '\n');
	return endsLinesWithCrLf(of) ? plain.replaceAll('\n', '\r\n') : plain;
}

function endsLinesWithCrLf(text: string): boolean {
	const all = text.split('\n').length - 1;
	const crLf = text.split('\r\n').length - 1;
	return crLf > all / 2;
}

export function sizeInWords(bytes: number): string {
	if (bytes < 1_000) return `${bytes} B`;
	return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
