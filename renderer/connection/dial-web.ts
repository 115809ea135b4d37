import type { Transport } from '../../src/contract/transport.ts';
import { tokenInHash, WEB_RPC_PATH, WEB_SESSION_PATH } from '../../src/contract/web-door.ts';
import { type WebSocketLike, webSocketTransport } from '../../src/contract/websocket-transport.ts';
import { type HearthError, retryable, terminal } from '../../src/domain/errors.ts';
import type { Dialler } from './dial-port.ts';

/** In a browser: a WebSocket to the server that this page came from, opened by the one-time token of its first address. */
export function webDialler(target: Window): Dialler {
	let token = tokenInHash(target.location.hash);
	// Out of the address at once: it must not stay in the history, and the rest of the hash belongs to the router.
	if (token) target.history.replaceState(null, '', target.location.pathname);
	return {
		dial: async (): Promise<Transport> => {
			if (token) {
				const status = await ask(target, 'POST', JSON.stringify({ token }));
				if (status !== 204 && (await ask(target, 'GET')) !== 204) throw refused();
				token = undefined;
			} else if ((await ask(target, 'GET')) !== 204) {
				throw refused();
			}
			const { host, protocol } = target.location;
			const socket = new WebSocket(`${protocol === 'https:' ? 'wss' : 'ws'}://${host}${WEB_RPC_PATH}`);
			return webSocketTransport(socket as WebSocketLike);
		},
		onBetter: () => {
			// There is one server; it is reached or not.
		},
	};
}

/** The status of the answer. Rejects with `disconnected` where the server is not there. */
async function ask(target: Window, method: 'GET' | 'POST', body?: string): Promise<number> {
	try {
		const headers = body ? { 'Content-Type': 'application/json' } : undefined;
		return (await target.fetch(WEB_SESSION_PATH, { method, body, headers, cache: 'no-store' })).status;
	} catch (cause) {
		throw retryable('disconnected', 'Hearth’s runtime can’t be reached right now.', { cause });
	}
}

function refused(): HearthError {
	return terminal('unauthorised', 'This address of Hearth has been used already, or the runtime was started anew.', {
		safe: 'Your chats are safe.',
		action: 'Run “npm run web” again and open the address it prints.',
	});
}
