import { asJson, canonicalJson } from '../domain/json.ts';
import type { TaskDraft, TaskWhen } from '../domain/task.ts';

/** What of a task is another after a change of the owner's. Pure. */

export function isSame<Part extends TaskWhen | TaskDraft['work']>(before: Part, after: Part): boolean {
	return canonicalJson(asJson(before)) === canonicalJson(asJson(after));
}

export function listensAlike(before: TaskWhen, after: TaskWhen): boolean {
	const triggerOf = (when: TaskWhen) => canonicalJson(asJson(when.kind === 'trigger' ? when.trigger : {}));
	return triggerOf(before) === triggerOf(after);
}
