import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import type { Announce } from '../contract/announce.ts';
import type { LiveEvent, LiveItem } from '../contract/events.ts';

/** What is kept for readers that come back: events, and the UTF-16 units of text in them (about half the bytes). */
const KEPT_EVENTS = 20_000;
const KEPT_UNITS = 8 * 1024 * 1024;
/** A view that comes this soon after the start hears it from the start: also what the recovery scan found before it came. */
const START_MS = 60_000;

export interface Live {
	/** Names this life of the runtime. */
	readonly epoch: string;
	/** The number of the last event; 0 before the first. */
	seq(): number;
	readonly announce: Announce;
	/**
	 * A reader's stream (contract: `LiveItem`). It ends by `signal`, by `return`, and when the runtime closes. A reader is a
	 * number, not a queue: one that is slower than the buffer is long gets `ready` with `gap` again, in mid-stream.
	 */
	read(from: { epoch?: string | undefined; afterSeq?: number | undefined }, signal?: AbortSignal): AsyncGenerator<LiveItem, void, void>;
	close(): void;
}

export function createLive(options: { clock: Clock; keptEvents?: number; keptUnits?: number }): Live {
	const limits = { events: options.keptEvents ?? KEPT_EVENTS, units: options.keptUnits ?? KEPT_UNITS };
	const startedAt = options.clock.monotonic();
	const epoch = randomUUID();
	const kept = new Map<number, { event: LiveEvent; units: number }>();
	const sleepers = new Set<() => void>();
	let seq = 0;
	let oldest = 1;
	let units = 0;
	let closed = false;

	const wakeAll = (): void => {
		for (const wake of [...sleepers]) wake();
	};
	const announce: Announce = (event) => {
		if (closed) return;
		seq += 1;
		const size = textUnits(event);
		kept.set(seq, { event, units: size });
		units += size;
		// The newest always stays, however long it is.
		while (oldest < seq && (kept.size > limits.events || units > limits.units)) {
			units -= kept.get(oldest)?.units ?? 0;
			kept.delete(oldest);
			oldest += 1;
		}
		wakeAll();
	};

	async function* read(
		from: { epoch?: string | undefined; afterSeq?: number | undefined },
		signal?: AbortSignal,
	): AsyncGenerator<LiveItem, void, void> {
		const known = from.epoch === epoch && from.afterSeq !== undefined && from.afterSeq <= seq && from.afterSeq >= oldest - 1;
		const fromStart = oldest === 1 && options.clock.monotonic() - startedAt < START_MS;
		let cursor = known ? (from.afterSeq ?? seq) : fromStart ? 0 : seq;
		yield { type: 'ready', epoch, seq: cursor, gap: !known };
		while (!closed && !signal?.aborted) {
			if (cursor < oldest - 1) {
				cursor = seq;
				yield { type: 'ready', epoch, seq: cursor, gap: true };
				continue;
			}
			const next = kept.get(cursor + 1);
			if (next) {
				cursor += 1;
				yield { type: 'event', seq: cursor, event: next.event };
				continue;
			}
			await new Promise<void>((resolve) => {
				const wake = (): void => {
					sleepers.delete(wake);
					signal?.removeEventListener('abort', wake);
					resolve();
				};
				sleepers.add(wake);
				signal?.addEventListener('abort', wake);
			});
		}
	}

	return {
		epoch,
		seq: () => seq,
		announce,
		read,
		close() {
			closed = true;
			kept.clear();
			wakeAll();
		},
	};
}

/** UTF-16 units of all strings in a value, and a little for each field. */
function textUnits(value: unknown): number {
	if (typeof value === 'string') return value.length;
	if (typeof value !== 'object' || value === null) return 4;
	let sum = 8;
	for (const part of Object.values(value)) sum += textUnits(part);
	return sum;
}
