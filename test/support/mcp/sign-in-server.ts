import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An authorisation server (OAuth 2.1) on 127.0.0.1: discovery, registration, PKCE with S256, codes that are good once, refresh tokens that rotate. */
export interface SignInServer {
	readonly issuer: string;
	/** Whether a request to the tool server carries a token that is good now. Else it has been answered, with where to learn more. */
	guard(request: IncomingMessage, response: ServerResponse): boolean;
	/** What the owner's browser does at the address: it agrees, and is led to where the answer goes. */
	agree(address: URL): Promise<URL>;
	/** No access token is good any more; refresh tokens are. */
	expire(): void;
	/** No token is good any more. */
	revoke(): void;
	/** Access tokens live so long. */
	lifeSeconds: number;
	readonly seen: { registrations: number; refreshes: number; tokens: Set<string> };
	close(): Promise<void>;
}

interface Code {
	readonly clientId: string;
	readonly redirectUri: string;
	readonly challenge: string;
}

export async function startSignInServer(resource: () => string): Promise<SignInServer> {
	const clients = new Map<string, string[]>();
	const codes = new Map<string, Code>();
	const access = new Set<string>();
	const refresh = new Set<string>();
	const seen = { registrations: 0, refreshes: 0, tokens: new Set<string>() };

	const tokens = () => {
		const [accessToken, refreshToken] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
		access.add(accessToken);
		refresh.add(refreshToken);
		seen.tokens.add(accessToken).add(refreshToken);
		return { access_token: accessToken, token_type: 'Bearer', expires_in: server.lifeSeconds, refresh_token: refreshToken, scope: 'notes' };
	};
	const takeToken = (given: URLSearchParams): object => {
		if (given.get('grant_type') === 'refresh_token') {
			seen.refreshes += 1;
			// A token that comes twice was stolen, or two refreshes ran at once: either way it is over.
			return refresh.delete(given.get('refresh_token') ?? '') ? tokens() : { error: 'invalid_grant' };
		}
		const code = codes.get(given.get('code') ?? '');
		codes.delete(given.get('code') ?? '');
		const challenge = createHash('sha256')
			.update(given.get('code_verifier') ?? '')
			.digest('base64url');
		const isGood =
			code?.challenge === challenge && code.redirectUri === given.get('redirect_uri') && code.clientId === given.get('client_id');
		return isGood ? tokens() : { error: 'invalid_grant' };
	};
	const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
		const url = new URL(request.url ?? '/', server.issuer);
		let body = '';
		for await (const chunk of request) body += String(chunk);
		const json = (value: object, status = 'error' in value ? 400 : 200): void => {
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
		};
		if (url.pathname === '/resource') json({ resource: resource(), authorization_servers: [server.issuer], scopes_supported: ['notes'] });
		else if (url.pathname === '/.well-known/oauth-authorization-server')
			json({
				issuer: server.issuer,
				authorization_endpoint: `${server.issuer}/authorize`,
				token_endpoint: `${server.issuer}/token`,
				registration_endpoint: `${server.issuer}/register`,
				response_types_supported: ['code'],
				grant_types_supported: ['authorization_code', 'refresh_token'],
				code_challenge_methods_supported: ['S256'],
				token_endpoint_auth_methods_supported: ['none'],
				authorization_response_iss_parameter_supported: true,
			});
		else if (url.pathname === '/register') {
			const wish = JSON.parse(body) as { redirect_uris: string[] };
			const clientId = randomUUID();
			clients.set(clientId, wish.redirect_uris);
			seen.registrations += 1;
			json({ ...wish, client_id: clientId }, 201);
		} else if (url.pathname === '/token') json(takeToken(new URLSearchParams(body)));
		else response.writeHead(404).end();
	};
	const http = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
	await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));

	const server: SignInServer = {
		issuer: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
		lifeSeconds: 3_600,
		seen,
		guard: (request, response) => {
			const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1];
			if (token !== undefined && access.has(token)) return false;
			response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${server.issuer}/resource"` }).end();
			return true;
		},
		agree: async (address) => {
			const asked = address.searchParams;
			const [clientId, redirectUri, challenge] = [
				asked.get('client_id') ?? '',
				asked.get('redirect_uri') ?? '',
				asked.get('code_challenge') ?? '',
			];
			if (!clients.get(clientId)?.includes(redirectUri)) throw new Error('nobody registered this');
			if (asked.get('code_challenge_method') !== 'S256' || asked.get('resource') !== resource())
				throw new Error('not asked as it should be');
			const code = randomUUID();
			codes.set(code, { clientId, redirectUri, challenge });
			const back = new URL(redirectUri);
			back.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: server.issuer }).toString();
			return back;
		},
		expire: () => access.clear(),
		revoke: () => {
			access.clear();
			refresh.clear();
		},
		close: () => new Promise((resolve) => http.close(() => resolve())),
	};
	return server;
}
