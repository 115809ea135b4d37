import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FetchLike, OAuthClientProvider } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { HearthError, retryable, terminal } from '../../domain/errors.ts';
import { Json, parseJson } from '../../domain/json.ts';
import type { SecretKeeper } from '../../domain/secret-port.ts';
import type { ServerId, ToolServerConfig } from '../../domain/tool-server.ts';
import { isLoopback } from '../../net/destination.ts';
import type { GuardedFetch } from '../../net/guarded-fetch.ts';
import { loadSdk, type Sdk, signInError } from './errors.ts';
import { signInSecret } from './secrets.ts';
import { signInFetch } from './sign-in-fetch.ts';
import type { ServerAuth } from './transports.ts';

/** A sign-in that was begun and not finished is over after this. */
const MOST_WAIT_MS = 10 * 60_000;
/** A token that has no longer than this is refreshed before it is used. */
const SHORT_LIFE_MS = 30_000;

/** What is kept of a sign-in, as one secret. The parts in JSON are the library's own, and are given back to it as they were. */
const Kept = z.object({
	/** The server that it is for: another address gets none of it. */
	url: z.string().optional(),
	/** Where answers came when Hearth was registered: another place needs another registration. */
	redirectUrl: z.string().optional(),
	client: z.looseObject({ client_id: z.string(), issuer: z.string().optional() }).optional(),
	tokens: z
		.looseObject({
			access_token: z.string(),
			token_type: z.string(),
			refresh_token: z.string().optional(),
			expires_in: z.number().optional(),
			issuer: z.string().optional(),
		})
		.optional(),
	tokensAt: z.number().optional(),
	discovery: z.looseObject({ authorizationServerUrl: z.string() }).optional(),
	resource: z.string().optional(),
});
type Kept = z.infer<typeof Kept>;

/** A sign-in under way. In memory only: what answers it must be the answer to what this process asked. */
interface Pending {
	readonly redirectUrl: string;
	readonly state: string;
	readonly since: number;
	verifier: string;
	address: URL | undefined;
}

export interface SignInDeps {
	readonly server: ServerId;
	readonly title: string;
	readonly url: string;
	/** A client id that the owner got from whoever runs the server. */
	readonly clientId: string | undefined;
	readonly secrets: SecretKeeper;
	/** For the addresses of a sign-in, which the server names. */
	readonly fetch: FetchLike;
	/** A token: it must not be shown anywhere. */
	readonly learn: (secret: string) => void;
	readonly clock: Clock;
}

/** Undefined for a program on this computer. */
export function signInTo(
	{ id: server, title, transport }: ToolServerConfig,
	deps: Pick<SignInDeps, 'secrets' | 'learn' | 'clock'> & { fetch: GuardedFetch },
): SignIn | undefined {
	if (transport.kind !== 'http') return undefined;
	const { url, clientId } = transport;
	return new SignIn({ ...deps, server, title, url, clientId, fetch: signInFetch(deps.fetch, url) });
}

/** Signing in to one server (OAuth 2.1 with PKCE). Tokens live in the secret store and go nowhere but to the server that they are for (S3). */
export class SignIn implements ServerAuth {
	readonly #deps: SignInDeps;
	#kept: Promise<Kept> | undefined;
	#pending: Pending | undefined;
	#refreshing: Promise<void> | undefined;
	/** What answers were asked for with. */
	readonly #sentWith = new WeakMap<Response, string | null>();
	/** What the server said with its last refusal: where to learn more, and for what. */
	#challenge: { resourceMetadataUrl?: URL | undefined; scope?: string | undefined } = {};

	constructor(deps: SignInDeps) {
		this.#deps = deps;
	}

