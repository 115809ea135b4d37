import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EmbeddingPort } from '../../src/embed/port.ts';

export const dot = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()): number =>
	a.reduce((sum, value, at) => sum + value * (b[at] ?? Number.NaN), 0);

const CAT = 'The cat sleeps on the warm mat';
const KITTEN = 'A kitten sleeps on a warm rug';
const TAX = 'Quarterly tax returns are due in April';

/** What every adapter of the embedding port keeps, shown with the real model or a server that speaks the real protocol. */
export function describeEmbeddingPort(name: string, open: () => EmbeddingPort): void {
	describe(`embedding port: ${name}`, () => {
		let port: EmbeddingPort;
		beforeEach(() => {
			port = open();
		});
		afterEach(() => port.close());

		test('one vector of unit length for each text, in order; near is what means the same', async () => {
			const [cat, tax, kitten] = await port.embed([CAT, TAX, KITTEN], 'document');
			for (const vector of [cat, tax, kitten]) {
				expect(vector).toHaveLength(port.dims ?? 0);
				expect(dot(vector, vector)).toBeCloseTo(1, 5);
			}
			expect(dot(cat, kitten)).toBeGreaterThan(dot(cat, tax));
		});

		test('the same text gives the same vector, whoever it is with', async () => {
			const [alone] = await port.embed([CAT], 'document');
			const many = await port.embed([...Array.from({ length: 70 }, (_, at) => `${TAX} ${at}`), CAT, KITTEN.repeat(40)], 'document');
			expect(many).toHaveLength(72);
			expect(many[70]).toEqual(alone);
		});

		test('nothing gives nothing', async () => {
			expect(await port.embed([], 'document')).toEqual([]);
		});

		test('odd and very long texts have vectors, too', async () => {
			const odd = ['x', '\u0000', '日本語のメモ', '👩‍👩‍👧', 'half an emoji \uD83D', 'word '.repeat(20_000), 'x'.repeat(50_000), '\n\t \n.'];
			for (const vector of await port.embed(odd, 'document')) expect(dot(vector, vector)).toBeCloseTo(1, 5);
		});

		test('a stopped call rejects at once, before or in the middle; others go on', async () => {
			await expect(port.embed([CAT], 'query', AbortSignal.abort())).rejects.toMatchObject({ code: 'run_stopped' });
			const stop = new AbortController();
			const stopped = port.embed(
				Array.from({ length: 300 }, (_, at) => `${CAT} ${at}`),
				'document',
				stop.signal,
			);
			const other = port.embed([TAX], 'query');
			stop.abort();
			await expect(stopped).rejects.toMatchObject({ code: 'run_stopped' });
			expect(await other).toHaveLength(1);
		});

		test('after close nothing is embedded, and what waits rejects', async () => {
			const waiting = port.embed(
				Array.from({ length: 300 }, (_, at) => `${CAT} ${at}`),
				'document',
			);
			const rejected = expect(waiting).rejects.toMatchObject({ code: 'run_stopped' });
			await port.close();
			await rejected;
			await expect(port.embed([CAT], 'query')).rejects.toMatchObject({ code: 'run_stopped' });
		});

		test('the same choice has the same id after a restart', async () => {
			const again = open();
			expect(again.id).toBe(port.id);
			await again.close();
		});
	});
}
