/** Whether a path is that folder or lies in it. Both absolute, without links. */
export function isBelow(path: string, folder: string): boolean {
	return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

/** First those that hold a hidden folder, which is laid over them; then the others, which may be a part of it. */
export function inOrder<F extends { readonly path: string }>(
	folders: readonly F[],
	hidden: readonly string[],
): { holding: F[]; others: F[] } {
	const holds = ({ path }: F): boolean => hidden.some((folder) => isBelow(folder, path));
	return { holding: folders.filter(holds), others: folders.filter((folder) => !holds(folder)) };
}
