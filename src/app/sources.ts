import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import type { SecretKeeper } from '../domain/secret-port.ts';
import { createSourcesForLook } from '../heartbeat/for-look.ts';
import type { SourcesForLook } from '../heartbeat/look-ports.ts';
import { createCalendarReader } from '../heartbeat/readers/calendar.ts';
import { createCalendarFileReader } from '../heartbeat/readers/calendar-file.ts';
import { createFeedReader } from '../heartbeat/readers/feed.ts';
import { createFolderReader } from '../heartbeat/readers/folder.ts';
import { createIssuesReader } from '../heartbeat/readers/issues.ts';
import { createMailboxReader } from '../heartbeat/readers/mailbox.ts';
import { createPageReader } from '../heartbeat/readers/page.ts';
import { createResourceReader, type ReadResource } from '../heartbeat/readers/resource.ts';
import { createReading } from '../heartbeat/reading.ts';
import { createSourceFetch } from '../heartbeat/source-fetch.ts';
import { countFindingsBySource } from '../heartbeat/source-store.ts';
import { createSources, type Sources } from '../heartbeat/sources.ts';
import { createGuardedConnect } from '../net/guarded-connect.ts';
import type { GuardedFetch, NetOptions } from '../net/guarded-fetch.ts';
import { createMailReading } from '../net/mail-reading.ts';
import { createPageFetch } from '../net/page.ts';
import type { OwnPlaces } from '../tools/workspace/denied.ts';
import type { ConfigStore } from './config.ts';
import type { Live } from './live.ts';

export interface SourcePartsDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly secrets: SecretKeeper;
	readonly fetch: GuardedFetch;
	readonly onRequest: NetOptions['onRequest'];
	readonly own: OwnPlaces;
	readonly readResource: ReadResource;
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
	const { db, clock, config, live, fetch, own, readResource, onRequest } = deps;
	const changed = (): void => live.announce({ type: 'sources_changed' });
	const fetchSource = createSourceFetch(fetch);
	const readers = {
		feed: createFeedReader({ fetchSource }),
		page: createPageReader({ fetchSource, fetchPage: createPageFetch(fetch), clock }),
		folder: createFolderReader({ own }),
		mailbox: createMailboxReader({ mail: createMailReading({ connect: createGuardedConnect({ clock, onRequest }) }) }),
		issues: createIssuesReader({ fetchSource }),
		calendar: createCalendarReader({ fetchSource }),
		calendar_file: createCalendarFileReader({ own }),
		resource: createResourceReader({ readResource }),
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
