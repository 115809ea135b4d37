import { Worker } from 'node:worker_threads';
import { Sequencer } from '../../base/sequencer.ts';
import { repairSurrogates } from '../../domain/text.ts';
import { bareText } from './bare-text.ts';
import { type PageJob, PageText, READS_PAGES } from './page-words.ts';

export interface PageLimits {
	/** UTF-16 units of HTML that are read as a page. */
	readonly chars: number;
	readonly timeMs: number;
}

export const PAGE_LIMITS: PageLimits = { chars: 4_000_000, timeMs: 10_000 };

/** Of a page that is not read as such: its tags are taken away beside everything else that goes on. */
const MOST_BARE = 1_000_000;
/** Of the reading thread's JavaScript heap. */
const HEAP_MB = 384;
/** The thread is kept for the next page so long: to start one takes longer than most pages. */
const IDLE_MS = 10_000;

/** One page at a time, so that many at once need no more memory than one. */
const sequencer = new Sequencer();
let thread: Worker | undefined;
let idle: NodeJS.Timeout | undefined;
/** Takes the answer to the page that is being read. */
let settle: ((text: PageText | undefined) => void) | undefined;

/**
 * What a person would read of a page. Never rejects because of what the page is: one that is too much for the limits is told with its tags
 * taken away, and its `extent` says so.
 */
export async function readPage(html: string, url: string, limits: PageLimits = PAGE_LIMITS): Promise<PageText> {
	const read = html.length > limits.chars ? undefined : await sequencer.run('page', () => readInThread({ html, url }, limits.timeMs));
	const page = read ?? { title: '', text: bareText(html.slice(0, MOST_BARE)), extent: 'bare' as const, hidden: 0 };
	return { ...page, title: repairSurrogates(page.title), text: repairSurrogates(page.text) };
}

/** Undefined where the thread could not read it, or was not done in time: then it is ended. */
async function readInThread(job: PageJob, timeMs: number): Promise<PageText | undefined> {
	clearTimeout(idle);
	thread ??= await startThread();
	const worker = thread;
	let timer: NodeJS.Timeout | undefined;
	const text = await new Promise<PageText | undefined>((resolve) => {
		settle = resolve;
		timer = setTimeout(() => resolve(undefined), timeMs);
		worker.postMessage(job);
	});
	clearTimeout(timer);
	settle = undefined;
	if (text === undefined) await endThread();
	else idle = setTimeout(() => void endThread(), IDLE_MS).unref();
	return text;
}

async function startThread(): Promise<Worker> {
	const { workerUrl } = await import('./page-worker.ts');
	const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 64 };
	// What the libraries print stays in the thread.
	const worker = new Worker(workerUrl, { workerData: READS_PAGES, resourceLimits, stdout: true, stderr: true });
	// An older one that is just ending says nothing of the page that is read now.
	const told = (text: PageText | undefined) => void (thread === worker && settle?.(text));
	worker.on('message', (message: unknown) => told(PageText.safeParse(message).data));
	worker.on('error', () => told(undefined));
	worker.on('exit', () => {
		told(undefined);
		if (thread === worker) thread = undefined;
	});
	// It keeps nothing alive by itself: whoever waits for a page holds a timer.
	worker.unref();
	return worker;
}

async function endThread(): Promise<void> {
	const ended = thread;
	thread = undefined;
	await ended?.terminate();
}
