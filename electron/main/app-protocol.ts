import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol, type Session } from 'electron';
import { securityHeaders } from '../../src/contract/web-door.ts';
import { assetFile, CONTENT_TYPES } from './addresses.ts';

/** Must run before the app is ready. */
export function registerAppScheme(): void {
	protocol.registerSchemesAsPrivileged([
		{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
	]);
}

export function serveApp(session: Session, root: string): void {
	session.protocol.handle('app', async (request) => {
		const headers = Object.fromEntries(securityHeaders(new URL(request.url).pathname));
		const file = request.method === 'GET' || request.method === 'HEAD' ? assetFile(root, request.url) : undefined;
		if (!file) return new Response('Not allowed.', { status: 403, headers });
		try {
			return new Response(new Uint8Array(await readFile(file)), {
				headers: { ...headers, 'Content-Type': CONTENT_TYPES[path.extname(file)] ?? '' },
			});
		} catch {
			return new Response('Not found.', { status: 404, headers });
		}
	});
}
