import { TaskDraft } from '../../src/domain/task.ts';

/** What the form begins with where nothing was read: each morning, and what is still to be said. */
export function blankDraft(text: string): TaskDraft {
	const begun = TaskDraft.parse({
		title: '…',
		when: { kind: 'schedule', schedule: { timing: { kind: 'cron', expression: '0 9 * * *' } } },
		work: { kind: 'prompt', text: '…' },
	});
	return { ...begun, title: '', work: { kind: 'prompt', text, session: 'each', result: { kind: 'chat' } } };
}
