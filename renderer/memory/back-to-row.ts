/**
 * Where the focus goes when a question about an entry ends: to its row, from which the keys go on. A row is no stop of the Tab key,
 * so that a dialog would choose the first button in it; false tells it that this is done here. True: there is no row to go to.
 */
export function backToRow(entryId: string): () => boolean {
	const find = (): HTMLElement | null => document.querySelector<HTMLElement>(`[data-entry-id="${CSS.escape(entryId)}"]`);
	return () => {
		if (!find()) return true;
		requestAnimationFrame(() => find()?.focus({ preventScroll: true }));
		return false;
	};
}
