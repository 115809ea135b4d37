import { basename } from 'node:path';
import { watch } from 'chokidar';
import { isLeftOut } from './file-names.ts';

export interface Signs {
	close(): Promise<void>;
}

export interface SignsOptions {
	/** Absolute, without links. */
	readonly folder: string;
	readonly isFlat: boolean;
	/** There may be something new. */
	readonly onSign: () => void;
	/** The system gives no signs any more, or not all. */
	readonly onLost: (error: unknown) => void;
}

/**
 * The system's signs that something changes in a folder or below it. Folders only are watched: a change of a file is a sign of its folder, and a
 * system watches far fewer things than there may be files.
 */
export function watchFolders({ folder, isFlat, onSign, onLost }: SignsOptions): Signs {
	const watcher = watch(folder, {
		ignoreInitial: true,
		ignorePermissionErrors: true,
		followSymlinks: false,
		persistent: false,
		...(isFlat && { depth: 0 }),
		ignored: (path, stats) => stats?.isFile() === true || (path !== folder && isLeftOut(basename(path))),
	});
	watcher.on('raw', onSign);
	watcher.on('all', onSign);
	// What came before it was ready has given no sign.
	watcher.on('ready', onSign);
	watcher.on('error', onLost);
	return { close: () => watcher.close() };
}
