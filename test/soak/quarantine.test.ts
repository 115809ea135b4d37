import fc from 'fast-check';
import { test } from 'vitest';
import { openLives } from '../support/quarantine/lives.ts';
import { action, play } from '../support/quarantine/play.ts';

test('B1 B2 B3 B4 the same with a runtime that is a process, really killed: dozens of long orders', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 40 }), async (actions) => {
			await play(await openLives({ really: true }), actions);
		}),
		{ numRuns: Number(process.env.HEARTH_RUNS ?? 10), endOnFailure: true },
	);
});
