import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { liveOnce } from '../support/dying.ts';
import { programOf } from '../support/program.ts';
import { temporaryFolder } from '../support/sessions.ts';
import { stride } from '../support/thorough.ts';
import type { TriggerLifeOptions } from '../support/trigger-life.ts';

const SCRIPT = programOf(fileURLToPath(new URL('../support/trigger-life.ts', import.meta.url)));
const FILES = ['a.pdf', 'b.pdf'];

const life = (options: TriggerLifeOptions) => liveOnce<{ occurrences: string[][]; waiting: number }>(SCRIPT, options);

const POINTS: { at: CrashPointName; every: number }[] = [
	{ at: 'task.event', every: 1 },
	{ at: 'timer.claimed', every: 1 },
	{ at: 'transaction.open', every: stride(4) },
	{ at: 'transaction.committed', every: stride(4) },
];

test.each(POINTS)('R5 killed at $at, later in each life: each file that came is an event of one run', async ({ at, every }) => {
	const home = realpathSync(temporaryFolder());
	let kills = 0;
	for (let nth = 1; ; nth += every) {
		const { signal, said } = await life({ home, files: FILES, die: { at, nth } });
		if (signal !== null) {
			kills += 1;
			continue;
		}
		expect(said?.occurrences.flat().toSorted()).toEqual(FILES);
		expect(said?.waiting).toBe(0);
		break;
	}
	expect(kills).toBeGreaterThan(0);
});
