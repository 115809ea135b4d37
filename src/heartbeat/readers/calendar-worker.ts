import { parentPort, workerData } from 'node:worker_threads';
import { CalendarJob, READS_CALENDARS } from './calendar-words.ts';

/** Calendars, read in a thread of its own. This file is both: the module that tells where the thread's code lies, also in a built app, and that code. */
export const workerUrl = new URL(import.meta.url);

if (parentPort && workerData === READS_CALENDARS) {
	const port = parentPort;
	const { occurrencesIn } = await import('./calendar-expand.ts');
	port.on('message', (message: unknown) => port.postMessage(occurrencesIn(CalendarJob.parse(message))));
}
