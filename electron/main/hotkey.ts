import { globalShortcut } from 'electron';

/** One global hotkey. `set` says whether the system gave it to us; where it refuses, the one before stays. */
export interface Hotkey {
	set(accelerator: string): boolean;
	registered(): boolean;
	clear(): void;
}

export function createHotkey(action: () => void): Hotkey {
	let current = '';
	const register = (accelerator: string): boolean => {
		try {
			return globalShortcut.register(accelerator, action);
		} catch {
			// Not an accelerator at all.
			return false;
		}
	};
	return {
		set(accelerator) {
			if (accelerator === current) return current === '' || globalShortcut.isRegistered(current);
			const before = current;
			if (before) globalShortcut.unregister(before);
			current = '';
			if (accelerator === '') return true;
			if (register(accelerator)) {
				current = accelerator;
				return true;
			}
			if (before && register(before)) current = before;
			return false;
		},
		registered: () => current !== '',
		clear: () => globalShortcut.unregisterAll(),
	};
}
