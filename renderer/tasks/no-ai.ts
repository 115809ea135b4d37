import type { TaskWork } from '../../src/domain/task.ts';
import { isBuiltin } from '../settings/provider-values.ts';
import { useChoices } from '../shell/queries.ts';

/** Whether only the built-in responder would do it, which is no AI: a prompt without a model of its own, where none is chosen for background work. */
export function useIsNoAi(work: TaskWork): boolean {
	const { data } = useChoices();
	if (work.kind !== 'prompt') return false;
	const model = work.model ?? data?.background;
	return model !== undefined && isBuiltin(model);
}
