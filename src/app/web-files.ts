import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CONTENT_TYPES } from '../contract/content-types.ts';

/** Sends one file of the built view; false where there is none of that name. Never leaves the folder. */
export async function sendFile(folder: string, pathname: string, response: ServerResponse, method: string): Promise<boolean> {
	const file = fileFor(folder, pathname);
	if (!file) return false;
	const info = await stat(file).catch(() => undefined);
	if (!info?.isFile()) return false;
	response.setHeader('Content-Type', CONTENT_TYPES[extname(file)] ?? 'application/octet-stream');
	response.setHeader('Content-Length', info.size);
	// Vite puts a hash of the content into the names under /assets/.
	response.setHeader('Cache-Control', pathname.startsWith('/assets/') ? 'private, max-age=31536000, immutable' : 'no-store');
	if (method === 'HEAD') response.end();
	else await pipeline(createReadStream(file), response);
	return true;
}

function fileFor(folder: string, pathname: string): string | undefined {
	let decoded: string;
	try {
		decoded = decodeURIComponent(pathname);
	} catch {
		// Not a name that a file can have.
		return undefined;
	}
	// No way up: a path decides its headers by how it begins.
	if (decoded.includes('\0') || decoded.includes('\\') || decoded.split('/').includes('..')) return undefined;
	// A route of the view has no extension: the page itself answers it.
	const name = extname(decoded) === '' ? '/index.html' : decoded;
	const file = normalize(join(folder, name));
	return file.startsWith(normalize(folder) + sep) ? file : undefined;
}
