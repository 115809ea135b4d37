import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Sequencer } from '../../src/base/sequencer.ts';

test('tasks of a key never overlap and run in the order of their calls, whatever they do', async () => {
	let mostAtOnce = 0;
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.record({ key: fc.constantFrom('a', 'b', 'c'), turns: fc.nat(4), fails: fc.boolean() }), { maxLength: 30 }),
			async (tasks) => {
				const sequencer = new Sequencer();
				const running = new Map<string, number>();
				const started = new Map<string, number[]>();
				const results = tasks.map((task, index) =>
					sequencer.run(task.key, async () => {
						started.set(task.key, [...(started.get(task.key) ?? []), index]);
						running.set(task.key, (running.get(task.key) ?? 0) + 1);
						expect(running.get(task.key)).toBe(1);
						mostAtOnce = Math.max(
							mostAtOnce,
							[...running.values()].reduce((sum, count) => sum + count, 0),
						);
						for (let turn = 0; turn < task.turns; turn++) await Promise.resolve();
						running.set(task.key, 0);
						if (task.fails) throw new Error(`task ${index}`);
						return index;
					}),
				);
				const outcomes = await Promise.allSettled(results);
				await sequencer.idle();
				outcomes.forEach((outcome, index) => {
					expect(outcome.status).toBe(tasks[index]?.fails ? 'rejected' : 'fulfilled');
				});
				for (const [key, order] of started) {
					expect(order).toEqual(tasks.flatMap((task, index) => (task.key === key ? [index] : [])));
				}
			},
		),
	);
	// The property would hold for a sequencer that ran everything one by one; keys do run beside each other.
	expect(mostAtOnce).toBeGreaterThan(1);
});
