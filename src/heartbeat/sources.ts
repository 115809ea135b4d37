import type { Clock } from '../base/clock.ts';
import { newId } from '../base/ids.ts';
import type { SourcePreview } from '../contract/methods/heartbeat.ts';
import type { StateDb } from '../db/open.ts';
import { terminal } from '../domain/errors.ts';
import {
	FIRST_TRUST,
	type WatchedBudget,
	type WatchedItem,
	type WatchedPlace,
	type WatchedSource,
	WatchedSourceId,
	watchedSecret,
} from '../domain/heartbeat.ts';
import type { SecretKeeper } from '../domain/secret-port.ts';
import { type DiscoverDeps, discover, previewOf } from './discover.ts';
import { countItems, countItemsOf, forgetSeen, type ItemCounts, newestItems } from './item-store.ts';
import { hidesAddress, isSamePlace, shownPlace } from './place.ts';
import type { ReadOutcome, SourceReading } from './reading.ts';
import {
	getSource,
	insertSource,
	listSources,
	type StoredSource,
	setAnew,
	setHasSecret,
	setPaused,
	setPlace,
	setSource,
	sourceIds,
} from './source-store.ts';

export interface SourcesDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly secrets: SecretKeeper;
	readonly reading: SourceReading;
	readonly discover: Omit<DiscoverDeps, 'look' | 'now'>;
	/** Of each source that has any. */
	readonly findings: () => ReadonlyMap<string, WatchedSource['findings']>;
	readonly changed: () => void;
	/** There is something to read that was not there before. */
	readonly onAdded: () => void;
}

export interface AddSource {
	readonly title: string;
	readonly place: WatchedPlace;
	readonly budget: WatchedBudget;
	readonly secret?: string | undefined;
	readonly fromNow: boolean;
}

export interface UpdateSource {
	readonly sourceId: WatchedSourceId;
	readonly title?: string | undefined;
	readonly budget?: WatchedBudget | undefined;
	readonly place?: WatchedPlace | undefined;
	readonly secret?: string | undefined;
}

/** What the owner does with sources. Each secret is in the secret store before its source names it, and goes after it (S3). */
export interface Sources {
	list(): WatchedSource[];
	get(id: WatchedSourceId): WatchedSource;
	preview(what: { link: string } | { place: WatchedPlace }, secret: string | undefined, signal: AbortSignal): Promise<SourcePreview>;
	add(source: AddSource): Promise<WatchedSource>;
	update(source: UpdateSource): Promise<WatchedSource>;
	pause(id: WatchedSourceId, paused: boolean): WatchedSource;
	/** Reads it now, paused or not. Rejects with why it can't be read, which is its health then, too. */
	test(id: WatchedSourceId, signal: AbortSignal): Promise<ReadOutcome>;
	items(id: WatchedSourceId, limit: number): WatchedItem[];
	/** Of a source that is gone. */
	forgetSecret(id: WatchedSourceId): Promise<void>;
	/** Secrets of sources that a crash kept from being there, or from going whole. At the start. */
	sweepSecrets(): Promise<void>;
	/** Ends what it began by itself. */
	close(): Promise<void>;
}

const NO_ITEMS: ItemCounts = { items: 0, unread: 0 };
const NO_FINDINGS: WatchedSource['findings'] = { pending: 0, approved: 0, rejected: 0 };

