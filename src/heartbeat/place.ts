import type { WatchedPlace, WatchedSource } from '../domain/heartbeat.ts';
import { asJson, canonicalJson } from '../domain/json.ts';

/** Who is asked: one connection to each at a time. Undefined where nobody else is. */
export function hostOf(place: WatchedPlace): string | undefined {
	switch (place.kind) {
		case 'feed':
		case 'page':
		case 'calendar':
			return new URL(place.url).host;
		case 'mailbox':
			return `${place.host}:${place.port}`;
		case 'issues':
			return place.baseUrl === undefined ? place.service : new URL(place.baseUrl).host;
		case 'resource':
			return `server ${place.server}`;
		case 'folder':
		case 'calendar_file':
			return undefined;
	}
}

/** Whether its whole address is the secret, and the place knows its origin only. */
export function hidesAddress(place: WatchedPlace): place is Extract<WatchedPlace, { secretAddress: boolean }> {
	return 'secretAddress' in place && place.secretAddress;
}

/** The place as it may be kept and shown: of a secret address the origin. */
export function shownPlace(place: WatchedPlace): WatchedPlace {
	return hidesAddress(place) ? { ...place, url: new URL(place.url).origin } : place;
}

/** Where one reads that is the same as where another does. Of secret addresses only the origin is known. */
export function isSamePlace(a: WatchedSource['place'], b: WatchedSource['place']): boolean {
	return identity(a) === identity(b);
}

function identity(place: WatchedPlace): string {
	// How it is protected, or what port it came by, makes no other mailbox of it.
	if (place.kind === 'mailbox') return `mailbox ${place.host.toLowerCase()} ${place.user} ${place.mailbox}`;
	if ('url' in place) return `web ${new URL(place.url).href} ${place.secretAddress}`;
	return canonicalJson(asJson(place));
}
