import { JobThread } from '../../base/job-thread.ts';
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

const thread = new JobThread<PageJob, PageText>({
	load: async () => (await import('./page-worker.ts')).workerUrl,
	purpose: READS_PAGES,
	answer: PageText,
	heapMb: 384,
});

/**
 * What a person would read of a page. Never rejects because of what the page is: one that is too much for the limits is told with its tags
 * taken away, and its `extent` says so.
 */
export async function readPage(html: string, url: string, limits: PageLimits = PAGE_LIMITS): Promise<PageText> {
	const read = html.length > limits.chars ? undefined : await thread.run({ html, url }, limits.timeMs);
	const page = read ?? { title: '', text: bareText(html.slice(0, MOST_BARE)), extent: 'bare' as const, hidden: 0 };
	return { ...page, title: repairSurrogates(page.title), text: repairSurrogates(page.text) };
}
