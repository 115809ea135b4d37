import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { inLanes } from '../../src/heartbeat/lanes.ts';
import { likeness, sketchOf } from '../../src/heartbeat/sketch.ts';
import { findSource } from '../../src/heartbeat/source-store.ts';
import { atom, type Entry, rss, startFeedServer } from '../support/heartbeat/feeds.ts';
import { NEVER_STOPPED, sourceLife } from '../support/heartbeat/sources.ts';
import { openIn, temporaryFolder } from '../support/storage/folders.ts';
import { setClock } from '../support/timers.ts';

const AT = Date.UTC(2026, 10, 30, 12);
const NOUNS = ['bridge', 'mill', 'school', 'council', 'river', 'garden', 'choir', 'bakery', 'library', 'orchard', 'tower', 'market'];
const VERBS = ['opens', 'closes', 'burns', 'wins', 'sings', 'moves', 'grows', 'falls', 'returns', 'waits', 'turns', 'begins'];

/** What an editor wrote; how the feed shows it changes. */
interface Post {
	readonly number: number;
	readonly hasId: boolean;
	readonly hasLink: boolean;
	/** Its words were corrected so often. */
	corrected: number;
}

const acts = fc.oneof(
	{
		weight: 5,
		arbitrary: fc.record({
			act: fc.constant('post' as const),
			hasId: fc.boolean(),
			hasLink: fc.boolean(),
			count: fc.integer({ min: 1, max: 4 }),
		}),
	},
	{ weight: 6, arbitrary: fc.constant({ act: 'read' as const }) },
	// The process is killed after the answer came, before it was kept.
	{ weight: 2, arbitrary: fc.constant({ act: 'killed' as const }) },
	{ weight: 1, arbitrary: fc.constant({ act: 'ids' as const }) },
	{ weight: 1, arbitrary: fc.constant({ act: 'links' as const }) },
	{ weight: 1, arbitrary: fc.constant({ act: 'sameIds' as const }) },
	{ weight: 1, arbitrary: fc.constant({ act: 'correct' as const }) },
	{ weight: 1, arbitrary: fc.constant({ act: 'format' as const }) },
	{ weight: 1, arbitrary: fc.record({ act: fc.constant('order' as const), seed: fc.nat(1_000) }) },
	{ weight: 1, arbitrary: fc.record({ act: fc.constant('twice' as const), nth: fc.nat(5) }) },
	{ weight: 1, arbitrary: fc.record({ act: fc.constant('window' as const), size: fc.integer({ min: 1, max: 12 }) }) },
);

test('whatever a feed does with its ids, links, order, doubles and window, and whenever Hearth is killed: each entry that could be read comes exactly once', async () => {
	const web = await startFeedServer();
	onTestFinished(() => web.close());
	const db = openIn(temporaryFolder());
	const life = sourceLife(db, { clock: setClock(AT) });
	let read = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(acts, { minLength: 5, maxLength: 25 }), async (script) => {
			db.write((tx) => tx.exec('DELETE FROM watched_sources'));
			const { id } = await life.add({ kind: 'feed', url: `${web.url}/feed`, secretAddress: false });
			const posts: Post[] = [];
			const readable = new Set<number>();
			const feed = { ids: 0, links: 0, sameIds: false, format: 0, seed: 0, window: 8, twice: -1 };
			const serve = (): Post[] => {
				const shown = posts.slice(-feed.window).toReversed();
				const ordered = feed.seed === 0 ? shown : shown.toSorted((a, b) => ((a.number * feed.seed) % 17) - ((b.number * feed.seed) % 17));
				const doubled = feed.twice < 0 ? ordered : [...ordered, ...ordered.slice(feed.twice, feed.twice + 1)];
				web.serve((feed.format % 2 === 0 ? rss : atom)(doubled.map((post) => entryOf(post, feed))));
				return shown;
			};
			const readNow = async (): Promise<void> => {
				for (const { number } of serve()) readable.add(number);
				expect(await life.reading.read(id, NEVER_STOPPED)).toMatchObject({ ok: true });
				read += 1;
			};
			for (const step of script) {
				switch (step.act) {
					case 'post':
						for (let at = 0; at < step.count; at += 1)
							posts.push({ number: posts.length, hasId: step.hasId, hasLink: step.hasLink, corrected: 0 });
						break;
					case 'read':
						await readNow();
						break;
					case 'killed': {
						serve();
						const source = findSource(db.read, id);
						await life.reading.look({ kind: 'feed', url: `${web.url}/feed`, secretAddress: false }, undefined, NEVER_STOPPED);
						expect(findSource(db.read, id)).toEqual(source);
						break;
					}
					case 'ids':
						feed.ids += 1;
						break;
					case 'links':
						feed.links += 1;
						break;
					case 'sameIds':
						feed.sameIds = true;
						break;
					case 'correct': {
						// One that is known by its id or its link; with neither, other words are another entry.
						await readNow();
						const post = posts.findLast(({ hasId, hasLink }) => hasLink && hasId);
						if (post && readable.has(post.number) && posts.slice(-feed.window).includes(post)) post.corrected += 1;
						await readNow();
						break;
					}
					case 'format':
						feed.format += 1;
						break;
					case 'order':
						feed.seed = step.seed;
						break;
					case 'twice':
						feed.twice = step.nth;
						break;
					case 'window':
						feed.window = step.size;
						break;
				}
			}
			await readNow();
			const taken = life.sources.items(id, 200).map(({ text }) => Number(/number (\d+)/.exec(text)?.[1]));
			expect(taken.toSorted((a, b) => a - b)).toEqual([...readable].toSorted((a, b) => a - b));
		}),
		{ numRuns: 30 },
	);
	expect(read).toBeGreaterThan(100);
});

