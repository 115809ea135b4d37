import { expect, test } from 'vitest';
import type { Life } from '../support/run/lives.ts';
import { checkWork, seeded, stage } from '../support/run/stage.ts';

/** `HEARTH_KILLS` kills, 500 where it is not set, spread over as many turns as they need. */
test('R1 R2 hundreds of kills at random times: nothing lost, nothing twice', async () => {
	const random = seeded();
	const kills = Number(process.env.HEARTH_KILLS ?? 500);
	let killed = 0;
	while (killed < kills) {
		const on = await stage();
		const lives: Life[] = [];
		for (;;) {
			const after = lives.length < 12 ? random() * 900 : undefined;
			const life = await on.life({}, (child, line) => {
				if (after !== undefined && line.what === 'up') setTimeout(() => child.kill('SIGKILL'), after);
			});
			lives.push(life);
			if (life.signal !== 'SIGKILL') break;
			killed += 1;
		}
		expect(lives.at(-1)).toMatchObject({ code: 0, signal: null });
		checkWork(on, lives);
	}
});
