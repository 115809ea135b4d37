import type { Clock } from '../base/clock.ts';
import type { SecretReader } from '../domain/secret-port.ts';
import type { AuditLog, Redactor } from '../firewall/ports.ts';
import { createGuardedConnect, type GuardedConnect } from '../net/guarded-connect.ts';
import type { GuardedFetch, RequestRecord } from '../net/guarded-fetch.ts';
import { createMailer, type Mailer } from '../net/mailer.ts';
import { createPageFetch } from '../net/page.ts';
import { createMessenger, type Messenger } from '../tools/messages/messenger.ts';
import { sendMessageTool } from '../tools/messages/send-message.ts';
import type { Tool } from '../tools/port.ts';
import { fetchUrlTool } from '../tools/web/fetch-url.ts';
import { createRobots } from '../tools/web/robots.ts';
import { createWebSearch, type WebSearch } from '../tools/web/search-providers.ts';
import { webSearchTool } from '../tools/web/web-search.ts';
import type { ConfigStore } from './config.ts';

export interface OutgoingPartsDeps {
	readonly config: Pick<ConfigStore, 'get'>;
	readonly secrets: SecretReader;
	readonly clock: Clock;
	readonly fetch: GuardedFetch;
	readonly redactor: Pick<Redactor, 'hasMask'>;
	readonly audit: Pick<AuditLog, 'record'>;
	readonly onRequest: (record: RequestRecord) => void;
}

export interface OutgoingParts {
	readonly tools: readonly Tool[];
	readonly connect: GuardedConnect;
	readonly search: WebSearch;
	readonly mailer: Mailer;
	readonly messenger: Messenger;
}

/** Everything that leaves this machine by tools: pages, search, mail, webhooks. */
export function createOutgoingParts({ config, secrets, clock, fetch, redactor, audit, onRequest }: OutgoingPartsDeps): OutgoingParts {
	const outgoing = () => config.get().outgoing;
	const connect = createGuardedConnect({ clock, onRequest });
	const fetchPage = createPageFetch(fetch);
	const search = createWebSearch({ fetch, secrets });
	const mailer = createMailer({ connect });
	const messenger = createMessenger({ outgoing, secrets, mailer, fetch });
	const tools: Tool[] = [
		fetchUrlTool({ fetchPage, robots: createRobots({ fetchPage, clock }), clock }),
		webSearchTool({ search, provider: () => outgoing().search }),
		sendMessageTool({ messenger, outgoing, hasMask: redactor.hasMask, audit, clock }),
	];
	return { tools, connect, search, mailer, messenger };
}
