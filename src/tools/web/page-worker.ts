import { parentPort, workerData } from 'node:worker_threads';
import { PageJob } from './page-words.ts';

/**
 * A page, read in a thread of its own, where a hostile one can block or exhaust nothing but itself. This file is both: the module that tells
 * where the thread's code lies, also in a built app, and that code.
 */
export const workerUrl = new URL(import.meta.url);

const given = parentPort ? PageJob.safeParse(workerData) : undefined;
if (given?.success) {
	const { readablePage } = await import('./readable.ts');
	parentPort?.postMessage(readablePage(given.data.html, given.data.url));
}
