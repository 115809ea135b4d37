import { JobThread } from '../../base/job-thread.ts';
import { terminal } from '../../domain/errors.ts';
import { type CalendarJob, CalendarText, READS_CALENDARS } from './calendar-words.ts';

export interface CalendarLimits {
	/** Milliseconds after which no event is begun … */
	readonly timeMs: number;
	/** … and for the one that was begun then. */
	readonly eventMs: number;
}

const LIMITS: CalendarLimits = { timeMs: 10_000, eventMs: 5_000 };
/** Events that the thread gets stuck at. */
const MOST_STUCK = 3;
const HEAP_MB = 384;

const thread = new JobThread<CalendarJob, CalendarText>({
	load: async () => (await import('./calendar-worker.ts')).workerUrl,
	purpose: READS_CALENDARS,
	answer: CalendarText,
	heapMb: HEAP_MB,
});

/**
 * What happens in the time that the job names, by its start. An event that is too much for the thread is left out, and a new one reads the others.
 * Rejects with `source_unreadable` where the text is no calendar, or none that can be read.
 */
export async function readCalendar(
	job: Pick<CalendarJob, 'body' | 'from' | 'to' | 'changedSince'>,
	{ timeMs, eventMs }: CalendarLimits = LIMITS,
): Promise<CalendarText> {
	const skip: number[] = [];
	for (;;) {
		const at = new SharedArrayBuffer(4);
		new Int32Array(at)[0] = NONE;
		const text = await thread.run({ ...job, skip, timeMs, at }, timeMs + eventMs);
		const stuck = new Int32Array(at)[0] ?? NONE;
		if (text?.isCalendar) {
			const occurrences = text.occurrences.toSorted((a, b) => a.start - b.start);
			return { ...text, occurrences, broken: text.broken + skip.length };
		}
		if (text !== undefined || stuck === NONE || skip.length === MOST_STUCK) throw noCalendar();
		skip.push(stuck);
	}
}

const NONE = -1;

function noCalendar() {
	return terminal('source_unreadable', 'This is no calendar, or one that is too large or too broken to be read.', {
		action: 'Check the address: it should give a file that ends in .ics.',
	});
}
