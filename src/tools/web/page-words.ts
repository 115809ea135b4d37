import { z } from 'zod';

/** What is said between the runtime and the thread that reads pages. */

export const READS_PAGES = 'read pages';

export const PageJob = z.object({ html: z.string(), url: z.string() });
export type PageJob = z.infer<typeof PageJob>;

export const PageText = z.object({
	title: z.string(),
	/** As Markdown; addresses of links are whole. */
	text: z.string(),
	/** `article`: its main text. `page`: all that can be seen. `bare`: its tags taken away, since it could not be read as a page. */
	extent: z.enum(['article', 'page', 'bare']),
	/** Elements that nobody would have seen, left out. */
	hidden: z.number().int().nonnegative(),
});
export type PageText = z.infer<typeof PageText>;
