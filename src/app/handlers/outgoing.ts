import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { OutgoingTest, OutgoingView } from '../../contract/methods/outgoing.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import {
	MAIL,
	MAIL_SECRET,
	type MailAccount,
	type Outgoing,
	SEARCH_SECRET,
	type SearchProvider,
	webhookSecret,
} from '../../domain/outgoing.ts';
import { Permission, type PermissionTerms } from '../../domain/permission.ts';
import type { SecretKeeper } from '../../domain/secret-port.ts';
import { isLoopback, isPrivate, parseHttpUrl } from '../../net/destination.ts';
import type { GuardedConnect } from '../../net/guarded-connect.ts';
import type { Mailer } from '../../net/mailer.ts';
import type { Messenger } from '../../tools/messages/messenger.ts';
import { searchAddress, type WebSearch } from '../../tools/web/search-providers.ts';
import { WEB_SEARCH } from '../../tools/web/web-search.ts';
import type { ConfigStore } from '../config.ts';
import type { Handlers } from '../router.ts';

export interface OutgoingDeps {
	readonly config: Pick<ConfigStore, 'get' | 'update'>;
	readonly secrets: SecretKeeper;
	readonly clock: Clock;
	readonly search: WebSearch;
	readonly mailer: Mailer;
	readonly messenger: Messenger;
	readonly connect: GuardedConnect;
	readonly permissions: Pick<Handlers['permissions'], 'list' | 'add' | 'revoke'>;
}

interface Asked {
	readonly signal?: AbortSignal;
}

const TEST_WORD = 'weather';
const TEST_TEXT = 'This is a test message of Hearth: this way of sending works.';

