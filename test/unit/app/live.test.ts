import { describe, expect, test } from 'vitest';
import { createLive, type Live } from '../../../src/app/live.ts';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { LiveItem } from '../../../src/contract/events.ts';

/** A runtime that started long ago, so that newcomers begin at the present. */
function oldLive(limits: { keptEvents?: number; keptUnits?: number } = {}): Live {
	let now = 0;
	const clock: Clock = { now: () => now, monotonic: () => now };
	const live = createLive({ clock, ...limits });
	now = 10 * 60_000;
	return live;
}

async function take(stream: AsyncGenerator<LiveItem, void, void>, count: number): Promise<LiveItem[]> {
	const items: LiveItem[] = [];
	while (items.length < count) {
		const step = await stream.next();
		if (step.done) break;
		items.push(step.value);
	}
	return items;
}

const numbers = (items: LiveItem[]): (string | number)[] =>
	items.map((item) => (item.type === 'ready' ? `${item.gap ? 'gap' : 'ready'} ${item.seq}` : item.seq));

describe('the live stream', () => {
	test('a newcomer begins at the present, with a gap', async () => {
		const live = oldLive();
		live.announce({ type: 'config_changed' });
		const stream = live.read({});
		expect(numbers(await take(stream, 1))).toEqual(['gap 1']);
		live.announce({ type: 'models_changed' });
		expect(await take(stream, 1)).toEqual([{ type: 'event', seq: 2, event: { type: 'models_changed' } }]);
		await stream.return();
	});

	test('a view that comes right after the start hears what happened before it came', async () => {
		const live = createLive({ clock: systemClock });
		live.announce({ type: 'recovered', runs: [] });
		expect(numbers(await take(live.read({}), 2))).toEqual(['gap 0', 1]);
	});

	test('who comes back gets exactly what was missed', async () => {
		const live = oldLive();
		for (let index = 0; index < 5; index += 1) live.announce({ type: 'config_changed' });
		expect(numbers(await take(live.read({ epoch: live.epoch, afterSeq: 2 }), 4))).toEqual(['ready 2', 3, 4, 5]);
		expect(numbers(await take(live.read({ epoch: live.epoch, afterSeq: 5 }), 1))).toEqual(['ready 5']);
	});

	test('another epoch, a position from the future and one that is no longer kept are gaps', async () => {
		const live = oldLive({ keptEvents: 3 });
		for (let index = 0; index < 10; index += 1) live.announce({ type: 'config_changed' });
		expect(numbers(await take(live.read({ epoch: 'other', afterSeq: 9 }), 1))).toEqual(['gap 10']);
		expect(numbers(await take(live.read({ epoch: live.epoch, afterSeq: 11 }), 1))).toEqual(['gap 10']);
		expect(numbers(await take(live.read({ epoch: live.epoch, afterSeq: 6 }), 1))).toEqual(['gap 10']);
		expect(numbers(await take(live.read({ epoch: live.epoch, afterSeq: 7 }), 4))).toEqual(['ready 7', 8, 9, 10]);
	});

	test('a reader slower than the buffer is told of the gap in mid-stream and goes on with the present', async () => {
		const live = oldLive({ keptEvents: 3 });
		const stream = live.read({});
		expect(numbers(await take(stream, 1))).toEqual(['gap 0']);
		for (let index = 0; index < 10; index += 1) live.announce({ type: 'config_changed' });
		expect(numbers(await take(stream, 1))).toEqual(['gap 10']);
		live.announce({ type: 'config_changed' });
		expect(numbers(await take(stream, 1))).toEqual([11]);
		await stream.return();
	});

	test('long texts count: what is kept is bounded by their length, and the newest event always stays', async () => {
		const live = oldLive({ keptUnits: 5000 });
		const long = {
			type: 'health_changed',
			health: { state: 'ok', warnings: [{ kind: 'terminal', code: 'internal', message: 'x'.repeat(4000) }] },
		} as const;
		for (let index = 0; index < 3; index += 1) live.announce({ ...long, health: { ...long.health, warnings: [...long.health.warnings] } });
		expect(numbers(await take(live.read({ epoch: live.epoch, afterSeq: 1 }), 1))).toEqual(['gap 3']);
		expect(numbers(await take(live.read({ epoch: live.epoch, afterSeq: 2 }), 2))).toEqual(['ready 2', 3]);
	});

	test('ends by the signal, by the runtime closing, and leaves no waiter behind', async () => {
		const live = oldLive();
		const abort = new AbortController();
		const first = live.read({}, abort.signal);
		const second = live.read({});
		await take(first, 1);
		await take(second, 1);
		const firstEnd = first.next();
		const secondEnd = second.next();
		abort.abort();
		expect((await firstEnd).done).toBe(true);
		live.close();
		expect((await secondEnd).done).toBe(true);
		live.announce({ type: 'config_changed' });
		expect(live.seq()).toBe(0);
	});
});
