import { parentPort, workerData } from 'node:worker_threads';
import { PdfJob, type PdfWord } from './pdf-words.ts';

/**
 * The text of a PDF, read in a thread of its own, where a hostile page can block or exhaust nothing but itself. This file is both: the
 * module that tells where the thread's code lies, also in a built app, and that code.
 */
export const workerUrl = new URL(import.meta.url);

/** What there is to say about a PDF, page by page. Never rejects. */
export async function* readPages(bytes: Uint8Array, most: number): AsyncGenerator<PdfWord> {
	try {
		const { getDocumentProxy } = await import('unpdf');
		const pdf = await getDocumentProxy(new Uint8Array(bytes), { disableFontFace: true, useSystemFonts: false, verbosity: 0 });
		try {
			yield { type: 'opened', pages: pdf.numPages };
			for (let number = 1; number <= Math.min(pdf.numPages, most); number++) {
				const page = await pdf.getPage(number);
				const content = await page.getTextContent();
				const text = content.items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
				page.cleanup();
				yield { type: 'page', text };
			}
			yield { type: 'end' };
		} finally {
			await pdf.loadingTask.destroy();
		}
	} catch (error) {
		// Whatever the library throws while it reads a file says something about that file: its own names for it are not a fixed list.
		const why = error instanceof Error && error.name === 'PasswordException' ? 'password' : 'damaged';
		yield { type: 'refused', why, cause: String(error) };
	}
}

const given = parentPort ? PdfJob.safeParse(workerData) : undefined;
if (given?.success) for await (const word of readPages(given.data.bytes, given.data.pages)) parentPort?.postMessage(word);