	async isSignedIn(): Promise<boolean> {
		return (await this.#load()).tokens !== undefined;
	}

	/** Called by the library before each request. */
	async token(): Promise<string | undefined> {
		const { tokens, tokensAt = 0 } = await this.#load();
		if (!tokens) return undefined;
		const ends = tokens.expires_in === undefined ? Number.POSITIVE_INFINITY : tokensAt + tokens.expires_in * 1000;
		if (tokens.refresh_token === undefined || ends - this.#deps.clock.now() > SHORT_LIFE_MS) return tokens.access_token;
		await this.#refresh();
		return (await this.#load()).tokens?.access_token;
	}

	/** Called by the library when the server refused: one refresh for all who wait for it, or the owner has to sign in. */
	async onUnauthorized({ response }: { response: Response }): Promise<void> {
		const sdk = await loadSdk();
		if (response.headers.has('www-authenticate')) this.#challenge = sdk.extractWWWAuthenticateParams(response);
		const { tokens } = await this.#load();
		// Asked for with a token that another call has had refreshed meanwhile.
		const isOld = tokens && this.#sentWith.get(response) !== `Bearer ${tokens.access_token}`;
		if (!isOld) await this.#refresh();
	}

	/** Told of each answer of the server. */
	answered(response: Response, authorization: string | null): void {
		this.#sentWith.set(response, authorization);
	}

	/** The address where the owner signs in. `redirectUrl`: on this machine, where the answer will come. */
	async begin(redirectUrl: string): Promise<URL> {
		const sdk = await loadSdk();
		const pending: Pending = {
			redirectUrl,
			state: randomBytes(32).toString('base64url'),
			since: this.#deps.clock.monotonic(),
			verifier: '',
			address: undefined,
		};
		this.#pending = pending;
		await this.#keep({ tokens: undefined, discovery: undefined });
		await this.#inWords(sdk, () =>
			sdk.auth(this.#provider(pending), { serverUrl: this.#deps.url, fetchFn: this.#deps.fetch, ...this.#challenge }),
		);
		const { address } = pending;
		if (!address || (address.protocol !== 'https:' && !isLoopback(address.href)))
			throw terminal('server_refused', `${this.#deps.title} names no safe address to sign in at.`);
		return address;
	}

	/** `answer`: what came to the redirect address. Throws where it is no answer to the sign-in under way; then that is over. */
	async finish(answer: URLSearchParams): Promise<void> {
		const sdk = await loadSdk();
		const pending = this.#pending;
		if (!pending || this.#deps.clock.monotonic() - pending.since > MOST_WAIT_MS)
			throw terminal('conflict', `No sign-in to ${this.#deps.title} is under way.`, { action: 'Begin it anew.' });
		if (!isSame(answer.get('state') ?? '', pending.state)) throw terminal('invalid_input', 'This is not the answer to this sign-in.');
		this.#pending = undefined;
		const code = answer.get('code');
		if (code === null) throw terminal('server_sign_in', `The sign-in to ${this.#deps.title} was not granted.`, { action: 'Try again.' });
		const issuer = answer.get('iss');
		await this.#inWords(sdk, () =>
			sdk.auth(this.#provider(pending), {
				serverUrl: this.#deps.url,
				authorizationCode: code,
				fetchFn: this.#deps.fetch,
				...(issuer !== null && { iss: issuer }),
				...this.#challenge,
			}),
		);
	}

	/** Forgets the tokens and the registration. */
	async signOut(): Promise<void> {
		this.#pending = undefined;
		await this.#deps.secrets.remove(signInSecret(this.#deps.server));
		this.#kept = undefined;
	}

	#refresh(): Promise<void> {
		this.#refreshing ??= this.#refreshNow().finally(() => {
			this.#refreshing = undefined;
		});
		return this.#refreshing;
	}

	async #refreshNow(): Promise<void> {
		const sdk = await loadSdk();
		const { client, tokens, discovery, resource } = await this.#load();
		if (!client || !tokens?.refresh_token || !discovery) throw signInError(this.#deps.title);
		try {
			const fresh = await sdk.refreshAuthorization(discovery.authorizationServerUrl, {
				metadata: discovery.authorizationServerMetadata as never,
				clientInformation: client,
				refreshToken: tokens.refresh_token,
				fetchFn: this.#deps.fetch,
				...(resource !== undefined && { resource: new URL(resource) }),
			});
			await this.#keepTokens({ refresh_token: tokens.refresh_token, ...fresh, issuer: tokens.issuer });
		} catch (error) {
			if (!(error instanceof sdk.OAuthError) || error.code === sdk.OAuthErrorCode.ServerError) throw this.#failure(error);
			await this.#keep({ tokens: undefined });
			throw signInError(this.#deps.title);
		}
	}

	/** The library's view of it while the owner signs in. */
	#provider(pending: Pending): OAuthClientProvider {
		const { clientId } = this.#deps;
		return {
			redirectUrl: pending.redirectUrl,
			clientMetadata: {
				client_name: 'Hearth',
				redirect_uris: [pending.redirectUrl],
				grant_types: ['authorization_code', 'refresh_token'],
				response_types: ['code'],
				token_endpoint_auth_method: 'none',
			},
			state: () => pending.state,
			clientInformation: async () => {
				if (clientId !== undefined) return { client_id: clientId };
				const { client, redirectUrl } = await this.#load();
				return redirectUrl === pending.redirectUrl ? client : undefined;
			},
			saveClientInformation: (client) => this.#keep({ client: Kept.shape.client.parse(client), redirectUrl: pending.redirectUrl }),
			tokens: async () => (await this.#load()).tokens,
			saveTokens: (tokens) => this.#keepTokens(tokens),
			redirectToAuthorization: (address) => {
				pending.address = address;
			},
			saveCodeVerifier: (verifier) => {
				pending.verifier = verifier;
			},
			codeVerifier: () => pending.verifier,
			discoveryState: async () => (await this.#load()).discovery as never,
			saveDiscoveryState: (state) => this.#keep({ discovery: Kept.shape.discovery.parse(Json.parse(JSON.parse(JSON.stringify(state)))) }),
			saveResourceUrl: (resource) => this.#keep({ resource: String(resource) }),
			invalidateCredentials: async (scope) => {
				if (scope === 'all' || scope === 'tokens') await this.#keep({ tokens: undefined });
				if (scope === 'all' || scope === 'client') await this.#keep({ client: undefined });
			},
		};
	}

	async #keepTokens(tokens: object): Promise<void> {
		const kept = Kept.shape.tokens.parse(tokens);
		await this.#keep({ tokens: kept, tokensAt: this.#deps.clock.now() });
	}

	async #keep(change: Partial<Kept>): Promise<void> {
		const kept = { ...(await this.#load()), ...change, url: this.#deps.url };
		this.#learn(kept);
		await this.#deps.secrets.set(signInSecret(this.#deps.server), JSON.stringify(kept));
		this.#kept = Promise.resolve(kept);
	}

	#load(): Promise<Kept> {
		this.#kept ??= this.#read().catch((error: unknown) => {
			this.#kept = undefined;
			throw error;
		});
		return this.#kept;
	}

	async #read(): Promise<Kept> {
		const text = await this.#deps.secrets.get(signInSecret(this.#deps.server));
		const kept = Kept.safeParse(parseJson(text ?? '{}'));
		const found = kept.success && kept.data.url === this.#deps.url ? kept.data : {};
		this.#learn(found);
		return found;
	}

	#learn({ tokens, client }: Kept): void {
		for (const secret of [tokens?.access_token, tokens?.refresh_token, client?.client_secret])
			if (typeof secret === 'string') this.#deps.learn(secret);
	}

	async #inWords<T>(sdk: Sdk, work: () => Promise<T>): Promise<T> {
		try {
			return await work();
		} catch (error) {
			if (error instanceof sdk.OAuthError)
				throw terminal('server_sign_in', `The sign-in to ${this.#deps.title} was refused (${error.code}).`, { action: 'Try again.' });
			throw this.#failure(error);
		}
	}

	/** Texts of errors of the library may hold what a server said, or more: none of it is passed on (S3). */
	#failure(error: unknown): HearthError {
		if (error instanceof HearthError) return error;
		return retryable(
			'server_unreachable',
			`The sign-in to ${this.#deps.title} could not be done: it does not offer one that Hearth knows, or it can’t be reached.`,
			{
				action: 'Try again later, or ask whoever runs the server whether it needs a client id.',
			},
		);
	}
}

function isSame(a: string, b: string): boolean {
	const [left, right] = [Buffer.from(a), Buffer.from(b)];
	return left.length === right.length && timingSafeEqual(left, right);
}
