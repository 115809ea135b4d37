import { onTestFinished } from 'vitest';
import { openTasksLife, type TasksLife } from './task-lives.ts';

/** One life of tasks that ends with the test. */
export async function tasksLife(...given: Parameters<typeof openTasksLife>): Promise<TasksLife> {
	const life = await openTasksLife(...given);
	onTestFinished(() => life.close());
	return life;
}
