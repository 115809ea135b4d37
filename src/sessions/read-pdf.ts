import { Worker } from 'node:worker_threads';
import { Sequencer } from '../base/sequencer.ts';
import { systemCode } from '../base/system-code.ts';
import { type HearthError, needsOwner, terminal } from '../domain/errors.ts';
import { type PdfJob, PdfWord } from './pdf-words.ts';

export interface PdfLimits {
	readonly pages: number;
	readonly chars: number;
	/** Milliseconds after which the reading is cut off; the pages that were read by then count. */
	readonly timeMs: number;
	/** Of the reading thread's JavaScript heap. */
	readonly heapMb: number;
}

export const PDF_LIMITS: PdfLimits = { pages: 1000, chars: 2_000_000, timeMs: 30_000, heapMb: 512 };

export interface PdfText {
	readonly text: string;
	readonly pages: number;
	readonly pagesRead: number;
}

/** One at a time, so that many files at once need no more memory than one. */
const sequencer = new Sequencer();

/**
 * The text of a PDF, page by page, as far as the limits allow, read in a thread that is ended when it takes too long. Rejects with a
 * HearthError where the file is encrypted, broken, or too slow or too large to read.
 */
export function readPdf(bytes: Uint8Array, name: string, limits: PdfLimits = PDF_LIMITS): Promise<PdfText> {
	return sequencer.run('pdf', () => readInThread(bytes, name, limits));
}

async function readInThread(bytes: Uint8Array, name: string, limits: PdfLimits): Promise<PdfText> {
	const { workerUrl } = await import('./pdf-worker.ts');
	const copy = new Uint8Array(bytes);
	const job: PdfJob = { job: 'read a PDF', bytes: copy, pages: limits.pages };
	const resourceLimits = { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 64 };
	// What the library prints stays in the thread.
	const worker = new Worker(workerUrl, { workerData: job, transferList: [copy.buffer], resourceLimits, stdout: true, stderr: true });
	let timer: NodeJS.Timeout | undefined;
	try {
		return await new Promise<PdfText>((resolve, reject) => {
			const texts: string[] = [];
			let pages = 0;
			let chars = 0;
			const finish = () => resolve({ text: texts.filter((text) => text !== '').join('\n\n'), pages, pagesRead: texts.length });
			timer = setTimeout(() => (texts.length > 0 ? finish() : reject(tooSlow(name, limits))), limits.timeMs);
			worker.on('message', (message: unknown) => {
				const word = PdfWord.safeParse(message).data ?? { type: 'refused', why: 'damaged', cause: 'a message that is none' };
				if (word.type === 'opened') pages = word.pages;
				else if (word.type === 'refused') reject(word.why === 'password' ? locked(name, word.cause) : damaged(name, word.cause));
				else if (word.type === 'end') finish();
				else {
					texts.push(word.text.trim());
					chars += word.text.length;
					if (chars > limits.chars) finish();
				}
			});
			worker.on('error', (error) =>
				reject(systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge(name, error) : damaged(name, error)),
			);
			worker.once('exit', () => reject(damaged(name, 'the reading thread ended')));
		});
	} finally {
		clearTimeout(timer);
		await worker.terminate();
	}
}

const UNCHANGED = 'Nothing was added; the file itself is unchanged.';

function tooSlow(name: string, limits: PdfLimits): HearthError {
	return terminal('invalid_input', `“${name}” takes longer than ${Math.round(limits.timeMs / 1000)} seconds to read.`, {
		safe: UNCHANGED,
		action: 'Attach the pages that matter as a smaller PDF, or as text.',
	});
}

function tooLarge(name: string, cause: unknown): HearthError {
	return terminal('invalid_input', `“${name}” needs too much memory to be read.`, {
		safe: UNCHANGED,
		action: 'Attach the pages that matter as a smaller PDF, or as text.',
		cause,
	});
}

function locked(name: string, cause: unknown): HearthError {
	return needsOwner('invalid_input', `“${name}” is protected by a password, so its text can’t be read.`, {
		safe: UNCHANGED,
		action: 'Save a copy without a password and attach that.',
		cause,
	});
}

function damaged(name: string, cause: unknown): HearthError {
	return terminal('invalid_input', `“${name}” is damaged: it begins like a PDF, but its pages can’t be read.`, {
		safe: UNCHANGED,
		action: 'Open it in a PDF viewer and save it anew, or attach its text.',
		cause,
	});
}
