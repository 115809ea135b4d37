import path from 'node:path';
import { CONTENT_TYPES } from '../../src/contract/content-types.ts';

/** Where the view lives: a standard, secure origin of its own, so that the policy's 'self' means exactly our files. */
export const APP_ORIGIN = 'app://bundle';

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
	return path.extname(file) in CONTENT_TYPES ? file : undefined;
}

export function isOwnAddress(address: string): boolean {
	return address === APP_ORIGIN || address.startsWith(`${APP_ORIGIN}/`);
}

/** The page of the view itself, on whatever route: what a window may load again. Pure. */
export function isViewPage(address: string): boolean {
	return isOwnAddress(address) && ['', '/', '/index.html'].includes(new URL(address).pathname);
}

/** Whether an address may be offered to the browser at all: the web only, never a file or a program's own scheme. Pure. */
export function isWebAddress(address: string): boolean {
	return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol) && address.length <= 8_000;
}