/** `outgoing.*` of the contract: search provider, mail account, webhooks. Secrets go to the secret store and never come back (S3). */
export function createOutgoingHandlers(deps: OutgoingDeps): Handlers['outgoing'] {
	const { config, secrets, clock, permissions } = deps;
	const current = (): Outgoing => config.get().outgoing;
	const save = (change: Partial<Outgoing>) => config.update((saved) => ({ ...saved, outgoing: { ...saved.outgoing, ...change } }));

	/** Of the search tool, in force. */
	async function searchPermissions(): Promise<Permission[]> {
		const { permissions: all } = await permissions.list(undefined, {});
		return all
			.map((each) => Permission.parse(each))
			.filter(({ terms, origin, revokedAt }) => revokedAt === undefined && origin === 'owner' && isForSearch(terms));
	}

	async function view(): Promise<OutgoingView> {
		const { search, mail, webhooks } = current();
		const names = new Set(await secrets.names().catch(() => []));
		const host = search && hostOfSearch(search);
		return {
			search,
			searchHasKey: names.has(SEARCH_SECRET),
			searchPermitted: (await searchPermissions()).some(({ terms: { scope } }) => scope.kind === 'host' && scope.host === host),
			mail,
			mailHasPassword: names.has(MAIL_SECRET),
			webhooks: webhooks.map(({ name, host: place }) => ({ name, host: place, hasAddress: names.has(webhookSecret(name)) })),
		};
	}

	/** The secret first: where it can't be kept, nothing is saved. `kept`: one that is there already still holds. */
	async function keepSecret(name: string, given: string | undefined, kept: boolean): Promise<void> {
		if (given !== undefined && given !== '') await secrets.set(name, given);
		else if ((given === '' || !kept) && (await secrets.names()).includes(name)) await secrets.remove(name);
	}

	async function permitSearch(search: SearchProvider | null, permit: boolean): Promise<void> {
		const host = search && permit ? hostOfSearch(search) : undefined;
		const known = await searchPermissions();
		const fits = known.find(({ terms: { scope } }) => scope.kind === 'host' && scope.host === host);
		for (const { id } of known) if (id !== fits?.id) await permissions.revoke({ permissionId: id }, {});
		if (host !== undefined && !fits)
			await permissions.add(
				{ terms: { tool: WEB_SEARCH, scope: { kind: 'host', host, posts: false }, label: 'approved', job: { kind: 'any' } } },
				{},
			);
	}

	const tests = {
		search: async (signal: AbortSignal): Promise<Omit<OutgoingTest, 'ms'>> => {
			const provider = current().search;
			if (!provider) throw nothingThere('a search provider');
			const hits = await deps.search({ provider, query: TEST_WORD, count: 5, signal });
			return {
				found: `${hostOfSearch(provider)} answers: ${hits.length === 1 ? '1 result' : `${hits.length} results`} for “${TEST_WORD}”.`,
				sent: false,
			};
		},
		mail: async (send: boolean, signal: AbortSignal): Promise<Omit<OutgoingTest, 'ms'>> => {
			const account = current().mail;
			if (!account) throw nothingThere('a mail account');
			if (!send) {
				await deps.mailer.check({ account, password: await secrets.get(MAIL_SECRET), signal });
				return { found: `${account.host} accepts the sign-in. Nothing was sent.`, sent: false };
			}
			const message = { ...testMessage(clock), via: MAIL, to: [account.from], subject: 'A test of Hearth', signal };
			const { answer } = await deps.messenger.deliver(message);
			return { found: `A mail is on its way to ${account.from}. ${answer}`, sent: true };
		},
		webhook: async (name: string, send: boolean, signal: AbortSignal): Promise<Omit<OutgoingTest, 'ms'>> => {
			if (!current().webhooks.some((each) => each.name === name)) throw nothingThere(`a webhook “${name}”`);
			if (send) {
				const { answer } = await deps.messenger.deliver({ ...testMessage(clock), via: name, to: [], subject: '', signal });
				return { found: `The webhook “${name}” took a test message. ${answer}`, sent: true };
			}
			const address = await secrets.get(webhookSecret(name));
			if (address === undefined) throw nothingThere(`the address of “${name}”`);
			const { hostname, port, protocol, host } = new URL(address);
			const bare = hostname.replace(/^\[|\]$/g, '');
			const usual = protocol === 'https:' ? 443 : 80;
			const socket = await deps.connect({
				host: bare,
				port: port === '' ? usual : Number(port),
				allow: { ownerNamed: true },
				purpose: 'webhook',
				signal,
			});
			socket.destroy();
			return { found: `${host} can be reached. Nothing was sent, so whether it takes messages is not known.`, sent: false };
		},
	};

	return {
		get: view,
		setSearch: async ({ search, key, permit }) => {
			const before = current().search;
			// A key was given for one server and is not carried over to another.
			const same = before?.kind === 'brave' && search?.kind === 'brave' && hostOfSearch(before) === hostOfSearch(search);
			const given = key === undefined ? undefined : key.trim();
			const hasKey = given ? true : given === undefined && same && (await secrets.names()).includes(SEARCH_SECRET);
			if (search?.kind === 'brave' && !hasKey)
				throw terminal('invalid_input', 'Brave Search needs a key.', {
					safe: 'Nothing was changed.',
					action: 'Enter the key of your account.',
				});
			await keepSecret(SEARCH_SECRET, search?.kind === 'brave' ? given : '', same);
			await save({ search });
			await permitSearch(search, permit);
			return view();
		},
		setMail: async ({ mail, password }) => {
			if (mail) checkAccount(mail);
			const before = current().mail;
			const same = before !== null && mail !== null && before.host === mail.host && before.user === mail.user;
			await keepSecret(MAIL_SECRET, mail ? password : '', same);
			await save({ mail });
			return view();
		},
		setWebhook: async ({ name, url }) => {
			const address = webhookAddress(url);
			await secrets.set(webhookSecret(name), address.href);
			const webhook = { name, host: address.host };
			const { webhooks } = current();
			const isKnown = webhooks.some((each) => each.name === name);
			await save({ webhooks: isKnown ? webhooks.map((each) => (each.name === name ? webhook : each)) : [...webhooks, webhook] });
			return view();
		},
		removeWebhook: async ({ name }) => {
			const { webhooks } = current();
			if (!webhooks.some((each) => each.name === name)) throw nothingThere(`a webhook “${name}”`);
			await secrets.remove(webhookSecret(name));
			await save({ webhooks: webhooks.filter((each) => each.name !== name) });
			return view();
		},
		test: async (input, { signal = new AbortController().signal }: Asked = {}) => {
			const started = clock.monotonic();
			const found =
				input.what === 'search'
					? await tests.search(signal)
					: input.what === 'mail'
						? await tests.mail(input.send, signal)
						: await tests.webhook(input.name, input.send, signal);
			return { ...found, ms: clock.monotonic() - started };
		},
	};
}

function hostOfSearch(search: SearchProvider): string {
	return new URL(searchAddress(search).baseUrl).host;
}

function isForSearch({ tool, scope, job }: PermissionTerms): boolean {
	return tool === WEB_SEARCH && scope.kind === 'host' && job.kind === 'any';
}

function checkAccount({ host, port, security }: MailAccount): void {
	const shown = host.includes(':') ? `[${host}]` : host;
	if (security === 'none' && !isLoopback(`http://${shown}:${port}/`))
		throw terminal('invalid_input', `Mail to ${host} would go over the network unprotected.`, {
			safe: 'Nothing was changed.',
			action: 'Choose TLS or STARTTLS. Without either only a server on this machine can be used.',
		});
}

function webhookAddress(written: string): URL {
	const url = parseHttpUrl(written, 'webhook');
	if (url.protocol === 'http:' && !isPrivate(url.href))
		throw terminal('invalid_input', `Messages to ${url.host} would go over the internet unprotected.`, {
			safe: 'Nothing was changed.',
			action: 'Use an address that begins with https.',
		});
	return url;
}

function testMessage(clock: Clock) {
	return { text: TEST_TEXT, key: newId().replaceAll('-', ''), date: new Date(clock.now()) };
}

function nothingThere(what: string) {
	return needsOwner('not_found', `There is no ${what.replace(/^(a|the) /, '')} yet.`, {
		action: 'Set it up in Settings, Web and messages.',
	});
}
