import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LiveEvent, LiveItem } from '../../../src/contract/events.ts';
import { advance, type LivePosition } from '../../../src/contract/live-reader.ts';

const event: LiveEvent = { type: 'config_changed' };
const at = (seq: number): LiveItem => ({ type: 'event', seq, event });
const ready = (seq: number, gap: boolean, epoch = 'one'): LiveItem => ({ type: 'ready', epoch, seq, gap });
const position = (seq: number, epoch = 'one'): LivePosition => ({ epoch, seq });

describe('what an item of the live stream means', () => {
	test('the first reading takes snapshots', () => {
		expect(advance(undefined, ready(7, true))).toEqual({ position: position(7), outcome: { kind: 'snapshot' } });
		expect(advance(undefined, ready(7, false)).outcome).toEqual({ kind: 'snapshot' });
	});

	test('coming back without a gap goes on where it was', () => {
		expect(advance(position(5), ready(5, false))).toEqual({ position: position(5), outcome: { kind: 'resumed' } });
	});

	test('a gap, or another life of the runtime, takes snapshots anew', () => {
		expect(advance(position(5), ready(900, true))).toEqual({ position: position(900), outcome: { kind: 'snapshot' } });
		expect(advance(position(5), ready(5, false, 'two'))).toEqual({ position: position(5, 'two'), outcome: { kind: 'snapshot' } });
	});

	test('the next event is applied, an old one skipped, a hole takes snapshots', () => {
		expect(advance(position(5), at(6))).toEqual({ position: position(6), outcome: { kind: 'apply', seq: 6, event } });
		expect(advance(position(5), at(5))).toEqual({ position: position(5), outcome: { kind: 'skip' } });
		expect(advance(position(5), at(8))).toEqual({ position: position(8), outcome: { kind: 'snapshot' } });
		expect(advance(undefined, at(1)).outcome).toEqual({ kind: 'skip' });
	});

	test('whatever is repeated or lost, no event is applied twice and none is missed without a snapshot', () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 40 }), (order) => {
				let now: LivePosition | undefined = position(0);
				let covered = 0;
				const applied: number[] = [];
				for (const seq of order) {
					const { position: next, outcome } = advance(now, at(seq));
					now = next;
					if (outcome.kind === 'apply') {
						expect(outcome.seq).toBe(covered + 1);
						applied.push(outcome.seq);
						covered = outcome.seq;
					} else if (outcome.kind === 'snapshot') covered = seq;
					expect(now?.seq).toBe(covered);
				}
				expect(new Set(applied).size).toBe(applied.length);
			}),
		);
	});
});
