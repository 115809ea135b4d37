import { existsSync, watch as watchNames } from 'node:fs';
import { join } from 'node:path';
import { type FSWatcher, watch } from 'chokidar';
import { LONG_TERM_FILE } from '../../domain/memory.ts';

export interface Signs {
	/** Resolves when the system gives signs, or it is known that it does not. */
	readonly ready: Promise<void>;
	close(): Promise<void>;
}

export interface SignsOptions {
	/** Of the profile. */
	readonly folder: string;
	/** There may be something new. */
	readonly onSign: () => void;
	/** The system gives no signs any more, or not all. */
	readonly onLost: (error: unknown) => void;
}

const ROOTS: readonly string[] = [LONG_TERM_FILE, 'memory'];

/**
 * The system's signs that memory files change. The profile's folder itself is watched by names only: the database in it is written all the
 * time, and a watcher that waits there for a root which is missing reads the whole folder anew at each of these writes.
 */
export function watchSigns({ folder, onSign, onLost }: SignsOptions): Signs {
	const watchers = new Map<string, FSWatcher>();
	let closed = false;

	/** Resolves when each root that is there gives signs. */
	async function watchThoseThere(): Promise<void> {
		const there = ROOTS.map((name) => join(folder, name)).filter((root) => !watchers.has(root) && existsSync(root));
		await Promise.all(there.map(watchRoot));
	}

	function watchRoot(root: string): Promise<void> {
		const watcher = watch(root, {
			ignoreInitial: true,
			ignorePermissionErrors: true,
			persistent: false,
			ignored: (path, stats) => /[\\/]\.[^\\/]*$/.test(path.slice(folder.length)) || (stats?.isFile() === true && !path.endsWith('.md')),
		});
		watchers.set(root, watcher);
		watcher.on('all', onSign);
		for (const gone of ['unlink', 'unlinkDir'] as const) watcher.on(gone, (path) => void (path === root && leave(root, watcher)));
		return new Promise((resolve) => {
			watcher.once('ready', resolve);
			watcher.on('error', (error) => {
				onLost(error);
				resolve();
			});
		});
	}

	/** Whoever replaced it may have been quicker than its sign. */
	function leave(root: string, watcher: FSWatcher): void {
		if (watchers.get(root) === watcher) watchers.delete(root);
		watcher.close().catch(onLost);
		watchAnew();
	}

	/** What was written into a root before its watcher was ready has given no sign. */
	function watchAnew(): void {
		if (!closed) void watchThoseThere().then(onSign);
	}

	function watchFolderNames(): () => void {
		try {
			const names = watchNames(folder, { persistent: false }, (_, name) => {
				if (name !== null && !ROOTS.includes(name)) return;
				onSign();
				watchAnew();
			});
			names.on('error', onLost);
			return () => names.close();
		} catch (error) {
			onLost(error);
			return () => undefined;
		}
	}

	const leaveFolder = watchFolderNames();
	return {
		ready: watchThoseThere(),
		close: async () => {
			closed = true;
			leaveFolder();
			await Promise.all([...watchers.values()].map((watcher) => watcher.close()));
		},
	};
}
