import { create } from 'zustand';

/** A source is being added: asked for by a button of the screen, or by a command from anywhere. */
export const useSourcesUi = create<{ readonly adding: boolean }>()(() => ({ adding: false }));

export function askToAddSource(): void {
	useSourcesUi.setState({ adding: true });
}

export function closeAdding(): void {
	useSourcesUi.setState({ adding: false });
}
