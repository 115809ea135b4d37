import { QueryObserver } from '@tanstack/react-query';
import { expect, onTestFinished, test } from 'vitest';
import { LiveQueries } from '../../../renderer/shell/live-queries.ts';

/** A view that shows what it was answered, and answers that the test gives. */
function shown() {
	const client = new LiveQueries({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } });
	const asked: { resolve: (answer: string) => void; reject: (error: Error) => void }[] = [];
	const queryFn = () => new Promise<string>((resolve, reject) => asked.push({ resolve, reject }));
	const observer = new QueryObserver(client, { queryKey: ['servers', 'list'], queryFn });
	onTestFinished(observer.subscribe(() => undefined));
	return { client, asked, data: () => observer.getCurrentResult().data };
}

test('what changed during the first question is asked for once more, and the newer answer is shown', async () => {
	const { client, asked, data } = shown();
	expect(asked).toHaveLength(1);
	const done = client.invalidateQueries({ queryKey: ['servers'] });
	expect(asked).toHaveLength(1);
	asked[0]?.resolve('none');
	await expect.poll(() => asked.length).toBe(2);
	expect(data()).toBe('none');
	asked[1]?.resolve('Notes');
	await done;
	expect(data()).toBe('Notes');
	await client.invalidateQueries({ queryKey: ['others'] });
	expect(asked).toHaveLength(2);
});

test('a first question that fails is not asked again by itself', async () => {
	const { client, asked, data } = shown();
	const done = client.invalidateQueries({ queryKey: ['servers'] });
	asked[0]?.reject(new Error('not now'));
	await done;
	expect([asked.length, data()]).toEqual([1, undefined]);
});
