/** Frames to wait for what takes the focus; it may still be loading. */
const PATIENCE = 60;

function focusWhenThere(find: () => HTMLElement | null | undefined, frames: number = PATIENCE): void {
	requestAnimationFrame(() => {
		const element = find();
		// What is not shown, as the list beside an open run in a narrow window, can't take it.
		if (element && element.offsetParent !== null) element.focus();
		else if (frames > 0) focusWhenThere(find, frames - 1);
	});
}

const rowOf = (id: string): HTMLElement | null => document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"]`);
const stepOf = (step: number): HTMLElement | null => document.querySelector<HTMLElement>(`[data-step="${step}"]`);

export function focusRow(id: string): void {
	focusWhenThere(() => rowOf(id));
}

/** The row that had the focus before, else the first one. */
export function focusList(id: string | null): void {
	focusWhenThere(
		() =>
			(id === null ? null : rowOf(id)) ??
			document.querySelector<HTMLElement>('.timeline-list [data-row-id]') ??
			document.querySelector<HTMLElement>('.v-timeline .tabs [aria-selected="true"]'),
	);
}

export function focusStep(step: number): void {
	focusWhenThere(() => stepOf(step));
}

/** The step that the Tab key would come to; where there is none yet, the name of the run. */
export function focusSteps(): void {
	focusWhenThere(() => document.querySelector<HTMLElement>('.steps [tabindex="0"]') ?? document.getElementById('run-title'));
}

/** The same in a run that takes the place of the one shown. */
export function focusStepsOf(runId: string): void {
	focusWhenThere(() => {
		const body = document.querySelector<HTMLElement>(`.run-body[data-run="${CSS.escape(runId)}"]`);
		return body && (body.querySelector<HTMLElement>('.steps [tabindex="0"]') ?? document.getElementById('run-title'));
	}, 10 * PATIENCE);
}

/** What a run asks, in its chat or in the timeline; either may have to load first. */
export function focusNeed(runId: string): void {
	focusWhenThere(() => document.querySelector<HTMLElement>(`[data-asks="${CSS.escape(runId)}"]`), 10 * PATIENCE);
}

/** The first field of a dialog that is marked as wrong. */
export function focusInvalid(): void {
	focusWhenThere(() => document.querySelector<HTMLElement>('.dialog .field[aria-invalid="true"]'));
}

let detailAsked = false;

/** The heading of the step that is shown: from there it is read and tabbed through. */
export function focusDetail(): void {
	detailAsked = true;
	focusWhenThere(() => document.getElementById('step-title'));
}

/** Called when another step takes the place of the one that had the focus: no key may come between the two. */
export function takeDetailFocus(): void {
	if (detailAsked) document.getElementById('step-title')?.focus({ preventScroll: true });
	detailAsked = false;
}

export type Area = 'list' | 'steps' | 'detail';

/** Where the focus is. */
export function focusedArea(): Area | undefined {
	const { activeElement } = document;
	if (!activeElement || activeElement === document.body) return undefined;
	if (activeElement.closest('.v-timeline > .side')) return 'list';
	if (activeElement.closest('.v-timeline > .run-pane')) return 'steps';
	return activeElement.closest('.v-timeline > .detail-pane') ? 'detail' : undefined;
}

/** Whether the element is shown in this width of the window. */
export function isShown(selector: string): boolean {
	return document.querySelector<HTMLElement>(selector)?.offsetParent != null;
}
