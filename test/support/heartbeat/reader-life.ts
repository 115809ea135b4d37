import type { PlaceOf, WatchedKind } from '../../../src/domain/heartbeat.ts';
import type { Json } from '../../../src/domain/json.ts';
import type { ReadItem, Reading, ReadRequest, SourceReader } from '../../../src/heartbeat/ports.ts';

/** One source with its cursor and what is known of it, as the store keeps them. */
export interface ReaderLife {
	/** What a reading would get that nothing came of yet. */
	read(more?: Partial<Pick<ReadRequest<WatchedKind>, 'limits' | 'signal' | 'secret' | 'glance'>>): Promise<Reading>;
	/** The transaction of a reading: its items that are not known yet, which it gives back. */
	keep(reading: Reading): ReadItem[];
	/** Reads and keeps until there is no more. */
	news(more?: Parameters<ReaderLife['read']>[0]): Promise<ReadItem[]>;
	cursor: Json;
	now: number;
}

export function readerLife<K extends WatchedKind>(
	reader: SourceReader<K>,
	place: PlaceOf<K>,
	given: { secret?: string; now?: number } = {},
): ReaderLife {
	const known = new Set<string>();
	const life: ReaderLife = {
		cursor: null,
		now: given.now ?? Date.now(),
		read: (more = {}) =>
			reader.read({
				place,
				cursor: structuredClone(life.cursor),
				secret: given.secret,
				known: (keys) => keys.some((key) => known.has(key)),
				now: life.now,
				signal: new AbortController().signal,
				limits: { maxBytes: 16_000_000, maxItems: 500 },
				...more,
			}),
		keep: (reading) => {
			const fresh = reading.items.filter(({ keys }) => !keys.some((key) => known.has(key)));
			for (const { keys } of reading.items) for (const key of keys) known.add(key);
			life.cursor = JSON.parse(JSON.stringify(reading.cursor)) as Json;
			return fresh;
		},
		news: async (more) => {
			const items: ReadItem[] = [];
			for (let round = 0; round < 200; round++) {
				const reading = await life.read(more);
				items.push(...life.keep(reading));
				if (!reading.more) return items;
			}
			throw new Error('it never comes to an end');
		},
	};
	return life;
}
