import { randomUUID } from 'node:crypto';
import { dialSocket } from '../../src/app/socket.ts';
import { type Connection, connect } from '../../src/contract/client.ts';
import type { Occurrence, Task, TaskResult } from '../../src/domain/task.ts';
import { TaskDraft } from '../../src/domain/task.ts';
import type { RecordedRequest } from './model-server/index.ts';

/** For tests of real time: tasks that are due in a moment, in a runtime that is a process of its own. */

/** The command line's way to a runtime that serves this profile. */
export async function doorOf(profileFolder: string): Promise<Connection> {
	const transport = await dialSocket(profileFolder);
	if (!transport) throw new Error('nothing serves this profile');
	return connect(transport, { client: 'test' });
}

/** A task that says `prompt` to the agent so many milliseconds from now; its result is the file `<title>.txt`, or goes where it is said. */
export async function addSoon(
	rpc: Connection['rpc'],
	title: string,
	prompt: string,
	ms: number,
	result: TaskResult = { kind: 'file', path: `${title}.txt` },
): Promise<Task> {
	const draft = TaskDraft.parse({
		title,
		when: { kind: 'schedule', schedule: { timing: { kind: 'moment', at: Date.now() + ms } } },
		work: { kind: 'prompt', text: prompt, result },
	});
	const { shownHash } = await rpc.tasks.preview({ draft });
	return rpc.tasks.add({ draft, shownHash, requestId: randomUUID() });
}

/** All that became of a task, once nothing of it is under way. */
export async function outcomesOf(rpc: Connection['rpc'], { id }: Task): Promise<readonly Occurrence[] | undefined> {
	const { occurrences } = await rpc.tasks.history({ taskId: id, limit: 50 });
	const over = occurrences.length > 0 && occurrences.every(({ state }) => state !== 'queued' && state !== 'running');
	return over ? occurrences : undefined;
}

/** How often the model was asked with these words as the newest of the owner's. */
export function askedWith(requests: readonly RecordedRequest[], words: string): number {
	return requests.filter(({ body }) => JSON.stringify(body).includes(words)).length;
}
