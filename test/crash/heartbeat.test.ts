import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import type { HeartbeatTick } from '../../src/domain/heartbeat.ts';
import { temporaryHome } from '../support/apps.ts';
import { liveOnce } from '../support/dying.ts';
import { rss, startFeedServer } from '../support/heartbeat/feeds.ts';
import { BINS, FAIR, NOON, prepareLooks, promptOf } from '../support/heartbeat/look-app.ts';
import type { LookLifeOptions } from '../support/heartbeat/look-life.ts';
import { says, startModelServer } from '../support/model-server/index.ts';
import { programOf } from '../support/program.ts';
import { seeded } from '../support/run/stage.ts';
import { some, stride } from '../support/thorough.ts';

const SCRIPT = programOf(fileURLToPath(new URL('../support/heartbeat/look-life.ts', import.meta.url)));

interface Said {
	ticks: HeartbeatTick[];
	found: string[];
	runs: string[];
	items: string[];
	timers: number;
}

const life = (options: LookLifeOptions) => liveOnce<Said>(SCRIPT, options);

const finding = (item: number, text: string, quote: string) => ({ kind: 'memory', item, text, why: 'You watch for it.', quotes: [quote] });
const ITEMS = 23;

/** A feed of more than one run's items, of which two are worth a finding; whatever is asked again is answered the same. */
async function stage() {
	const { profileFolder, remove } = temporaryHome();
	onTestFinished(remove);
	const [model, feed] = await Promise.all([startModelServer(), startFeedServer()]);
	onTestFinished(() => Promise.all([model.close(), feed.close()]).then(() => undefined));
	const others = Array.from({ length: ITEMS - 2 }, (_, number) => ({
		id: `${number}`,
		title: `Recipe ${number}`,
		text: `Take ${number} onions.`,
	}));
	// Newest first: the first run gets the fair, the second the bins.
	feed.serve(rss([BINS, ...others, FAIR]));
	model.script((request) => {
		const prompt = promptOf(request);
		const findings = prompt.includes('12 June')
			? [finding(1, 'The fair is on 12 June.', 'The fair takes place on 12 June')]
			: [finding(ITEMS - 20, 'The bins are emptied on Tuesdays from May on.', 'the bins are emptied on Tuesdays')];
		return says(JSON.stringify({ findings }));
	});
	const settings = { heartbeat: true, heartbeatMinutes: 30 };
	prepareLooks(profileFolder, { feedUrl: feed.url, modelUrl: model.openaiUrl, settings, at: NOON });
	return {
		life: (more: Pick<LookLifeOptions, 'die' | 'dieAfterMs'> = {}) => life({ profileFolder, at: NOON, ...more }),
		/** What must hold in the end, however often the process died on the way. */
		check: (said: Said | undefined) => {
			expect(said?.ticks).toMatchObject([{ by: 'schedule', slot: NOON, outcome: 'done', sources: 1, findings: 2, known: 0, overCap: 0 }]);
			expect(said?.found.toSorted()).toEqual(['The bins are emptied on Tuesdays from May on.', 'The fair is on 12 June.']);
			expect(said?.runs).toEqual(['done', 'done']);
			expect(said?.items).toEqual(Array.from({ length: ITEMS }, () => 'read'));
			expect(said?.timers).toBe(1);
		},
	};
}

const POINTS: { at: CrashPointName; every: number }[] = [
	{ at: 'timer.claimed', every: 1 },
	{ at: 'heartbeat.claimed', every: 1 },
	{ at: 'source.read', every: 1 },
	{ at: 'heartbeat.began', every: 1 },
	{ at: 'heartbeat.ended', every: 1 },
	{ at: 'proposal.held', every: 1 },
	{ at: 'heartbeat.found', every: 1 },
	{ at: 'run.finished', every: 1 },
	{ at: 'transaction.open', every: stride(2) },
	{ at: 'transaction.committed', every: stride(2) },
];

test.each(some(POINTS, ({ at }) => !['timer.claimed', 'run.finished', 'transaction.open'].includes(at)))(
	'R5 a look killed at $at, later in each life: its slot is claimed once, each item is considered once, each finding held once',
	async ({ at, every }) => {
		const on = await stage();
		for (let nth = 1; ; nth += every) {
			const { signal, said } = await on.life({ die: { at, nth } });
			if (signal !== null) continue;
			on.check(said);
			expect(nth, 'kills').toBeGreaterThan(1);
			return;
		}
	},
);

test('R5 a look killed at random times ends as if nothing had happened', async () => {
	const random = seeded();
	const on = await stage();
	for (let lives = 0; lives < 2; lives += 1) await on.life({ dieAfterMs: 300 + random() * 700 });
	on.check((await on.life()).said);
});