export function createSources(deps: SourcesDeps): Sources {
	const { db, clock, secrets, reading } = deps;
	const closing = new AbortController();
	const underWay = new Set<Promise<unknown>>();
	const discovering: DiscoverDeps = { ...deps.discover, look: reading.look, now: () => clock.now() };

	const viewOf = (source: StoredSource, counts: ItemCounts): WatchedSource => {
		const { cursor: _, fromNow: __, hasSecret: ___, ...rest } = source;
		return { ...rest, ...counts, findings: deps.findings().get(source.id) ?? NO_FINDINGS };
	};
	const get = (id: WatchedSourceId): WatchedSource => viewOf(getSource(db.read, id), countItemsOf(db.read, id));

	/** Of secret addresses only the secrets tell which is which. */
	async function refuseTwice(place: WatchedPlace, secret: string | undefined, but?: WatchedSourceId): Promise<void> {
		for (const other of listSources(db.read)) {
			if (other.id === but || !isSamePlace(other.place, place)) continue;
			if (hidesAddress(place) && (await secrets.get(watchedSecret(other.id))) !== secret) continue;
			throw terminal('conflict', readsAlready(other.title), { safe: 'Nothing was changed.' });
		}
	}

	/** Before the owner has chosen anything for it. */
	function toldTwice(preview: SourcePreview): SourcePreview {
		const { place, note } = preview;
		const other = place && listSources(db.read).find((one) => !hidesAddress(one.place) && isSamePlace(one.place, place));
		return other ? { ...preview, note: [readsAlready(other.title), note].filter(Boolean).join(' ') } : preview;
	}

	async function keepSecret(id: WatchedSourceId, secret: string | undefined): Promise<void> {
		if (secret === undefined) return;
		if (secret === '') await secrets.remove(watchedSecret(id));
		else await secrets.set(watchedSecret(id), secret);
	}

	function readInBackground(id: WatchedSourceId): void {
		const done = reading
			.read(id, closing.signal)
			// What went wrong with the source is its health; a full disk is tried again with the next look.
			.catch(() => undefined)
			.finally(() => underWay.delete(done));
		underWay.add(done);
	}

	return {
		list: () => {
			const [counts, findings] = [countItems(db.read), deps.findings()];
			return listSources(db.read).map((source) => ({
				...viewOf(source, counts.get(source.id) ?? NO_ITEMS),
				findings: findings.get(source.id) ?? NO_FINDINGS,
			}));
		},
		get,
		preview: async (what, secret, signal) => {
			if ('link' in what) return toldTwice(await discover(discovering, what.link, secret, signal));
			const { place } = what;
			if (!hidesAddress(place)) return previewOf(discovering, place, secret, signal);
			const whole = withAddress(place, secret);
			return { ...(await previewOf(discovering, whole, undefined, signal)), place: shownPlace(whole) };
		},
		add: async ({ title, place: given, budget, secret, fromNow }) => {
			const place = shownPlace(given);
			if (hidesAddress(place)) withAddress(place, secret);
			await refuseTwice(place, secret);
			const id = newId<WatchedSourceId>();
			const hasSecret = secret !== undefined && secret !== '';
			if (hasSecret) await keepSecret(id, secret);
			const createdAt = clock.now();
			db.write((tx) => insertSource(tx, { id, title, place, budget, trust: FIRST_TRUST, createdAt, fromNow, hasSecret }));
			// What is new from now on is what is not there now.
			if (fromNow) readInBackground(id);
			deps.changed();
			deps.onAdded();
			return get(id);
		},
		update: async ({ sourceId: id, title, budget, place: given, secret }) => {
			const before = getSource(db.read, id);
			const place = given === undefined ? before.place : shownPlace(given);
			const isMoved = !isSamePlace(before.place, place);
			// A password is for the server that it was given for.
			const kept = isMoved ? (secret ?? '') : secret;
			if (hidesAddress(place) && kept !== undefined) withAddress(place, kept);
			if (isMoved || (hidesAddress(place) && kept !== undefined)) await refuseTwice(place, kept, id);
			await keepSecret(id, kept);
			db.write((tx) => {
				const now = getSource(tx, id);
				setSource(tx, id, { title: title ?? now.title, budget: budget ?? now.budget });
				const isOther = isMoved || (hidesAddress(place) && kept !== undefined);
				if (given !== undefined || isOther) setPlace(tx, id, place, isOther);
				if (isOther) forgetSeen(tx, id);
				if (kept !== undefined) setHasSecret(tx, id, kept !== '');
				if (given !== undefined || kept !== undefined) setAnew(tx, id, clock.now());
			});
			deps.changed();
			deps.onAdded();
			return get(id);
		},
		pause: (id, paused) => {
			db.write((tx) => {
				getSource(tx, id);
				setPaused(tx, id, paused, clock.now());
			});
			deps.changed();
			if (!paused) deps.onAdded();
			return get(id);
		},
		test: async (id, signal) => {
			getSource(db.read, id);
			const outcome = await reading.read(id, AbortSignal.any([signal, closing.signal]));
			if (!outcome) throw terminal('not_found', 'That source no longer exists.');
			if (outcome.error) throw outcome.error;
			return outcome;
		},
		items: (id, limit) => newestItems(db.read, getSource(db.read, id).id, limit),
		forgetSecret: async (id) => {
			const name = watchedSecret(id);
			if ((await secrets.names()).includes(name)) await secrets.remove(name);
		},
		sweepSecrets: async () => {
			const ids = sourceIds(db.read);
			for (const name of await secrets.names()) {
				const id = /^source:(.+)$/.exec(name)?.[1];
				if (id !== undefined && !ids.has(id)) await secrets.remove(watchedSecret(WatchedSourceId.parse(id)));
			}
		},
		close: async () => {
			closing.abort(terminal('run_stopped', 'Stopped.'));
			await Promise.all(underWay);
		},
	};
}

/** Throws `invalid_input` where the secret is no address of the place's own server. */
function withAddress<P extends WatchedPlace & { url: string }>(place: P, secret: string | undefined): P {
	if (secret === undefined || !URL.canParse(secret) || new URL(secret).origin !== new URL(place.url).origin)
		throw terminal('invalid_input', 'Give the whole secret address, of the same server.', { safe: 'Nothing was stored.' });
	return { ...place, url: secret };
}

function readsAlready(title: string): string {
	return `“${title}” reads this place already.`;
}
