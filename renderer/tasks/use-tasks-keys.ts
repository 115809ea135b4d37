import type { KeyboardEvent } from 'react';
import { isComposing } from '../ui/controls.tsx';

interface TasksKeys {
	/** The card after, or before, the one that has the focus. */
	step: (by: number) => void;
	back: () => void;
	create: () => void;
	run: () => void;
	pause: () => void;
	edit: () => void;
	history: () => void;
}

const MOVES = new Set(['j', 'k', 'arrowdown', 'arrowup']);

/** The keys of the screen, as the keyboard map names them. */
export function useTasksKeys({ step, back, create, run, pause, edit, history }: TasksKeys) {
	const keyOf = (key: string, inList: boolean): (() => void) | undefined => {
		switch (key) {
			case 'j':
				return () => step(1);
			case 'k':
				return () => step(-1);
			// Beside the list these scroll what is read.
			case 'ArrowDown':
				return inList ? () => step(1) : undefined;
			case 'ArrowUp':
				return inList ? () => step(-1) : undefined;
			case 'Escape':
				return back;
			case 'n':
				return create;
			case 'r':
				return run;
			case 'p':
				return pause;
			case 'e':
				return edit;
			case 'h':
				return history;
			default:
				return undefined;
		}
	};
	return (event: KeyboardEvent<HTMLElement>): void => {
		const { target, currentTarget } = event;
		// Dialogs and menus hear their own keys, though React lets them come by here; a field keeps what is typed into it, but for Esc.
		if (!(target instanceof Element) || !currentTarget.contains(target)) return;
		if (target.closest('textarea, input, select, [role="combobox"]') && event.key !== 'Escape') return;
		if (event.defaultPrevented || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		const act = keyOf(event.key.length === 1 ? event.key.toLowerCase() : event.key, target.closest('.side') !== null);
		// A held key moves, and does nothing else.
		if (!act || (event.repeat && !MOVES.has(event.key.toLowerCase()))) return;
		event.preventDefault();
		act();
	};
}
