import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is that folder or lies in it, letter for letter. Both absolute and without links: what they are called here is all that is looked at. */
export function isBelow(folder: string, path: string): boolean {
	const way = relative(folder, path);
	return way === '' || (way.split(sep)[0] !== '..' && !isAbsolute(way));
}
