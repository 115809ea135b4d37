import path from 'node:path';
import { CONTENT_TYPES } from '../../src/contract/content-types.ts';
import { plainMailLink } from '../../src/contract/mail-link.ts';

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

/**
 * What may be offered to the system for this address, exactly as the owner is to be shown it: a web address in its normalised form,
 * where look-alike letters of another script show as punycode, or one plain mail address. Undefined for anything else: never a file
 * or another program's own scheme. Pure.
 */
export function openableAddress(address: string): string | undefined {
	if (address.length > 8_000 || !URL.canParse(address)) return undefined;
	const { protocol, href } = new URL(address);
	return protocol === 'http:' || protocol === 'https:' ? href : plainMailLink(address);
}
