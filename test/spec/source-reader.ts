import { describe, expect, test } from 'vitest';
import { HearthError } from '../../src/domain/errors.ts';
import { type PlaceOf, type WatchedItem, type WatchedKind, WatchedSourceId } from '../../src/domain/heartbeat.ts';
import { asJson, type Json } from '../../src/domain/json.ts';
import { isKnown, newestItems, takeIn } from '../../src/heartbeat/item-store.ts';
import type { Reading, ReadLimits, SourceReader } from '../../src/heartbeat/ports.ts';
import { insertSource } from '../../src/heartbeat/source-store.ts';
import { openIn, temporaryFolder } from '../support/storage/folders.ts';

/** A real source that a test can add to, of the kind that the reader reads. What it opens ends with the test. */
export interface ReaderStage<K extends WatchedKind> {
	readonly reader: SourceReader<K>;
	readonly place: PlaceOf<K>;
	readonly secret?: string | undefined;
	/** Something new, with exactly these words in its text; `name` is one word, of its own. */
	put(name: string, words: string): Promise<void>;
	/** All that is there gets other ids, or another order; its content stays. Absent where there is no such thing. */
	rename?(): Promise<void>;
	/** It can't be read for now: its server fails or is gone, its file is not there. */
	hide(): Promise<void>;
	show(): Promise<void>;
	/** What a reader could have changed of it. */
	contents(): Promise<unknown>;
}

const AT = Date.UTC(2026, 10, 30, 12);
const LIMITS: ReadLimits = { maxBytes: 4 * 1024 * 1024, maxItems: 100 };
const SOURCE = WatchedSourceId.parse('source-1');
const WORDS = 'The bridge over the river is shut until Friday, says the council.';

