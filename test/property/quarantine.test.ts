import fc from 'fast-check';
import { test } from 'vitest';
import { openLives } from '../support/quarantine/lives.ts';
import { action, play } from '../support/quarantine/play.ts';

test('B1 B2 B3 B4 in any order of looks, chats, compactions, crashes, restarts, approvals, rejections, forgetting and withdrawing, no quarantined byte is in a prompt, an index or a file', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(action, { minLength: 8, maxLength: 14 }), async (actions) => {
			await play(await openLives(), [{ kind: 'post', which: 0 }, { kind: 'look', which: 0 }, ...actions]);
		}),
		{ numRuns: 3, endOnFailure: true },
	);
});
