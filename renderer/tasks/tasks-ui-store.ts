import { create } from 'zustand';
import type { TaskId } from '../../src/domain/task.ts';

/** What the screen itself knows: nothing of it is kept by the runtime. */
interface TasksUi {
	/** The card that has, or last had, the focus. */
	readonly rowId: string | null;
	/** Where a command leads the focus, until it is there. */
	readonly wanted: 'list' | 'sentence' | null;
	readonly removing: TaskId | null;
	/** Until when it is to be paused, at a time that the owner names. */
	readonly pausing: TaskId | null;
}

export const useTasksUi = create<TasksUi>()(() => ({ rowId: null, wanted: null, removing: null, pausing: null }));

/** Puts the focus on the list, or into the sentence of a new task. */
export function askFor(what: 'list' | 'sentence'): void {
	useTasksUi.setState({ wanted: what });
}
