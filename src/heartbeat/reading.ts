import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { Logger } from '../base/logger.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { StateDb, WriteDb } from '../db/open.ts';
import { HearthError, needsOwner, retryable, toErrorShape } from '../domain/errors.ts';
import { type WatchedPlace, type WatchedSourceId, watchedSecret } from '../domain/heartbeat.ts';
import type { SecretReader } from '../domain/secret-port.ts';
import { countUnreadOf, isKnown, takeIn } from './item-store.ts';
import { inLanes } from './lanes.ts';
import type { SourceRead, SourcesForLook } from './look-ports.ts';
import { hidesAddress, hostOf } from './place.ts';
import type { Reading, ReadLimits, ReadRequest } from './ports.ts';
import { type Readers, readerOf } from './readers.ts';
import { afterFailure, afterReading } from './schedule.ts';
import { withoutAddress } from './secret-address.ts';
import { dueSources, findSource, listSources, type StoredSource, setFailed, setRead } from './source-store.ts';

export interface ReadingDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly secrets: SecretReader;
	readonly readers: Readers;
	/** 0 to 1, for the jitter. */
	readonly chance: () => number;
	/** Sources were read. */
	readonly changed: () => void;
}

/** What is written down once all that is due was read. */
type Later = ((tx: WriteDb) => void)[];

/** How one reading went. */
export interface ReadOutcome extends SourceRead {
	readonly bytes: number;
	readonly ms: number;
	/** Why it could not be read. */
	readonly error?: HearthError | undefined;
}

export interface SourceReading {
	/** Reads one now, due or not; null where there is no such source any more. Rejects with storage errors and with `run_stopped` only. */
	read(id: WatchedSourceId, signal: AbortSignal): Promise<ReadOutcome | null>;
	/** See `SourcesForLook`. */
	readDue(options: Parameters<SourcesForLook['readDue']>[0]): Promise<ReadOutcome[]>;
	/** Reads a place of which nothing is kept. Rejects as readers do. */
	look(place: WatchedPlace, secret: string | undefined, signal: AbortSignal): Promise<Reading>;
}

const LIMITS: ReadLimits = { maxBytes: 16 * 1024 * 1024, maxItems: 500 };
/** Readings of one source in a row, where one does not bring all that is there. */
const MOST_ROUNDS = 20;
/** A source of which so many items wait for a look brings no more until some are looked at. */
const MOST_UNREAD = 5_000;
const LANES = 4;

