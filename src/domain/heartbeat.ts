import { z } from 'zod';
import { ErrorShape } from './errors.ts';
import { ProviderId, RunId, Timestamp } from './ids.ts';
import { ServerId } from './tool-server.ts';

/** The words of background work: what it reads, when it looks, what became of it (product.md, B1–B4). */

export const WatchedSourceId = z.string().min(1).brand<'WatchedSourceId'>();
export type WatchedSourceId = z.infer<typeof WatchedSourceId>;
export const WatchedItemId = z.string().min(1).brand<'WatchedItemId'>();
export type WatchedItemId = z.infer<typeof WatchedItemId>;
/** One look at all sources that are due. */
export const TickId = z.string().min(1).brand<'TickId'>();
export type TickId = z.infer<typeof TickId>;

const Address = z
	.url({ protocol: /^https?$/, error: 'Use a whole address, such as https://example.org/feed.xml.' })
	.max(2_000)
	.refine((address) => !/^[a-z]+:[/\\]*[^/\\?#]*@/i.test(address), 'Leave out user name and password.');
/** The whole address is a secret (a private calendar): here is its origin only, the rest stands in the secret store (S3). */
const secretAddress = z.boolean().default(false);
const Path = z.string().min(1).max(4_000);

/** What a source is and where. What is secret in it lies in the secret store under `watchedSecret`. */
export const WatchedPlace = z.discriminatedUnion('kind', [
	/** RSS, Atom or JSON Feed. */
	z.object({ kind: z.literal('feed'), url: Address, secretAddress }),
	/** The readable text of a page; what is new in it is an item. */
	z.object({ kind: z.literal('page'), url: Address, secretAddress }),
	/** Text files, Markdown and PDFs below an absolute path. */
	z.object({ kind: z.literal('folder'), path: Path }),
	/** Read only. `tls`: from the first byte; `starttls`: before signing in; `none`: only on this machine. */
	z.object({
		kind: z.literal('mailbox'),
		host: z
			.string()
			.trim()
			.min(1)
			.max(253)
			.regex(/^[\p{L}\p{N}.:_-]+$/u, 'Use the name of the mail server, such as imap.example.org.'),
		port: z.number().int().min(1).max(65_535).default(993),
		security: z.enum(['tls', 'starttls', 'none']).default('tls'),
		user: z.string().trim().min(1).max(254),
		mailbox: z.string().min(1).max(300).default('INBOX'),
		/** SHA-256 of the one certificate that is trusted, in hex, where the owner says so: of a server with a certificate of its own making. */
		certificate: z
			.string()
			.regex(/^[0-9a-f]{64}$/)
			.optional(),
	}),
	/** Issues, pull requests and their comments. `baseUrl`: of a Gitea or a GitHub of one's own. */
	z.object({
		kind: z.literal('issues'),
		service: z.enum(['github', 'gitea']),
		baseUrl: Address.optional(),
		repository: z.string().regex(/^[\w.-]{1,100}\/[\w.-]{1,100}$/, 'Use owner/name.'),
	}),
	z.object({ kind: z.literal('calendar'), url: Address, secretAddress }),
	z.object({ kind: z.literal('calendar_file'), path: Path }),
	/** A resource of a tool server. */
	z.object({ kind: z.literal('resource'), server: ServerId, uri: z.string().min(1).max(2_000) }),
]);
export type WatchedPlace = z.infer<typeof WatchedPlace>;
export type WatchedKind = WatchedPlace['kind'];
export type PlaceOf<K extends WatchedKind> = Extract<WatchedPlace, { kind: K }>;

/** Name of a source's secret in the secret store: a password, a token, or its whole address. */
export function watchedSecret(id: WatchedSourceId): string {
	return `source:${id}`;
}

/** How reading it goes. `failed`: the owner has to do something. `waiting`: it is tried again by itself. */
export const WatchedHealth = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('new') }),
	/** `note`: what could not be read of it, in one sentence. */
	z.object({ kind: z.literal('ok'), at: Timestamp, note: z.string().max(500).optional() }),
	z.object({ kind: z.literal('waiting'), at: Timestamp, until: Timestamp, failures: z.number().int().positive(), error: ErrorShape }),
	z.object({ kind: z.literal('failed'), at: Timestamp, error: ErrorShape }),
]);
export type WatchedHealth = z.infer<typeof WatchedHealth>;

/** What one source may use. */
export const WatchedBudget = z.object({
	/** Minutes between two readings, at the least. */
	everyMinutes: z.number().int().min(5).max(10_080).default(30),
	/** Items a day that are looked at; more wait for the next day. */
	itemsPerDay: z.number().int().min(1).max(10_000).default(500),
	/** Findings a day. */
	findingsPerDay: z.number().int().min(1).max(200).default(10),
});
export type WatchedBudget = z.infer<typeof WatchedBudget>;

