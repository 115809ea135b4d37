import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type ProtocolResponse, protocol, type Session } from 'electron';
import { CONTENT_TYPES } from '../../src/contract/content-types.ts';
import { securityHeaders } from '../../src/contract/web-door.ts';
import { assetFile } from './addresses.ts';

/** Must run before the app is ready. */
export function registerAppScheme(): void {
	protocol.registerSchemesAsPrivileged([
		{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
	]);
}

/**
 * By whole buffers, not by `protocol.handle`: that one loads the fetch library of the main process and passes every file
 * through two kinds of streams, which held up the first paint for longer than everything else of a start together.
 */
export function serveApp(session: Session, root: string): void {
	session.protocol.registerBufferProtocol('app', ({ url, method }, respond) => {
		answer(root, url, method).then(respond, () => respond({ statusCode: 500 }));
	});
}

async function answer(root: string, url: string, method: string): Promise<ProtocolResponse> {
	const headers = Object.fromEntries(securityHeaders(new URL(url).pathname));
	const file = method === 'GET' || method === 'HEAD' ? assetFile(root, url) : undefined;
	if (!file) return { statusCode: 403, headers, mimeType: 'text/plain', data: Buffer.from('Not allowed.') };
	try {
		const mimeType = CONTENT_TYPES[path.extname(file)] ?? '';
		return { headers: { ...headers, 'Content-Type': mimeType }, mimeType, data: await readFile(file) };
	} catch {
		return { statusCode: 404, headers, mimeType: 'text/plain', data: Buffer.from('Not found.') };
	}
}
