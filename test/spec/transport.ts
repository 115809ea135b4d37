import { describe, expect, test } from 'vitest';
import type { Transport } from '../../src/contract/transport.ts';

export interface TransportPair {
	left: Transport;
	right: Transport;
	/** Ends what carries them. */
	dispose(): void | Promise<void>;
}

/** What every transport promises (see `Transport`), for each adapter to pass. */
export function describeTransport(name: string, open: () => Promise<TransportPair>): void {
	describe(`transport: ${name}`, () => {
		const withPair = async (work: (pair: TransportPair) => Promise<void>): Promise<void> => {
			const pair = await open();
			try {
				await work(pair);
			} finally {
				pair.left.close();
				pair.right.close();
				await pair.dispose();
			}
		};

		test('text and bytes arrive whole, unchanged and in order, both ways', () =>
			withPair(async ({ left, right }) => {
				const sent = ['a', '', 'ünï 漢字 🙂\u0000\n', 'x'.repeat(3_000_000), new Uint8Array([0, 255, 10, 13]), 'last'];
				for (const [from, to] of [
					[left, right],
					[right, left],
				] as const) {
					const got = collect(to, sent.length);
					for (const message of sent) from.post(message);
					expect((await got).map(plain)).toEqual(sent.map(plain));
				}
			}));

		test('a thousand messages keep their order', () =>
			withPair(async ({ left, right }) => {
				const got = collect(right, 1000);
				for (let index = 0; index < 1000; index += 1) left.post(String(index));
				expect(await got).toEqual(Array.from({ length: 1000 }, (_, index) => String(index)));
			}));

		test('a view on larger memory sends its own bytes only', () =>
			withPair(async ({ left, right }) => {
				const got = collect(right, 1);
				left.post(new Uint8Array([1, 2, 3, 4, 5]).subarray(1, 3));
				expect((await got).map(plain)).toEqual([[2, 3]]);
			}));

		test('what arrives before anyone listens waits', () =>
			withPair(async ({ left, right }) => {
				left.post('early');
				await new Promise((resolve) => setTimeout(resolve, 30));
				expect(await collect(right, 1)).toEqual(['early']);
			}));

		test('what was posted before close still arrives; both sides hear the end once', () =>
			withPair(async ({ left, right }) => {
				const ends = { left: 0, right: 0 };
				left.onClose(() => {
					ends.left += 1;
				});
				const rightEnded = new Promise<void>((resolve) =>
					right.onClose(() => {
						ends.right += 1;
						resolve();
					}),
				);
				const got = collect(right, 1);
				left.post('goodbye');
				left.close();
				left.close();
				expect(await got).toEqual(['goodbye']);
				await rightEnded;
				right.close();
				await new Promise((resolve) => setTimeout(resolve, 30));
				expect(ends).toEqual({ left: 1, right: 1 });
			}));

		test('post after close is ignored, and a late listener still hears of the end', () =>
			withPair(async ({ left, right }) => {
				left.close();
				left.post('too late');
				await new Promise<void>((resolve) => right.onClose(resolve));
				right.post('too late');
				await new Promise<void>((resolve) => right.onClose(resolve));
			}));
	});
}

function collect(transport: Transport, count: number): Promise<(string | Uint8Array)[]> {
	return new Promise((resolve) => {
		const got: (string | Uint8Array)[] = [];
		transport.onMessage((message) => {
			got.push(message);
			if (got.length === count) resolve(got);
		});
	});
}

function plain(message: string | Uint8Array): string | number[] {
	return typeof message === 'string' ? message : [...message];
}
