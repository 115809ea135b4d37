import { z } from 'zod';

/** What is said between the runtime and the thread that reads feeds. */

export const READS_FEEDS = 'read feeds';

export const FeedJob = z.object({ text: z.string(), url: z.string() });
export type FeedJob = z.infer<typeof FeedJob>;

/** An entry as its feed has it: plain text, addresses whole. */
export const FeedEntry = z.object({
	id: z.string().optional(),
	link: z.string().optional(),
	title: z.string(),
	author: z.string().optional(),
	/** As it is written there. */
	date: z.string().optional(),
	/** The beginning, a little longer than what is kept where there is more. */
	text: z.string(),
	/** SHA-256 of title and whole text. */
	content: z.string(),
});
export type FeedEntry = z.infer<typeof FeedEntry>;

export const FeedContent = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('feed'),
		title: z.string(),
		/** The page that it belongs to. */
		home: z.string().optional(),
		/** In the order of the feed. */
		entries: z.array(FeedEntry),
		/** Entries that could not be read, of a feed that is broken; undefined where it is whole. */
		broken: z.number().int().nonnegative().optional(),
		/** There are more than are looked at. */
		cut: z.boolean(),
	}),
	/** `page`: it is a web page. */
	z.object({ kind: z.literal('no_feed'), isPage: z.boolean() }),
]);
export type FeedContent = z.infer<typeof FeedContent>;
