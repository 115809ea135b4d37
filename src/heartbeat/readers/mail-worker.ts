import { parentPort, workerData } from 'node:worker_threads';
import { MailJob, READS_MAILS } from './mail-words.ts';

/** Mails, read in a thread of its own. This file is both: the module that tells where the thread's code lies, also in a built app, and that code. */
export const workerUrl = new URL(import.meta.url);

if (parentPort && workerData === READS_MAILS) {
	const port = parentPort;
	const { contentOf } = await import('./mail-parse.ts');
	port.on('message', (message: unknown) => {
		void contentOf(MailJob.parse(message).bytes).then((content) => port.postMessage(content));
	});
}
