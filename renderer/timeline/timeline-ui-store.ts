import { create } from 'zustand';
import type { RunPlace } from '../../src/domain/run.ts';
import type { WorkflowName } from '../../src/domain/workflow.ts';

export type TimelineDialog =
	| { readonly kind: 'inspect' | 'restore' | 'fork'; readonly place: RunPlace }
	| { readonly kind: 'start'; readonly name: WorkflowName };

/** What the timeline itself knows: nothing of it is kept by the runtime. */
interface TimelineUi {
	/** The list lies over the steps, in a window that is too narrow for both. */
	readonly listOpen: boolean;
	readonly dialog: TimelineDialog | null;
	/** The row of the list that has, or last had, the focus. */
	readonly rowId: string | null;
	/** Grows when a command asks for the list. */
	readonly focusTurn: number;
}

export const useTimelineUi = create<TimelineUi>()(() => ({ listOpen: false, dialog: null, rowId: null, focusTurn: 0 }));

export function openDialog(dialog: TimelineDialog): void {
	useTimelineUi.setState({ dialog });
}

/** Puts the focus on the list. */
export function askForRuns(): void {
	useTimelineUi.setState((state) => ({ focusTurn: state.focusTurn + 1, listOpen: false }));
}
