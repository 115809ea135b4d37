import { expect, test } from 'vitest';
import { noticesOf, type TaskTold } from '../../../renderer/shell/task-notice.ts';
import { OccurrenceId, TaskId } from '../../../src/domain/task.ts';

const told = (name: string, what: TaskTold['what']): TaskTold => ({
	type: 'task_told',
	taskId: TaskId.parse(`task-${name}`),
	occurrenceId: OccurrenceId.parse(name),
	title: name,
	what,
});
const words = (...burst: TaskTold[]) =>
	noticesOf(burst).map((notice) => (notice.kind === 'one' ? `${notice.told.title} ${notice.told.what}` : `${notice.count} missed`));

test('each task says its own, in order', () => {
	expect(words(told('a', 'result'), told('b', 'failed'), told('c', 'missed'))).toEqual(['a result', 'b failed', 'c missed']);
	expect(words()).toEqual([]);
});

test('one that has stopped does not also say that it failed', () => {
	expect(words(told('a', 'failed'), told('a', 'blocked'), told('b', 'failed'))).toEqual(['a blocked', 'b failed']);
});

test('sch-4 after a night away there is one word for all that was missed', () => {
	expect(words(told('a', 'missed'), told('b', 'result'), told('c', 'asks'), told('d', 'missed'))).toEqual(['b result', '3 missed']);
});
