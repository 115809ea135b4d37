import { EntryId, MemoryPath } from '../../src/domain/memory.ts';

/** What the memory screen shows, as the address after `#` says it. */
export type Place =
	| { readonly kind: 'all' }
	| { readonly kind: 'file'; readonly file: MemoryPath; readonly headingPath: readonly string[] }
	| { readonly kind: 'entry'; readonly entryId: EntryId };

const ALL: Place = { kind: 'all' };
const encode = (text: string): string => encodeURIComponent(text);

/** `/memory/file/memory/2026-03-10.md`, and a heading of it after `/-/`. */
export function filePlace(file: string, headingPath: readonly string[] = []): string {
	const path = file.split('/').map(encode).join('/');
	return headingPath.length === 0 ? `/memory/file/${path}` : `/memory/file/${path}/-/${headingPath.map(encode).join('/')}`;
}

export function entryPlace(entryId: string): string {
	return `/memory/entry/${encode(entryId)}`;
}

/** Everything for an address that names nothing Hearth could show. */
export function parsePlace(location: string): Place {
	const file = /^\/memory\/file\/(.+\.md)(?:\/-\/(.+))?$/.exec(location);
	if (file) {
		const path = MemoryPath.safeParse(decode(file[1] ?? '').join('/'));
		return path.success ? { kind: 'file', file: path.data, headingPath: file[2] ? decode(file[2]) : [] } : ALL;
	}
	const entry = /^\/memory\/entry\/([^/]+)$/.exec(location);
	const id = EntryId.safeParse(decode(entry?.[1] ?? '')[0]);
	return entry && id.success ? { kind: 'entry', entryId: id.data } : ALL;
}

function decode(path: string): string[] {
	try {
		return path.split('/').map(decodeURIComponent);
	} catch {
		// A broken escape: the address was typed by hand and names nothing.
		return [];
	}
}
