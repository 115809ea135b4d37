import { isBelow } from '../../base/below.ts';

/** First those that hold a hidden folder, which is laid over them; then the others, which may be a part of it. */
export function inOrder<F extends { readonly path: string }>(
	folders: readonly F[],
	hidden: readonly string[],
): { holding: F[]; others: F[] } {
	const holds = ({ path }: F): boolean => hidden.some((folder) => isBelow(path, folder));
	return { holding: folders.filter(holds), others: folders.filter((folder) => !holds(folder)) };
}