function entryOf({ number, hasId, hasLink, corrected }: Post, feed: { ids: number; links: number; sameIds: boolean }): Entry {
	const [noun, verb] = [NOUNS[number % NOUNS.length], VERBS[(number * 5 + 3) % VERBS.length]];
	return {
		id: hasId ? (feed.sameIds ? 'the-paper' : `urn:${feed.ids}:${number}`) : undefined,
		link: hasLink ? `https://paper${feed.links}.example/${number}` : undefined,
		title: 'News',
		text: `The ${noun} ${verb}, says number ${number} of the paper; ${NOUNS[(number * 7) % 12]} ${VERBS[(number * 11) % 12]} and ${number * 31} people saw it.${' Corrected.'.repeat(corrected)}`,
		date: new Date(AT - (1_000 - number) * 60_000).toUTCString(),
	};
}

test('a sketch tells a corrected text from another one', () => {
	const words = fc.array(fc.constantFrom(...NOUNS.flatMap((noun) => VERBS.map((verb) => `${noun}${verb}`))), {
		minLength: 30,
		maxLength: 200,
	});
	fc.assert(
		fc.property(words, fc.nat(1_000), (list, at) => {
			const text = list.join(' ');
			expect(likeness(sketchOf(text), sketchOf(text.toUpperCase()))).toBe(1);
			const corrected = list.with(at % list.length, 'something').join(' ');
			expect(likeness(sketchOf(text), sketchOf(corrected))).toBeGreaterThan(0.5);
			expect(likeness(sketchOf(text), sketchOf(list.map((word) => `other${word}`).join(' ')))).toBeLessThan(0.35);
		}),
	);
});

test('lanes: everything is done once, so many at a time, those of one key one after the other, and a failure is told', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined }), { maxLength: 30 }),
			fc.integer({ min: 1, max: 5 }),
			async (keys, lanes) => {
				const items = keys.map((key, at) => ({ key, at }));
				const done: number[] = [];
				const busy = new Map<string | undefined, number>();
				let [now, most] = [0, 0];
				await inLanes(items, { lanes, keyOf: ({ key }) => key }, async ({ key, at }) => {
					most = Math.max(most, ++now);
					busy.set(key, (busy.get(key) ?? 0) + 1);
					if (key !== undefined) expect(busy.get(key)).toBe(1);
					await new Promise((resolve) => setImmediate(resolve));
					busy.set(key, (busy.get(key) ?? 0) - 1);
					now -= 1;
					done.push(at);
				});
				expect(done.toSorted((a, b) => a - b)).toEqual(items.map(({ at }) => at));
				expect(most).toBeLessThanOrEqual(lanes);
			},
		),
	);
	await expect(
		inLanes([1, 2, 3], { lanes: 1, keyOf: () => undefined }, async (item) => Promise.reject(new Error(`no ${item}`))),
	).rejects.toThrow('no 1');
});
