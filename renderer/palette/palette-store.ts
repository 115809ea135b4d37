import { create } from 'zustand';

/** `all`: actions and chats. `search`: chats only. Undefined while it is closed. */
export const usePalette = create<{ mode: 'all' | 'search' | undefined }>()(() => ({ mode: undefined }));

export function openPalette(mode: 'all' | 'search'): void {
	usePalette.setState({ mode });
}

export function closePalette(): void {
	usePalette.setState({ mode: undefined });
}
