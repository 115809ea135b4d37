import { Worker } from 'node:worker_threads';
import { Sequencer } from '../../base/sequencer.ts';
import { terminal } from '../../domain/errors.ts';
import { type CalendarJob, CalendarWord, type Occurrence } from './calendar-words.ts';

export interface CalendarLimits {
	/** Milliseconds for one event, after which it is left out … */
	readonly eventMs: number;
	/** … and for all of them. */
	readonly totalMs: number;
}

export const CALENDAR_LIMITS: CalendarLimits = { eventMs: 5_000, totalMs: 30_000 };

export interface CalendarText {
	/** By their start. */
	readonly occurrences: readonly Occurrence[];
	readonly title: string;
	/** Events that are not as the format has them, or took too long. */
	readonly broken: number;
	/** Events that repeat more often than daily, of which only the first time counts. */
	readonly tooOften: number;
}

type End = Extract<CalendarWord, { type: 'end' }>;

/** Of the reading thread's JavaScript heap. */
const HEAP_MB = 384;

/** One at a time, so that many at once need no more memory than one. */
const sequencer = new Sequencer();

/**
 * What happens in the time that the job names. An event that is too much for the thread is left out, and a new one reads the others. Rejects
 * with `source_unreadable` where the text is no calendar.
 */
export function readCalendar(job: Omit<CalendarJob, 'job' | 'skip'>, limits: CalendarLimits = CALENDAR_LIMITS): Promise<CalendarText> {
	return sequencer.run('calendar', async () => {
		const skip: number[] = [];
		const over = performance.now() + limits.totalMs;
		for (;;) {
			const { occurrences, end, stuck } = await inThread({ ...job, job: 'read a calendar', skip }, limits.eventMs);
			const isDone = end !== undefined || stuck === undefined || performance.now() > over;
			if (!isDone) {
				skip.push(stuck);
				continue;
			}
			if (end ? !end.isCalendar : occurrences.length === 0) throw noCalendar();
			return {
				occurrences: occurrences.sort((a, b) => a.start - b.start),
				title: end?.title ?? '',
				broken: (end?.broken ?? 1) + skip.length,
				tooOften: end?.tooOften ?? 0,
			};
		}
	});
}

interface Told {
	readonly occurrences: Occurrence[];
	/** Undefined where the thread did not get there. */
	readonly end: End | undefined;
	/** The event that it was at. */
	readonly stuck: number | undefined;
}

async function inThread(job: CalendarJob, eventMs: number): Promise<Told> {
	const { workerUrl } = await import('./calendar-worker.ts');
	const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 64 };
	// What the library prints stays in the thread.
	const worker = new Worker(workerUrl, { workerData: job, resourceLimits, stdout: true, stderr: true });
	const occurrences: Occurrence[] = [];
	let stuck: number | undefined;
	let timer: NodeJS.Timeout | undefined;
	try {
		const end = await new Promise<End | undefined>((resolve) => {
			const wait = (ms: number) => {
				clearTimeout(timer);
				timer = setTimeout(() => resolve(undefined), ms);
			};
			// To start it, and to take the text apart, takes longer than an event.
			wait(eventMs + 10_000);
			worker.on('message', (message: unknown) => {
				const word = CalendarWord.safeParse(message).data;
				if (word?.type === 'begin') {
					stuck = word.event;
					wait(eventMs);
				} else if (word?.type === 'occurrence') occurrences.push(word.occurrence);
				else resolve(word);
			});
			worker.once('error', () => resolve(undefined));
			worker.once('exit', () => resolve(undefined));
		});
		return { occurrences, end, stuck };
	} finally {
		clearTimeout(timer);
		await worker.terminate();
	}
}

function noCalendar() {
	return terminal('source_unreadable', 'This is no calendar, or one that is too large or too broken to be read.', {
		action: 'Check the address: it should give a file that ends in .ics.',
	});
}
