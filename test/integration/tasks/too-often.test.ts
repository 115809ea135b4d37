import { expect, test } from 'vitest';
import { MOST_FIRED } from '../../../src/tasks/too-often.ts';
import { temporaryStateDb } from '../../support/sessions.ts';
import { Machine } from '../../support/task-lives.ts';
import { tasksLife } from '../../support/tasks.ts';

test('a task that is fired again and again, as by what it does itself, is stopped in words, and goes on when the owner says so', async () => {
	const db = temporaryStateDb();
	const machine = new Machine(Date.parse('2026-06-01T09:55Z'));
	const life = await tasksLife(db, machine, { atOnce: 'done' });
	const when = { kind: 'trigger', trigger: { kind: 'signal', name: 'go' }, quietSeconds: 0 };
	const id = await life.add({ title: 'Loop', when, work: { kind: 'reminder', text: 'Again.' } });
	const fire = async (times: number) => {
		for (let n = 0; n < times; n++) {
			machine.pass(100);
			db.write((tx) => life.tasks.runner.fired(tx, id, { slot: machine.now(), cause: { name: 'go', label: 'owner', events: 1 } }));
			life.tasks.runner.look();
			await life.settle();
		}
	};
	const ran = () => life.rows(id).filter(({ state }) => state === 'done').length;
	await fire(MOST_FIRED);
	expect([ran(), life.view(id).state]).toEqual([MOST_FIRED, 'scheduled']);
	await fire(20);
	expect([ran(), life.view(id).state]).toEqual([MOST_FIRED, 'blocked']);
	expect(life.view(id).problem?.message).toMatch(/more than 120 times within an hour/);
	await life.tasks.resume(id);
	await fire(20);
	expect([ran(), life.view(id).problem]).toEqual([MOST_FIRED + 20, undefined]);
	// As often over a longer time is none of it.
	machine.pass(3_600_000);
	await fire(MOST_FIRED - 1);
	expect(life.view(id).problem).toBeUndefined();
});
