import { parentPort, workerData } from 'node:worker_threads';
import { PageJob, READS_PAGES } from './page-words.ts';

/**
 * Pages, read in a thread of its own, where a hostile one can block or exhaust nothing but itself. This file is both: the module that tells
 * where the thread's code lies, also in a built app, and that code. What it can't read ends it.
 */
export const workerUrl = new URL(import.meta.url);

if (parentPort && workerData === READS_PAGES) {
	const port = parentPort;
	const { readablePage } = await import('./readable.ts');
	port.on('message', (message: unknown) => {
		const { html, url } = PageJob.parse(message);
		port.postMessage(readablePage(html, url));
	});
}