/** Reads sources into the quarantine: what one brings, and how far it was read, are one transaction. */
export function createReading(deps: ReadingDeps): SourceReading {
	const { db, clock, logger } = deps;
	const hosts = new Sequencer();
	const alone = <T>(id: string, place: WatchedPlace, work: () => Promise<T>): Promise<T> => hosts.run(hostOf(place) ?? id, work);

	async function readOnce(source: StoredSource, signal: AbortSignal, later?: Later): Promise<{ reading: Reading; items: number }> {
		const { place, secret } = await wholePlace(deps.secrets, source);
		const whole = await ask(deps.readers, {
			place,
			secret,
			cursor: source.cursor,
			known: (keys) => isKnown(db.read, source.id, keys),
			now: clock.now(),
			signal,
			limits: LIMITS,
		});
		const reading = hidesAddress(place) ? withoutAddress(whole, place.url) : whole;
		if (later && reading.items.length === 0) {
			later.push((tx) => void keep(tx, source, reading));
			return { reading, items: 0 };
		}
		const items = db.write((tx) => keep(tx, source, reading));
		crashPoint('source.read');
		return { reading, items };
	}

	/** What it brought, its cursor, its health, when it is read next: all or nothing, and nothing where the source became another meanwhile. */
	function keep(tx: WriteDb, source: StoredSource, reading: Reading): number {
		const now = clock.now();
		const next = afterReading({ now, budget: source.budget, chance: deps.chance() }, reading.note);
		if (!isAsBefore(findSource(tx, source.id), source)) return 0;
		const taken = takeIn(tx, source.id, reading.items, { now, onlyKeys: source.fromNow });
		setRead(tx, source.id, { ...next, cursor: reading.cursor, readAt: now, fromNow: source.fromNow && reading.more });
		return source.fromNow ? 0 : taken;
	}

	/** In one transaction: that nothing is new is not worth one each. */
	function keepAll(later: Later): void {
		if (later.length === 0) return;
		db.write((tx) => {
			for (const change of later) change(tx);
		});
		later.length = 0;
		crashPoint('source.read');
	}

	function fail(source: StoredSource, error: unknown): HearthError {
		const known = error instanceof HearthError ? error : new HearthError(toErrorShape(error));
		if (!(error instanceof HearthError)) logger.error('source_failed', { kind: source.place.kind, error });
		const next = afterFailure({ now: clock.now(), budget: source.budget, chance: deps.chance() }, source.health, known.shape);
		db.write((tx) => {
			if (isAsBefore(findSource(tx, source.id), source)) setFailed(tx, source.id, next);
		});
		return known;
	}

	async function readAll(id: WatchedSourceId, signal: AbortSignal, later?: Later): Promise<ReadOutcome | null> {
		const began = clock.monotonic();
		let [items, bytes] = [0, 0];
		for (let round = 0; round < MOST_ROUNDS; round += 1) {
			const source = findSource(db.read, id);
			if (!source) return null;
			const done = (error?: HearthError): ReadOutcome => ({
				sourceId: id,
				ok: error === undefined,
				items,
				bytes,
				ms: clock.monotonic() - began,
				error,
			});
			if (countUnreadOf(db.read, id) >= MOST_UNREAD) return done(backlog(source));
			let once: { reading: Reading; items: number };
			try {
				once = await readOnce(source, signal, later);
			} catch (error) {
				if (signal.aborted) throw error;
				return done(fail(source, error));
			}
			items += once.items;
			bytes += once.reading.bytes;
			if (!once.reading.more) return done();
		}
		return { sourceId: id, ok: true, items, bytes, ms: clock.monotonic() - began };
	}

	function backlog(source: StoredSource): HearthError {
		return fail(
			source,
			retryable('source_unreadable', `${MOST_UNREAD.toLocaleString('en')} of its items wait to be looked at.`, {
				action: 'Allow more items a day, or another way to look.',
			}),
		);
	}

	async function read(id: WatchedSourceId, signal: AbortSignal, later?: Later): Promise<ReadOutcome | null> {
		const source = findSource(db.read, id);
		return source ? alone(id, source.place, () => readAll(id, signal, later)) : null;
	}

	return {
		read: async (id, signal) => {
			const outcome = await read(id, signal);
			deps.changed();
			return outcome;
		},
		readDue: async ({ signal, only, early = false }) => {
			const ids = new Set<string>(only === undefined ? dueSources(db.read, clock.now(), early) : [only]);
			const sources = listSources(db.read).filter(({ id }) => ids.has(id));
			const outcomes: ReadOutcome[] = [];
			const later: Later = [];
			try {
				await inLanes(sources, { lanes: LANES, keyOf: ({ id, place }) => hostOf(place) ?? id }, async ({ id }) => {
					signal.throwIfAborted();
					const outcome = await read(id, signal, later);
					if (outcome) outcomes.push(outcome);
				});
			} finally {
				keepAll(later);
				if (sources.length > 0) deps.changed();
			}
			return outcomes;
		},
		look: (place, secret, signal) =>
			alone('preview', place, () =>
				ask(deps.readers, {
					place,
					secret,
					cursor: null,
					known: () => false,
					now: clock.now(),
					signal,
					limits: { ...LIMITS, maxItems: 200 },
					glance: true,
				}),
			),
	};
}

function ask(readers: Readers, request: Omit<ReadRequest<WatchedPlace['kind']>, 'place'> & { place: WatchedPlace }): Promise<Reading> {
	return readerOf(readers, request.place.kind).read(request);
}

/** Nobody changed where it is, and nobody else read it meanwhile. */
function isAsBefore(now: StoredSource | undefined, then: StoredSource): boolean {
	return now !== undefined && JSON.stringify([now.place, now.cursor]) === JSON.stringify([then.place, then.cursor]);
}

/** With its secret, which is read at the moment of use (S3). */
async function wholePlace(
	secrets: SecretReader,
	{ id, place, hasSecret }: StoredSource,
): Promise<{ place: WatchedPlace; secret: string | undefined }> {
	const secret = hasSecret ? await secretOf(secrets, id) : undefined;
	if (!hidesAddress(place)) return { place, secret };
	if (secret === undefined)
		throw needsOwner('unauthorised', 'Its secret address is missing.', { action: 'Edit the source and enter the address anew.' });
	return { place: { ...place, url: secret }, secret: undefined };
}

async function secretOf(secrets: SecretReader, id: WatchedSourceId): Promise<string | undefined> {
	try {
		return await secrets.get(watchedSecret(id));
	} catch (error) {
		// It is read again by itself once the store is open.
		if (error instanceof HearthError) throw new HearthError({ ...error.shape, kind: 'retryable' }, { cause: error });
		throw error;
	}
}
