import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import type { SecretKeeper } from '../domain/secret-port.ts';
import { createSourcesForLook } from '../heartbeat/for-look.ts';
import type { SourcesForLook } from '../heartbeat/look-ports.ts';
import { createFeedReader } from '../heartbeat/readers/feed.ts';
import { createPageReader } from '../heartbeat/readers/page.ts';
import { createReading } from '../heartbeat/reading.ts';
import { createSourceFetch } from '../heartbeat/source-fetch.ts';
import { countFindingsBySource } from '../heartbeat/source-store.ts';
import { createSources, type Sources } from '../heartbeat/sources.ts';
import type { GuardedFetch } from '../net/guarded-fetch.ts';
import { createPageFetch } from '../net/page.ts';
import type { ConfigStore } from './config.ts';
import type { Live } from './live.ts';

export interface SourcePartsDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly secrets: SecretKeeper;
	readonly fetch: GuardedFetch;
	readonly config: Pick<ConfigStore, 'get'>;
	readonly live: Pick<Live, 'announce'>;
	/** There is something to read that was not there before. */
	readonly onAdded: () => void;
}

export interface SourceParts {
	readonly sources: Sources;
	readonly forLook: SourcesForLook;
	/** Views take sources anew. */
	readonly changed: () => void;
}

/** What background work reads, with a reader for each kind. */
export function createSourceParts(deps: SourcePartsDeps): SourceParts {
	const { db, clock, config, live, fetch } = deps;
	const changed = (): void => live.announce({ type: 'sources_changed' });
	const fetchSource = createSourceFetch(fetch);
	const readers = {
		feed: createFeedReader({ fetchSource }),
		page: createPageReader({ fetchSource, fetchPage: createPageFetch(fetch), clock }),
	};
	const reading = createReading({ ...deps, readers, chance: Math.random, changed });
	const sources = createSources({
		...deps,
		reading,
		discover: { fetchSource, servers: () => config.get().toolServers.map(({ id }) => id) },
		findings: () => countFindingsBySource(db.read),
		changed,
	});
	return { sources, forLook: createSourcesForLook({ db, clock, reading, changed }), changed };
}
