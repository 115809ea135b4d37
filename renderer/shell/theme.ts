import { shell } from '../connection/index.ts';

export type Theme = 'system' | 'light' | 'dark';
const KEY = 'hearth.theme';

function isTheme(value: string | null): value is Theme {
	return value === 'system' || value === 'light' || value === 'dark';
}

/** Shows a theme and remembers it in this window, so that the next start paints in it at once. */
export function applyTheme(theme: Theme): void {
	if (theme === 'system') delete document.documentElement.dataset.theme;
	else document.documentElement.dataset.theme = theme;
	localStorage.setItem(KEY, theme);
	// The shell tells the operating system's own parts: menus, scroll bars, window frame.
	void shell?.setTheme(theme);
}

export function rememberedTheme(): Theme {
	const kept = localStorage.getItem(KEY);
	return isTheme(kept) ? kept : 'system';
}
