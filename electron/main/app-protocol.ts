import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { protocol, type Session } from 'electron';
import { securityHeaders } from '../../src/contract/web-door.ts';

/** Where the view lives: a standard, secure origin of its own, so that the policy's 'self' means exactly our files. */
export const APP_ORIGIN = 'app://bundle';

const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.json': 'application/json; charset=utf-8',
	'.svg': 'image/svg+xml',
	'.png': 'image/png',
	'.woff2': 'font/woff2',
	'.woff': 'font/woff',
	'.ttf': 'font/ttf',
	'.wasm': 'application/wasm',
};

/** Must run before the app is ready. */
export function registerAppScheme(): void {
	protocol.registerSchemesAsPrivileged([
		{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
	]);
}

/** The file an address names, inside `root` and nowhere else; undefined for anything we do not serve. Pure. */
export function assetFile(root: string, address: string): string | undefined {
	if (!URL.canParse(address)) return undefined;
	const url = new URL(address);
	if (url.protocol !== 'app:' || url.host !== 'bundle') return undefined;
	let name: string;
	try {
		name = decodeURIComponent(url.pathname);
	} catch {
		// Not a name that a file can have.
		return undefined;
	}
	if (name.includes('\0') || name.includes('\\')) return undefined;
	const folder = path.resolve(root);
	const file = path.join(folder, name === '/' ? 'index.html' : name);
	if (!file.startsWith(folder + path.sep)) return undefined;
	return path.extname(file) in TYPES ? file : undefined;
}

export function serveApp(session: Session, root: string): void {
	session.protocol.handle('app', async (request) => {
		const headers = Object.fromEntries(securityHeaders(new URL(request.url).pathname));
		const file = request.method === 'GET' || request.method === 'HEAD' ? assetFile(root, request.url) : undefined;
		if (!file) return new Response('Not allowed.', { status: 403, headers });
		try {
			return new Response(new Uint8Array(await readFile(file)), {
				headers: { ...headers, 'Content-Type': TYPES[path.extname(file)] ?? '' },
			});
		} catch {
			return new Response('Not found.', { status: 404, headers });
		}
	});
}
