/** Frames to wait for what takes the focus; it may still be loading. */
const PATIENCE = 600;

function focusWhenThere(find: () => HTMLElement | null | undefined, frames: number = PATIENCE): void {
	requestAnimationFrame(() => {
		const element = find();
		element?.focus();
		// What is not shown, as the list in a narrow window or a card that is still to be measured, can't take it.
		if (frames > 0 && (!element || document.activeElement !== element)) focusWhenThere(find, frames - 1);
	});
}

const rowOf = (id: string): HTMLElement | null => document.querySelector<HTMLElement>(`.v-tasks [data-row-id="${CSS.escape(id)}"]`);

export function focusRow(id: string): void {
	focusWhenThere(() => rowOf(id));
}

/** The card that had the focus before, else the first one. */
export function focusList(id: string | null): void {
	focusWhenThere(
		() =>
			(id === null ? null : rowOf(id)) ??
			document.querySelector<HTMLElement>('.v-tasks > .side [data-row-id]') ??
			document.querySelector<HTMLElement>('.v-tasks > .side .new-task'),
	);
}

/** The heading of what stands beside the list. */
export function focusPane(): void {
	focusWhenThere(() => document.getElementById('task-title'));
}

export function focusSentence(): void {
	focusWhenThere(() => document.getElementById('sentence'));
}

/** What the test run says, which may be below what is in view. */
export function focusTest(): void {
	focusWhenThere(() => document.getElementById('test-title'));
}

/** The first field that is marked as wrong. */
export function focusInvalid(): void {
	focusWhenThere(() => document.querySelector<HTMLElement>('.task-plan [aria-invalid="true"]'));
}
