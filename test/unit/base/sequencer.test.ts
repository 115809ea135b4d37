import { expect, test } from 'vitest';
import { Sequencer } from '../../../src/base/sequencer.ts';

function gate() {
	let open = () => {};
	const passed = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { open, passed };
}

test('tasks of one key wait for each other, tasks of another key do not', async () => {
	const sequencer = new Sequencer();
	const first = gate();
	const order: string[] = [];
	const a1 = sequencer.run('a', async () => {
		await first.passed;
		order.push('a1');
	});
	const a2 = sequencer.run('a', () => void order.push('a2'));
	await sequencer.run('b', () => void order.push('b1'));
	expect(order).toEqual(['b1']);
	first.open();
	await Promise.all([a1, a2]);
	expect(order).toEqual(['b1', 'a1', 'a2']);
});

test('a task that fails rejects its own call and lets the next one run', async () => {
	const sequencer = new Sequencer();
	const failing = sequencer.run('a', () => {
		throw new Error('no');
	});
	const next = sequencer.run('a', () => 'yes');
	await expect(failing).rejects.toThrow('no');
	expect(await next).toBe('yes');
});

test('idle waits for tasks that are added while it waits', async () => {
	const sequencer = new Sequencer();
	let done = false;
	void sequencer.run('a', () => {
		void sequencer.run('a', () => {
			done = true;
		});
	});
	await sequencer.idle();
	expect(done).toBe(true);
});
