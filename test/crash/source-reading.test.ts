import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { liveOnce } from '../support/dying.ts';
import { type Entry, rss, startFeedServer } from '../support/heartbeat/feeds.ts';
import type { SourceLifeOptions } from '../support/heartbeat/source-life.ts';
import { programOf } from '../support/program.ts';
import { temporaryFolder } from '../support/storage/folders.ts';
import { stride } from '../support/thorough.ts';

const SCRIPT = programOf(fileURLToPath(new URL('../support/heartbeat/source-life.ts', import.meta.url)));
const HOUR = 3_600_000;
/** More than one reading brings at once. */
const FIRST = 1_100;

interface Said {
	read: number;
	ok: boolean;
	titles: string[];
}

const life = (options: SourceLifeOptions) => liveOnce<Said>(SCRIPT, options);

const POINTS: { at: CrashPointName; every: number }[] = [
	{ at: 'source.read', every: 1 },
	{ at: 'transaction.open', every: stride(1) },
];

test.each(POINTS)(
	'B1 R5 sources killed at $at, later in each life, while their feeds go on: each entry comes exactly once',
	async ({ at, every }) => {
		const web = await startFeedServer();
		onTestFinished(() => web.close());
		const folder = temporaryFolder();
		const urls = [`${web.url}/feed`, `${web.url}/feed?again`];
		let entries: Entry[] = [];
		const publish = (count: number): void => {
			for (let added = 0; added < count; added += 1) {
				const number = entries.length;
				entries = [
					{ id: `urn:${number}`, title: `Number ${number}`, text: `Words of number ${number}, of which there is one.` },
					...entries,
				];
			}
			web.serve(rss(entries));
		};
		publish(FIRST);
		let now = Date.UTC(2026, 10, 30, 12);
		let kills = 0;
		for (let nth = 1; ; nth += every) {
			now += HOUR;
			const { said } = await life({ folder, urls, at: now, die: { at, nth } });
			if (!said) {
				kills += 1;
				publish(3);
				continue;
			}
			expect(said).toMatchObject({ ok: true });
			const each = entries.map(({ title }) => title).toSorted();
			expect(said.titles.toSorted()).toEqual([...each, ...each].toSorted());
			expect(kills).toBeGreaterThan(0);
			return;
		}
	},
);
