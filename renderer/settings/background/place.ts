/** Addresses of the settings of background work. */
export const BACKGROUND = '/settings/background';
export const SOURCES = '/settings/sources';

/** What keeps the focus where what had it is gone: the button of a question that was answered, the row of a source that was removed. */
export const LOOK_BUTTON = 'look-now';
export const ADD_BUTTON = 'add-source';

/** Once what was there has gone. */
export function focusLater(id: string): void {
	requestAnimationFrame(() => document.getElementById(id)?.focus());
}
