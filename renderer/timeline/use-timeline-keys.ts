import type { KeyboardEvent } from 'react';
import { isComposing } from '../ui/controls.tsx';
import { type Area, focusedArea } from './focus.ts';

interface TimelineKeys {
	/** The row or step after, or before, the one that has the focus; in the detail, the one that is shown. */
	step: (area: Area | undefined, by: number) => void;
	back: (area: Area | undefined) => void;
	inspect: () => void;
	restore: () => void;
	fork: () => void;
}

/** The keys of the timeline, as the keyboard map names them. */
export function useTimelineKeys({ step, back, inspect, restore, fork }: TimelineKeys) {
	const keyOf = (key: string, area: Area | undefined): (() => void) | undefined => {
		switch (key) {
			case 'j':
				return () => step(area, 1);
			case 'k':
				return () => step(area, -1);
			// Beside the lists these scroll what is read.
			case 'ArrowDown':
				return area === 'list' || area === 'steps' ? () => step(area, 1) : undefined;
			case 'ArrowUp':
				return area === 'list' || area === 'steps' ? () => step(area, -1) : undefined;
			case 'Escape':
				return () => back(area);
			case 'i':
				return inspect;
			case 'r':
				return restore;
			case 'f':
				return fork;
			default:
				return undefined;
		}
	};
	return (event: KeyboardEvent<HTMLElement>): void => {
		const { target, currentTarget } = event;
		// Dialogs hear their own keys, though React lets them come by here; a field keeps what is typed into it.
		if (!(target instanceof Element) || !currentTarget.contains(target) || target.closest('textarea, input, select, [role="tab"]')) return;
		if (event.defaultPrevented || isComposing(event) || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
		const run = keyOf(event.key.length === 1 ? event.key.toLowerCase() : event.key, focusedArea());
		// A held key moves, and opens nothing.
		if (!run || (event.repeat && !MOVES.has(event.key.toLowerCase()))) return;
		event.preventDefault();
		run();
	};
}

const MOVES = new Set(['j', 'k', 'arrowdown', 'arrowup']);
