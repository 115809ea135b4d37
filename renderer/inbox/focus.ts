/** Frames to wait for what takes the focus; it may still be loading. */
const PATIENCE = 60;

/** The newest wish is the one that counts: a slower one before it must not take the focus back. */
let turn = 0;

function focusWhenThere(find: () => HTMLElement | null | undefined, otherwise?: () => HTMLElement | null): void {
	turn += 1;
	const mine = turn;
	const look = (frames: number): void => {
		requestAnimationFrame(() => {
			if (mine !== turn) return;
			const element = frames > 0 ? find() : otherwise?.();
			// What is not shown, as the list beside an open row in a narrow window, can't take it, and a row that is not measured yet can't either.
			if (element && element.offsetParent !== null) {
				// Rows come into view by the list's own doing.
				element.focus({ preventScroll: element.closest('[aria-posinset]') !== null });
				if (document.activeElement === element) return;
			}
			if (frames > 0) look(frames - 1);
		});
	};
	look(PATIENCE);
}

function rowOf(id: string): HTMLElement | null {
	return document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"]`);
}

export function focusRow(id: string): void {
	focusWhenThere(() => rowOf(id));
}

/** The row that had the focus before, else the first; where there are none, the list itself. */
export function focusList(id: string | null): void {
	const first = (): HTMLElement | null => document.querySelector<HTMLElement>('[data-row-id]');
	focusWhenThere(() => (id === null ? null : rowOf(id)) ?? first(), listItself);
}

const listItself = (): HTMLElement | null => document.querySelector<HTMLElement>('.inbox-list');

/** The last row is gone. */
export function focusEmptyList(): void {
	focusWhenThere(listItself);
}

/** The heading of what is shown: from there it is read and tabbed through. `id`: of what is to be shown, which may still be drawn. */
export function focusTitle(id?: string): void {
	const title = (): HTMLElement | null => document.getElementById('inbox-title');
	focusWhenThere(() => (id === undefined || title()?.dataset.of === id ? title() : null), title);
}

export function isInList(): boolean {
	return document.activeElement?.closest('.inbox-list') !== null && document.activeElement !== document.body;
}
