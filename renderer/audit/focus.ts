/** Frames to wait for what takes the focus; it may still be loading. */
const PATIENCE = 60;

function focusWhenThere(find: () => HTMLElement | null, frames: number = PATIENCE): void {
	requestAnimationFrame(() => {
		const element = find();
		// What is not shown, as the list beside an open record in a narrow window, can't take it.
		if (element && element.offsetParent !== null) element.focus();
		else if (frames > 0) focusWhenThere(find, frames - 1);
	});
}

/** The row of this record, else the first one. */
export function focusRecord(seq: number | undefined): void {
	focusWhenThere(
		() =>
			document.querySelector<HTMLElement>(`.log [data-seq="${seq ?? ''}"]`) ??
			(seq === undefined ? document.querySelector<HTMLElement>('.log [data-seq]') : null),
	);
}

/** The heading of the record that is shown: from there it is read and tabbed through. */
export function focusDetail(seq: number): void {
	focusWhenThere(() => document.querySelector<HTMLElement>(`#record-title[data-record="${seq}"]`));
}

export function isShown(selector: string): boolean {
	return document.querySelector<HTMLElement>(selector)?.offsetParent != null;
}
