import { expect, test } from 'vitest';
import { EmbedQueue } from '../../../src/embed/queue.ts';

const vectorsFor = (texts: readonly string[]) => texts.map((text) => Float32Array.of(text.length));

test('batches are small in texts and in characters; a text of any length goes alone', async () => {
	const queue = new EmbedQueue({ texts: 3, chars: 10 });
	const call = queue.add(['aa', 'bb', 'cc', 'dd', 'e'.repeat(50), 'ff', 'g'.repeat(9)], 'document');
	const sizes: string[][] = [];
	for (let batch = queue.next(); batch; batch = queue.next()) {
		sizes.push([...batch.texts]);
		batch.fulfil(vectorsFor(batch.texts));
	}
	expect(sizes).toEqual([['aa', 'bb', 'cc'], ['dd'], ['e'.repeat(50)], ['ff'], ['g'.repeat(9)]]);
	expect((await call).map(([length]) => length)).toEqual([2, 2, 2, 2, 50, 2, 9]);
});

test('questions come between the batches of a document; calls of a kind keep their order', () => {
	const queue = new EmbedQueue({ texts: 2, chars: 100 });
	const take = () => {
		const batch = queue.next();
		batch?.fulfil(vectorsFor(batch.texts));
		return batch?.texts;
	};
	void queue.add(['d1', 'd2', 'd3'], 'document');
	void queue.add(['e1'], 'document');
	expect(take()).toEqual(['d1', 'd2']);
	void queue.add(['q1'], 'query');
	void queue.add(['q2'], 'query');
	expect([take(), take(), take(), take(), take()]).toEqual([['q1'], ['q2'], ['d3'], ['e1'], undefined]);
});

test('a stopped or failed call leaves, whatever of it is done or under way', async () => {
	const queue = new EmbedQueue({ texts: 1, chars: 100 });
	const stop = new AbortController();
	const stopped = queue.add(['a', 'b'], 'document', stop.signal);
	const failed = queue.add(['c', 'd'], 'document');
	const under = queue.next();
	stop.abort();
	await expect(stopped).rejects.toMatchObject({ code: 'run_stopped' });
	under?.fulfil(vectorsFor(under.texts));
	const next = queue.next();
	expect(next?.texts).toEqual(['c']);
	next?.fail(new Error('no'));
	await expect(failed).rejects.toThrow('no');
	expect(queue.next()).toBeUndefined();
});