/** What each reader of the port keeps, shown on a real server, file or program. */
export function describeSourceReader<K extends WatchedKind>(name: string, open: () => Promise<ReaderStage<K>>): void {
	/** Reading as the quarantine does it. */
	async function start() {
		const stage = await open();
		const { reader, place, secret } = stage;
		const db = openIn(temporaryFolder());
		db.write((tx) =>
			insertSource(tx, {
				id: SOURCE,
				title: name,
				place,
				budget: { everyMinutes: 30, itemsPerDay: 500, findingsPerDay: 10 },
				trust: 0.5,
				createdAt: AT,
				fromNow: false,
			}),
		);
		let cursor: Json = null;
		const ask = (limits: Partial<ReadLimits> = {}, signal = new AbortController().signal): Promise<Reading> =>
			reader.read({
				place,
				secret,
				cursor,
				known: (keys) => isKnown(db.read, SOURCE, keys),
				now: AT,
				signal,
				limits: { ...LIMITS, ...limits },
			});
		const keep = ({ items, cursor: next }: Reading): number => {
			const taken = db.write((tx) => takeIn(tx, SOURCE, items, { now: AT, onlyKeys: false }));
			cursor = asJson(next);
			return taken;
		};
		const all = (): WatchedItem[] => newestItems(db.read, SOURCE, 200).toReversed();
		/** The names that were taken in, in order, each as often as it stands in an item. */
		const names = (): string[] => all().flatMap(({ text }) => text.match(/\bzz\w+/g) ?? []);
		const read = async (limits: Partial<ReadLimits> = {}): Promise<string[]> => {
			for (let round = 0; round < 50; round += 1) {
				const reading = await ask(limits);
				keep(reading);
				if (!reading.more) return names();
			}
			throw new Error('there is always more');
		};
		const setCursor = (value: Json): void => {
			cursor = value;
		};
		return { ...stage, ask, keep, read, all, names, setCursor };
	}

	describe(`source reader: ${name}`, () => {
		test('each item comes once, with its words, a key and the hash of what was fetched; nothing new brings nothing', async () => {
			const { put, ask, keep, read, all } = await start();
			await put('zzone', `zzone ${WORDS}`);
			await put('zztwo', `zztwo ${WORDS} Käse, 日本, 👩‍👧 and a hidden\u200bword.`);
			const reading = await ask();
			expect(reading.bytes).toBeGreaterThan(0);
			for (const { keys, fetchedHash } of reading.items) {
				expect(keys.length).toBeGreaterThan(0);
				expect(fetchedHash).toMatch(/^[0-9a-f]{64}$/);
			}
			keep(reading);
			const names = await read();
			expect(names).toContain('zzone');
			expect(new Set(names)).toEqual(new Set(['zzone', 'zztwo']));
			const texts = all()
				.map(({ text }) => text)
				.join('\n');
			expect(texts).toContain(WORDS);
			expect(texts).toContain('Käse, 日本, 👩‍👧 and a hidden\u200bword.');
			const before = all().length;
			await put('zzthree', `zzthree ${WORDS}`);
			expect(new Set(await read())).toEqual(new Set(['zzone', 'zztwo', 'zzthree']));
			expect(all().length).toBeGreaterThan(before);
			const after = all().length;
			await read();
			await read();
			expect(all()).toHaveLength(after);
		});

		test('a reading that was lost before it was kept is read again, whole', async () => {
			const { put, ask, keep, all } = await start();
			await put('zzone', `zzone ${WORDS}`);
			keep(await ask());
			await put('zztwo', `zztwo ${WORDS}`);
			const lost = await ask();
			const again = await ask();
			expect(again.items.map(({ keys }) => keys)).toEqual(lost.items.map(({ keys }) => keys));
			keep(again);
			const count = all().length;
			// What was lost comes after all: its keys are known.
			keep(lost);
			expect(all()).toHaveLength(count);
		});

		test('a cursor of another version: read from the beginning, nothing taken in twice', async () => {
			const { put, read, all, setCursor } = await start();
			await put('zzone', `zzone ${WORDS}`);
			await read();
			const count = all().length;
			for (const cursor of [{ version: 99, position: 'somewhere' }, 'text', 7, []] as Json[]) {
				setCursor(cursor);
				await read();
				expect(all()).toHaveLength(count);
			}
		});

		test('more than one reading may bring: all of it comes, a piece at a time', async () => {
			const { put, read } = await start();
			const names = Array.from({ length: 5 }, (_, at) => `zzn${at}`);
			for (const each of names) await put(each, `${each} ${WORDS}`);
			expect(new Set(await read({ maxItems: 2 }))).toEqual(new Set(names));
			await put('zzlast', `zzlast ${WORDS}`);
			expect(new Set(await read({ maxItems: 2 }))).toEqual(new Set([...names, 'zzlast']));
		});

		test('what gets other ids or another order is known all the same', async () => {
			const { put, read, all, rename } = await start();
			await put('zzone', `zzone ${WORDS}`);
			await put('zztwo', `zztwo ${WORDS}`);
			await read();
			const count = all().length;
			await rename?.();
			await read();
			expect(all()).toHaveLength(count);
		});

		test('S3 what can’t be read rejects in words without the secret, and is read on once it can be', async () => {
			const { put, read, ask, hide, show, secret } = await start();
			await put('zzone', `zzone ${WORDS}`);
			await read();
			await hide();
			const failure = await ask().then(
				() => undefined,
				(error: unknown) => error,
			);
			expect(failure).toBeInstanceOf(HearthError);
			expect((failure as HearthError).shape.message).toMatch(/\.$/);
			if (secret !== undefined) expect(JSON.stringify([failure, (failure as HearthError).shape, String(failure)])).not.toContain(secret);
			await show();
			await put('zztwo', `zztwo ${WORDS}`);
			expect(new Set(await read())).toEqual(new Set(['zzone', 'zztwo']));
		});

		test('a stopped reading rejects', async () => {
			const { put, ask } = await start();
			await put('zzone', `zzone ${WORDS}`);
			await expect(ask({}, AbortSignal.abort())).rejects.toMatchObject({ code: 'run_stopped' });
		});

		test('the source is never written to', async () => {
			const { put, read, contents } = await start();
			await put('zzone', `zzone ${WORDS}`);
			await put('zztwo', `zztwo ${WORDS}`);
			const before = await contents();
			await read();
			await read();
			expect(await contents()).toEqual(before);
		});
	});
}
