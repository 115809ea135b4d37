import { FIRST_TRUST, LOW_TRUST, type WatchedKind, type WatchedPlace, type WatchedSource } from '../../../../src/domain/heartbeat.ts';
import type { IconName } from '../../../ui/icon.tsx';
import type { Say, StringId } from '../../../ui/strings.tsx';

export const KIND_ICONS: Record<WatchedKind, IconName> = {
	feed: 'feed',
	page: 'globe',
	folder: 'folder',
	mailbox: 'mail',
	issues: 'circle',
	calendar: 'calendar',
	calendar_file: 'calendar',
	resource: 'plug',
};

/** In the order in which they are offered. */
export const KINDS = [
	'feed',
	'page',
	'mailbox',
	'issues',
	'calendar',
	'folder',
	'calendar_file',
	'resource',
] as const satisfies readonly WatchedKind[];

/** Where it is, in one line. */
export function whereWords(say: Say, place: WatchedPlace): string {
	switch (place.kind) {
		case 'feed':
		case 'page':
		case 'calendar':
			return place.secretAddress ? say('sources.where.secret', { host: new URL(place.url).host }) : place.url;
		case 'folder':
		case 'calendar_file':
			return place.path;
		case 'mailbox':
			return say('sources.where.mailbox', { mailbox: place.mailbox, user: place.user, host: place.host });
		case 'issues':
			return say('sources.where.issues', {
				repository: place.repository,
				host: place.baseUrl ? new URL(place.baseUrl).host : 'github.com',
			});
		case 'resource':
			return say('sources.where.resource', { uri: place.uri, server: place.server });
	}
}

const HIGH_TRUST = 0.75;

/** How far the owner's decisions speak for it. */
export function trustWords({ trust, findings }: Pick<WatchedSource, 'trust' | 'findings'>): StringId {
	if (trust < LOW_TRUST) return 'sources.trust.low';
	if (trust === FIRST_TRUST && findings.approved + findings.rejected === 0) return 'sources.trust.unknown';
	return trust >= HIGH_TRUST ? 'sources.trust.high' : 'sources.trust.middle';
}

/** What was read of it and what came of that, in numbers; without what is nought. */
export function countWords(say: Say, { items, unread, findings }: Pick<WatchedSource, 'items' | 'unread' | 'findings'>): string {
	const of = (id: StringId, count: number): string[] => (count > 0 ? [say(id, { count })] : []);
	return [
		say('sources.counts', { items }),
		...of('sources.unread', unread),
		...of('sources.pending', findings.pending),
		...of('sources.approved', findings.approved),
		...of('sources.rejected', findings.rejected),
	].join(', ');
}
