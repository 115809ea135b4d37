import { type PlaceOf, type WatchedKind, WatchedPlace } from '../../../../src/domain/heartbeat.ts';
import type { Say } from '../../../ui/strings.tsx';

/** A place as it is typed: every field of every kind, so that changing the kind loses nothing. */
export interface PlaceDraft {
	readonly kind: WatchedKind;
	readonly url: string;
	readonly secretAddress: boolean;
	readonly path: string;
	readonly host: string;
	readonly port: string;
	readonly security: PlaceOf<'mailbox'>['security'];
	readonly user: string;
	readonly mailbox: string;
	readonly certificate: string;
	readonly service: PlaceOf<'issues'>['service'];
	readonly baseUrl: string;
	readonly repository: string;
	readonly server: string;
	readonly uri: string;
	/** A password or a token. */
	readonly secret: string;
}

const EMPTY: PlaceDraft = {
	kind: 'feed',
	url: '',
	secretAddress: false,
	path: '',
	host: '',
	port: '993',
	security: 'tls',
	user: '',
	mailbox: 'INBOX',
	certificate: '',
	service: 'github',
	baseUrl: '',
	repository: '',
	server: '',
	uri: '',
	secret: '',
};

export function emptyDraft(kind: WatchedKind): PlaceDraft {
	return { ...EMPTY, kind };
}

/** As it is now. A secret address is not known here: its field is empty. */
export function draftOf(place: WatchedPlace): PlaceDraft {
	const { kind } = place;
	switch (kind) {
		case 'feed':
		case 'page':
		case 'calendar':
			return { ...EMPTY, kind, url: place.secretAddress ? '' : place.url, secretAddress: place.secretAddress };
		case 'mailbox':
			return { ...EMPTY, ...place, port: String(place.port), certificate: place.certificate ?? '' };
		case 'issues':
			return { ...EMPTY, ...place, baseUrl: place.baseUrl ?? '' };
		default:
			return { ...EMPTY, ...place };
	}
}

export type PlaceProblems = Partial<Record<keyof PlaceDraft, string>>;

export interface TypedPlace {
	/** Absent while something is missing or wrong. */
	readonly place?: WatchedPlace;
	/** What goes into the secret store; absent where there is none, or what is stored stays. */
	readonly secret?: string;
	readonly problems: PlaceProblems;
}

/** What was typed, as a place. `before`: the one that is changed; what of it is secret stays unless it is typed anew. */
export function typedPlace(say: Say, draft: PlaceDraft, before?: WatchedPlace): TypedPlace {
	const raw = rawPlace(draft);
	const kept =
		before && draft.secretAddress && draft.url.trim() === '' && hidden(before) && before.kind === draft.kind ? before : undefined;
	if (kept) return { place: kept, problems: {} };
	const problems: Record<string, string> = {};
	for (const [field, value] of Object.entries(raw)) if (value === '') problems[field] = say('sources.field.needed');
	if (draft.kind === 'issues' && draft.service === 'gitea' && draft.baseUrl.trim() === '')
		problems.baseUrl = say('sources.field.baseUrlNeeded');
	if (draft.kind === 'mailbox' && draft.secret === '' && before?.kind !== 'mailbox') problems.secret = say('sources.field.needed');
	const parsed = WatchedPlace.safeParse(raw);
	for (const { path, message } of parsed.error?.issues ?? []) {
		const field = String(path[0]);
		problems[field] ??= field === 'port' ? say('sources.field.portBad') : message;
	}
	if (!parsed.success || Object.keys(problems).length > 0) return { problems };
	if (hidden(parsed.data)) return { ...hiddenAddress(parsed.data), problems };
	if (before?.kind === 'mailbox' && draft.secret === '' && isElsewhere(before, parsed.data))
		return { problems: { secret: say('sources.field.needed') } };
	return { place: parsed.data, ...(draft.secret !== '' && { secret: draft.secret }), problems };
}

/** Whether it is another source, which begins anew. How a mailbox is reached makes no other one of it. */
export function isElsewhere(before: WatchedPlace, after: WatchedPlace): boolean {
	if (before.kind !== 'mailbox' || after.kind !== 'mailbox') return JSON.stringify(before) !== JSON.stringify(after);
	return before.host !== after.host || before.user !== after.user || before.mailbox !== after.mailbox;
}

type AddressPlace = PlaceOf<'feed' | 'page' | 'calendar'>;

export function isAddress(place: WatchedPlace): place is AddressPlace {
	return place.kind === 'feed' || place.kind === 'page' || place.kind === 'calendar';
}

function hidden(place: WatchedPlace): place is AddressPlace {
	return isAddress(place) && place.secretAddress;
}

/** The place without its address, and the address as its secret. */
export function hiddenAddress(place: AddressPlace): { place: WatchedPlace; secret: string } {
	return { place: { ...place, url: new URL(place.url).origin, secretAddress: true }, secret: place.url };
}

function rawPlace({ kind, ...draft }: PlaceDraft): Record<string, unknown> {
	const trimmed = <K extends keyof typeof draft>(...fields: K[]) =>
		Object.fromEntries(fields.map((field) => [field, String(draft[field]).trim()]));
	switch (kind) {
		case 'feed':
		case 'page':
		case 'calendar':
			return { kind, ...trimmed('url'), secretAddress: draft.secretAddress };
		case 'folder':
		case 'calendar_file':
			return { kind, ...trimmed('path') };
		case 'mailbox': {
			const certificate = draft.certificate.replace(/[\s:]/g, '').toLowerCase();
			return {
				kind,
				...trimmed('host', 'user', 'mailbox'),
				port: Number(draft.port),
				security: draft.security,
				...(certificate !== '' && { certificate }),
			};
		}
		case 'issues': {
			const baseUrl = draft.baseUrl.trim();
			return { kind, service: draft.service, ...(baseUrl !== '' && { baseUrl }), ...trimmed('repository') };
		}
		case 'resource':
			return { kind, ...trimmed('server', 'uri') };
	}
}
