import { setImmediate } from 'node:timers/promises';
import { HearthError, needsOwner, terminal } from '../domain/errors.ts';

export interface PdfLimits {
	readonly pages: number;
	readonly chars: number;
	/** Milliseconds after which no further page is begun. */
	readonly timeMs: number;
}

export const PDF_LIMITS: PdfLimits = { pages: 1000, chars: 2_000_000, timeMs: 30_000 };

export interface PdfText {
	readonly text: string;
	readonly pages: number;
	readonly pagesRead: number;
}

/** The text of a PDF, page by page, as far as the limits allow. Rejects with a HearthError where it is encrypted, broken or too slow to read. */
export async function readPdf(bytes: Uint8Array, name: string, limits: PdfLimits = PDF_LIMITS): Promise<PdfText> {
	// Loaded only when a PDF comes: the library is large and most sessions never need it.
	const { getDocumentProxy } = await import('unpdf');
	const deadline = performance.now() + limits.timeMs;
	const pdf = await getDocumentProxy(new Uint8Array(bytes), { disableFontFace: true, useSystemFonts: false, verbosity: 0 }).catch(
		(error: unknown) => {
			throw pdfError(error, name);
		},
	);
	try {
		const texts: string[] = [];
		let chars = 0;
		const last = Math.min(pdf.numPages, limits.pages);
		for (let number = 1; number <= last && chars <= limits.chars; number++) {
			if (performance.now() > deadline) {
				if (texts.length === 0) throw tooSlow(name, limits);
				break;
			}
			const page = await pdf.getPage(number);
			const content = await page.getTextContent();
			const text = content.items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
			page.cleanup();
			texts.push(text.trim());
			chars += text.length;
			// Pages are parsed on this thread: let replies that are streaming go on in between.
			await setImmediate();
		}
		return { text: texts.filter((text) => text !== '').join('\n\n'), pages: pdf.numPages, pagesRead: texts.length };
	} catch (error) {
		throw pdfError(error, name);
	} finally {
		await pdf.loadingTask.destroy();
	}
}

function tooSlow(name: string, limits: PdfLimits): Error {
	return terminal('invalid_input', `“${name}” takes longer than ${Math.round(limits.timeMs / 1000)} seconds to read.`, {
		safe: 'Nothing was added; the file itself is unchanged.',
		action: 'Attach the pages that matter as a smaller PDF, or as text.',
	});
}

/** Whatever the library throws while it reads a file says something about that file: its own names for it are not a fixed list. */
function pdfError(error: unknown, name: string): HearthError {
	if (error instanceof HearthError) return error;
	if (error instanceof Error && error.name === 'PasswordException') {
		return needsOwner('invalid_input', `“${name}” is protected by a password, so its text can’t be read.`, {
			safe: 'Nothing was added; the file itself is unchanged.',
			action: 'Save a copy without a password and attach that.',
			cause: error,
		});
	}
	return terminal('invalid_input', `“${name}” is damaged: it begins like a PDF, but its pages can’t be read.`, {
		safe: 'Nothing was added; the file itself is unchanged.',
		action: 'Open it in a PDF viewer and save it anew, or attach its text.',
		cause: error,
	});
}
