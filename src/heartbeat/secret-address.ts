import type { ReadItem, Reading } from './ports.ts';

/** What a secret address brought must not tell it: its links may lie below it, and it may say where it has moved to (S3). Pure. */

/** A part of an address that nobody guesses: letters and digits, so many at the least. */
const SHORTEST_SECRET = 8;

export function withoutAddress(reading: Reading, address: string): Reading {
	const url = new URL(address);
	const secrets = secretParts(url);
	const tells = (text: string | undefined): boolean => text !== undefined && secrets.some((secret) => text.includes(secret));
	const bare = (text: string): string => text.replaceAll(url.href, url.origin).replaceAll(address, url.origin);
	const items = reading.items.map(
		(item): ReadItem => ({ ...item, title: bare(item.title), text: bare(item.text), url: tells(item.url) ? undefined : item.url }),
	);
	// The new address is a secret as the old one was.
	const isMoved = reading.note?.includes('://') === true;
	return { ...reading, items, ...(isMoved && { note: 'It has moved for good: enter its new address.' }) };
}

/** Path and query as a whole, and each part of them that looks like a key. */
function secretParts({ pathname, search, searchParams }: URL): string[] {
	const parts = [...pathname.split('/'), ...searchParams.values()];
	const keys = parts.filter((part) => part.length >= SHORTEST_SECRET && /\d/.test(part) && /\p{L}/u.test(part));
	const whole = `${pathname}${search}`;
	return whole.length > SHORTEST_SECRET ? [...keys, whole] : keys;
}