export const WatchedSource = z.object({
	id: WatchedSourceId,
	/** The owner's name for it. */
	title: z.string().trim().min(1).max(100),
	place: WatchedPlace,
	budget: WatchedBudget,
	paused: z.boolean(),
	health: WatchedHealth,
	/** From 0 to 1: rises with what the owner approves, falls with what they reject. Below `LOW_TRUST` its findings fold together. */
	trust: z.number().min(0).max(1),
	/** Items read so far, and those that no look has considered yet. */
	items: z.number().int().nonnegative(),
	unread: z.number().int().nonnegative(),
	findings: z.object({
		pending: z.number().int().nonnegative(),
		approved: z.number().int().nonnegative(),
		rejected: z.number().int().nonnegative(),
	}),
	lastReadAt: Timestamp.optional(),
	nextReadAt: Timestamp.optional(),
	createdAt: Timestamp,
});
export type WatchedSource = z.infer<typeof WatchedSource>;

export const FIRST_TRUST = 0.5;
export const LOW_TRUST = 0.25;

/** Most characters of an item that are kept and shown to a model; of more, the beginning. */
export const LONGEST_ITEM = 20_000;

/** Something that a source brought: quarantined, `external`, plain text (B1). */
export const WatchedItem = z.object({
	id: WatchedItemId,
	sourceId: WatchedSourceId,
	title: z.string().max(500),
	/** Where the owner would read it: a link, a `file:` path, an `imap:` address. */
	url: z.string().max(4_000).optional(),
	author: z.string().max(300).optional(),
	/** As the source says it; never later than when it was fetched. */
	publishedAt: Timestamp.optional(),
	text: z.string().max(LONGEST_ITEM),
	/** It is longer than what is kept. */
	cut: z.boolean(),
	fetchedAt: Timestamp,
	/** SHA-256 of what was fetched. */
	fetchedHash: z.string().length(64),
	/** `looking`: a run considers it. `read`: considered, or not to be considered. */
	state: z.enum(['unread', 'looking', 'read']),
});
export type WatchedItem = z.infer<typeof WatchedItem>;

/** `memory`: something to remember. `task`: something for the owner to do. `notice`: something to know now. */
export const FindingKind = z.enum(['memory', 'task', 'notice']);
export type FindingKind = z.infer<typeof FindingKind>;
export const Urgency = z.enum(['low', 'normal', 'high']);
export type Urgency = z.infer<typeof Urgency>;

/** UTF-16 offsets into the text of a quarantined item: `quote` is exactly what stands there. */
export const FindingQuote = z.object({
	itemId: WatchedItemId,
	start: z.number().int().nonnegative(),
	end: z.number().int().nonnegative(),
	quote: z.string().min(1),
});
export type FindingQuote = z.infer<typeof FindingQuote>;

/**
 * `held`: it could not begin or go on (paused, hours, budget, the owner is to be asked first). `nothing_new`: no model was asked. `failed`: it
 * stopped on an error that needs the owner, or that kept coming.
 */
export const TickOutcome = z.enum(['reading', 'thinking', 'done', 'nothing_new', 'held', 'failed', 'stopped']);
export type TickOutcome = z.infer<typeof TickOutcome>;

export const HeartbeatTick = z.object({
	id: TickId,
	/** The time it was due, or was asked for. */
	slot: Timestamp,
	by: z.enum(['schedule', 'owner']),
	outcome: TickOutcome,
	/** Of `held` and `failed`. */
	why: z.string().max(500).optional(),
	startedAt: Timestamp,
	endedAt: Timestamp.optional(),
	/** Sources that were read, and those of them that could not be. */
	sources: z.number().int().nonnegative(),
	failedSources: z.number().int().nonnegative(),
	/** New items. */
	items: z.number().int().nonnegative(),
	findings: z.number().int().nonnegative(),
	/** Findings that said what waits, was decided, or is remembered already; and those that came after the caps. */
	known: z.number().int().nonnegative(),
	overCap: z.number().int().nonnegative(),
	/** Findings that were not held, as they rest on words that stand nowhere in what was read. */
	dropped: z.number().int().nonnegative(),
	/** What could not be considered, in one sentence. */
	note: z.string().max(500).optional(),
	runIds: z.array(RunId),
});
export type HeartbeatTick = z.infer<typeof HeartbeatTick>;

/** Before text of others first goes to a model that is elsewhere or costs money, the owner is asked, once for a provider. */
export const SendQuestion = z.object({
	providerId: ProviderId,
	/** Its name, and the host that would get the text. */
	name: z.string(),
	host: z.string(),
	model: z.string(),
	remote: z.boolean(),
	costsMoney: z.boolean(),
	/** What would be sent now. */
	sources: z.array(z.string()),
	items: z.number().int(),
	characters: z.number().int(),
	/** SHA-256 of this question: a yes must name it (B3). */
	shownHash: z.string().length(64),
});
export type SendQuestion = z.infer<typeof SendQuestion>;
