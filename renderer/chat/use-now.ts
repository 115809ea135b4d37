import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	// While nobody asked it stood still.
	if (timer === undefined) now = Date.now();
	timer ??= setInterval(() => {
		now = Date.now();
		for (const notify of listeners) notify();
	}, 60_000);
	return () => {
		listeners.delete(listener);
		if (listeners.size === 0) {
			clearInterval(timer);
			timer = undefined;
		}
	};
}

/** The wall clock in milliseconds, renewed every minute: enough for headings such as Today. */
export function useNow(): number {
	return useSyncExternalStore(subscribe, () => now);
}
