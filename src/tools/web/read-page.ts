import { Worker } from 'node:worker_threads';
import { Sequencer } from '../../base/sequencer.ts';
import { repairSurrogates } from '../../domain/text.ts';
import { bareText } from './bare-text.ts';
import { type PageJob, PageText } from './page-words.ts';

export interface PageLimits {
	/** UTF-16 units of HTML that are read as a page. */
	readonly chars: number;
	readonly timeMs: number;
	/** Of the reading thread's JavaScript heap. */
	readonly heapMb: number;
}

export const PAGE_LIMITS: PageLimits = { chars: 4_000_000, timeMs: 10_000, heapMb: 384 };

/** Of a page that is not read as such: its tags are taken away beside everything else that goes on. */
const MOST_BARE = 1_000_000;

/** One at a time, so that many pages at once need no more memory than one. */
const sequencer = new Sequencer();

/**
 * What a person would read of a page. Never rejects because of what the page is: one that is too much for the limits is told with its tags
 * taken away, and its `extent` says so.
 */
export async function readPage(html: string, url: string, limits: PageLimits = PAGE_LIMITS): Promise<PageText> {
	const read = html.length > limits.chars ? undefined : await sequencer.run('page', () => readInThread(html, url, limits));
	const page = read ?? { title: '', text: bareText(html.slice(0, MOST_BARE)), extent: 'bare' as const, hidden: 0 };
	return { ...page, title: repairSurrogates(page.title), text: repairSurrogates(page.text) };
}

/** Undefined where the thread could not read it, or was not done in time. */
async function readInThread(html: string, url: string, limits: PageLimits): Promise<PageText | undefined> {
	const { workerUrl } = await import('./page-worker.ts');
	const job: PageJob = { job: 'read a page', html, url };
	const resourceLimits = { maxOldGenerationSizeMb: limits.heapMb, maxYoungGenerationSizeMb: 64 };
	// What the libraries print stays in the thread.
	const worker = new Worker(workerUrl, { workerData: job, resourceLimits, stdout: true, stderr: true });
	let timer: NodeJS.Timeout | undefined;
	try {
		return await new Promise<PageText | undefined>((resolve) => {
			timer = setTimeout(() => resolve(undefined), limits.timeMs);
			worker.on('message', (message: unknown) => resolve(PageText.safeParse(message).data));
			worker.on('error', () => resolve(undefined));
			worker.once('exit', () => resolve(undefined));
		});
	} finally {
		clearTimeout(timer);
		await worker.terminate();
	}
}
