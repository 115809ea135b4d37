import { parentPort, workerData } from 'node:worker_threads';
import { FeedJob, READS_FEEDS } from './feed-words.ts';

/** Feeds, read in a thread of its own. This file is both: the module that tells where the thread's code lies, also in a built app, and that code. */
export const workerUrl = new URL(import.meta.url);

if (parentPort && workerData === READS_FEEDS) {
	const port = parentPort;
	const { parseFeedText } = await import('./feed-parse.ts');
	port.on('message', (message: unknown) => {
		const { text, url } = FeedJob.parse(message);
		port.postMessage(parseFeedText(text, url));
	});
}
