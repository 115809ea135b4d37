import robotsParser from 'robots-parser';
import type { Clock } from '../../base/clock.ts';
import { HearthError } from '../../domain/errors.ts';
import type { FetchPage, PageRequest } from '../../net/page.ts';

/** Asks whether a site wants pages of this address read by programs. Resolves with why not, in one sentence; undefined where it may be. */
export type Robots = (url: URL, request: Pick<PageRequest, 'by' | 'signal' | 'namedBy' | 'mayFollow'>) => Promise<string | undefined>;

const AGENT = 'Hearth';
const MOST_SITES = 200;
/** Of what is looked at; the rest of a longer file does not count (RFC 9309). */
const MOST_BYTES = 512 * 1024;
const KEPT_MS = 60 * 60_000;
/** A site that could not be asked is asked again sooner. */
const RETRY_MS = 5 * 60_000;

interface Kept {
	readonly until: number;
	/** Undefined: everything may be read. */
	readonly rules?: ReturnType<typeof robotsParser>;
	/** Why nothing may be read. */
	readonly refusal?: string;
}

/** robots.txt, once per site and hour. Without one everything may be read; where the site can't say, nothing (RFC 9309). */
export function createRobots({ fetchPage, clock }: { fetchPage: FetchPage; clock: Clock }): Robots {
	const sites = new Map<string, Kept>();

	async function ask(url: URL, request: Parameters<Robots>[1]): Promise<Kept> {
		const address = new URL('/robots.txt', url);
		const now = clock.monotonic();
		try {
			const answer = await fetchPage({
				...request,
				url: address,
				purpose: 'robots',
				accept: 'text/plain',
				totalMs: 10_000,
				maxBytes: MOST_BYTES,
			});
			if (answer.kind === 'leads_elsewhere')
				return {
					until: now + RETRY_MS,
					refusal: `The robots.txt of ${url.host} leads to ${answer.to.host}, so what it allows is not known.`,
				};
			if (answer.status >= 500) return { until: now + RETRY_MS, refusal: `${url.host} could not say whether programs may read it.` };
			if (answer.status >= 400) return { until: now + KEPT_MS };
			return { until: now + KEPT_MS, rules: robotsParser(address.href, new TextDecoder().decode(answer.bytes)) };
		} catch (error) {
			if (!(error instanceof HearthError) || error.code === 'run_stopped') throw error;
			return { until: now + RETRY_MS, refusal: `${url.host} could not be asked whether programs may read it. ${error.message}` };
		}
	}

	return async (url, request) => {
		const known = sites.get(url.origin);
		const kept = known && known.until > clock.monotonic() ? known : await ask(url, request);
		sites.delete(url.origin);
		sites.set(url.origin, kept);
		const [oldest] = sites.keys();
		if (sites.size > MOST_SITES && oldest !== undefined) sites.delete(oldest);
		if (kept.refusal !== undefined) return kept.refusal;
		return kept.rules?.isAllowed(url.href, AGENT) === false
			? `The robots.txt of ${url.host} does not want this page read by programs.`
			: undefined;
	};
}
