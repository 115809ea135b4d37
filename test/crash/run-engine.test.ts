import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { says } from '../support/model-server/index.ts';
import { inBatches, type Life } from '../support/run/lives.ts';
import { checkWork, messages, seeded, stage, times } from '../support/run/stage.ts';
import { readLedger } from '../support/test-tools.ts';
import { some, stride } from '../support/thorough.ts';

const POINTS: CrashPointName[] = [
	'transaction.open',
	'transaction.committed',
	'chat.accepted',
	'journal.before_append',
	'journal.appended',
	'step.started',
	'effect.done',
	'stream.flushed',
	'interrupt.opened',
	'interrupt.answered',
	'run.finished',
];

const OFTEN = [
	'transaction.committed',
	'journal.appended',
	'step.started',
	'effect.done',
	'stream.flushed',
	'interrupt.opened',
	'run.finished',
];

test.each(some(POINTS, (at) => OFTEN.includes(at)))('R1 R2 killed at %s, later in each life: nothing lost, nothing twice', async (at) => {
	const on = await stage();
	const lives: Life[] = [];
	// A turn has many events and transactions: some are places to die here, random times hit the others.
	const every = at.startsWith('journal') || at.startsWith('transaction') ? stride(4) : stride(1);
	for (let nth = 1; nth <= 60; nth += every) {
		const life = await on.life({ die: { at, nth } });
		lives.push(life);
		expect(life.stderr).toBe('');
		if (life.signal !== 'SIGKILL') break;
	}
	expect(lives.filter((life) => life.signal === 'SIGKILL').length, 'kills').toBeGreaterThan(0);
	expect(lives.at(-1)).toMatchObject({ code: 0, signal: null });
	checkWork(on, lives);
});

test('dur-3 R2 killed inside an effect: the owner is asked, with tool, arguments and time; the effect is not repeated', async () => {
	const on = await stage();
	// The effectful tool is the third to run.
	await on.life({ die: { at: 'effect.done', nth: 3 } });
	expect(readLedger(join(on.folder, 'ledger.jsonl')).filter((line) => line.tool === 'test_effectful')).toHaveLength(1);
	const asked = await on.life({ questions: 'leave' });
	expect(asked.code).toBe(0);
	const [, waiting] = messages(on.folder);
	expect(waiting?.status).toBe('waiting');
	expect(waiting?.parts.filter((part) => part.type === 'tool').at(-1)).toMatchObject({ tool: 'test_effectful', status: 'unknown' });
	const last = await on.life();
	expect(times([last], 'asked', 'did_it_happen')).toBe(1);
	checkWork(on, [asked, last]);
});

test('R2 killed before an effect that was already announced: the owner says run again, and it happens once', async () => {
	const on = await stage();
	// Starts of steps: model, pure, idempotent, model, effectful.
	const first = await on.life({ die: { at: 'step.started', nth: 5 } });
	expect(readLedger(join(on.folder, 'ledger.jsonl')).some((line) => line.tool === 'test_effectful')).toBe(false);
	const last = await on.life();
	expect(times([last], 'asked', 'did_it_happen')).toBe(1);
	checkWork(on, [first, last]);
});

test('R3 an approval survives restarts and weeks, at no cost: nothing runs, then one answer lets it go on', async () => {
	const on = await stage();
	const WEEK = 7 * 24 * 3_600_000;
	for (const weeks of [0, 1, 3]) {
		const life = await on.life({ questions: 'leave', clockOffsetMs: weeks * WEEK });
		expect(life.lines.at(-1)).toEqual({ what: 'over', status: 'waiting' });
	}
	expect(on.server.log.requests).toHaveLength(2);
	// dur-6: the clock has jumped back in between; the order of steps does not depend on it.
	const last = await on.life({ clockOffsetMs: -2 * 3_600_000 });
	expect(last.lines.at(-1)).toEqual({ what: 'over', status: 'done' });
	checkWork(on, [last]);
});

test('R1 killed in mid-stream: the text stays, marked interrupted, no call is repeated by itself; Continue completes it', async () => {
	const on = await stage();
	const words = Array.from({ length: 60 }, (_, index) => `word${index} `).join('');
	on.server.script((request) => {
		const isContinue = JSON.stringify(request.body).includes('Your reply above was cut off');
		return isContinue ? says(' the end.') : inBatches(words, 6);
	});
	await on.life({ die: { at: 'stream.flushed', nth: 4 } });
	const left = await on.life({ interrupted: 'leave' });
	expect(left.lines.at(-1)).toEqual({ what: 'over', status: 'interrupted' });
	const [, cut] = messages(on.folder);
	expect(cut).toMatchObject({ status: 'interrupted', error: { code: 'run_interrupted' } });
	const text = cut?.parts[0]?.type === 'text' ? cut.parts[0].text : '';
	expect(text.length).toBeGreaterThan(20);
	expect(words.startsWith(text)).toBe(true);
	expect(on.server.log.requests).toHaveLength(1);
	await on.life({ interrupted: 'continue' });
	expect(messages(on.folder)[1]).toMatchObject({ status: 'complete', parts: [{ type: 'text' }] });
	expect(on.server.log.requests).toHaveLength(2);
});

test('R1 R2 killed at random times: nothing lost, nothing twice', async () => {
	const random = seeded();
	const on = await stage();
	const lives: Life[] = [];
	for (let number = 0; number < 40; number += 1) {
		const after = number < 8 ? random() * 800 : Number.POSITIVE_INFINITY;
		const life = await on.life({}, (child, line) => {
			if (line.what === 'up' && Number.isFinite(after)) setTimeout(() => child.kill('SIGKILL'), after);
		});
		lives.push(life);
		if (life.signal !== 'SIGKILL') break;
	}
	expect(lives.at(-1)).toMatchObject({ code: 0, signal: null });
	checkWork(on, lives);
});
