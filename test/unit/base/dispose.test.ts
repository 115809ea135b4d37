import { expect, test } from 'vitest';
import { Disposables } from '../../../src/base/dispose.ts';

test('steps run once, in reverse order, each after the one before has ended', async () => {
	const order: string[] = [];
	const disposables = new Disposables();
	disposables.add(() => void order.push('first'));
	disposables.add(async () => {
		await Promise.resolve();
		order.push('second');
	});
	await Promise.all([disposables.dispose(), disposables.dispose()]);
	expect(order).toEqual(['second', 'first']);
});

test('a failing step does not keep the others from running, and its failure is told', async () => {
	const order: string[] = [];
	const disposables = new Disposables();
	disposables.add(() => void order.push('first'));
	disposables.add(() => {
		throw new Error('broken step');
	});
	await expect(disposables.dispose()).rejects.toThrow('broken step');
	expect(order).toEqual(['first']);
});

test('what is added after the end is undone at once', async () => {
	const disposables = new Disposables();
	await disposables.dispose();
	let late = false;
	disposables.add(() => {
		late = true;
	});
	await disposables.dispose();
	expect(late).toBe(true);
});
