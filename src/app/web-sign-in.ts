import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../base/logger.ts';
import type { ServerId } from '../domain/tool-server.ts';

const PATH = '/signed-in';
/** A sign-in that nobody finishes is over after this. */
const MOST_WAIT_MS = 10 * 60_000;

export interface SignInDoor {
	/** Opens the place where the browser brings the answer to one sign-in, and gives its address. One at a time for each server. */
	open(server: ServerId, finish: (answer: URLSearchParams) => Promise<void>): Promise<string>;
	/** Nothing more is taken for this server. */
	shut(server: ServerId): void;
	close(): void;
}

/** Listens on this computer for the answers to sign-ins, only while one is under way. What comes is checked by whoever began it. */
export function createSignInDoor({ logger }: { logger: Logger }): SignInDoor {
	const doors = new Map<ServerId, Server>();
	const shut = (server: ServerId): void => {
		doors.get(server)?.close();
		doors.delete(server);
	};
	return {
		open: async (server, finish) => {
			shut(server);
			const http = createServer((request, response) => {
				const url = URL.parse(request.url ?? '', 'http://127.0.0.1');
				if (request.method !== 'GET' || url?.pathname !== PATH) {
					response.writeHead(404).end();
					return;
				}
				finish(url.searchParams).then(
					() => {
						response.writeHead(200, PAGE).end(pageOf('You are signed in. You can close this page and go back to Hearth.'));
						shut(server);
					},
					(error: unknown) => {
						logger.warn('sign_in_failed', { server, error });
						response.writeHead(400, PAGE).end(pageOf('That did not work. Go back to Hearth and try again.'));
					},
				);
			});
			doors.set(server, http);
			await new Promise<void>((resolve, reject) => {
				http.once('error', reject);
				http.listen(0, '127.0.0.1', resolve);
			});
			setTimeout(() => {
				if (doors.get(server) === http) shut(server);
			}, MOST_WAIT_MS).unref();
			return `http://127.0.0.1:${(http.address() as AddressInfo).port}${PATH}`;
		},
		shut,
		close: () => {
			for (const server of [...doors.keys()]) shut(server);
		},
	};
}

const PAGE = {
	'content-type': 'text/html; charset=utf-8',
	'content-security-policy': "default-src 'none'",
	'referrer-policy': 'no-referrer',
	'cache-control': 'no-store',
	connection: 'close',
};

function pageOf(text: string): string {
	return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Hearth</title><p>${text}</p></html>`;
}
