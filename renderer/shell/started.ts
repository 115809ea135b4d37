const KEY = 'hearth.started';

/** A hint kept in this window: a first screen was passed here before, so that the chat may show before the runtime has answered. */
export function startedBefore(): boolean {
	return localStorage.getItem(KEY) !== null;
}

export function markStarted(): void {
	localStorage.setItem(KEY, 'yes');
}
