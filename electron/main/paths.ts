import { existsSync } from 'node:fs';
import path from 'node:path';
import { app } from 'electron';

/** Where the parts of the app lie, in the project and in a package. `dist/main/main.cjs` is this file's place once built. */
export interface AppFiles {
	preload: string;
	renderer: string;
	/** The same for a process that can't read inside the archive. */
	rendererOutside: string;
	runtimeEntry: string;
	icon: string;
	assets: string;
	/** A Node 24 or newer for the runtime as a child process; undefined where none was found. */
	node: string | undefined;
}

export function findAppFiles(environment: Record<string, string | undefined>): AppFiles {
	const root = path.resolve(__dirname, '..', '..');
	// Neither a plain Node nor a native loader can read inside the archive: what they need lies unpacked beside it.
	const outside = root.replace(/app\.asar$/, 'app.asar.unpacked');
	return {
		preload: path.join(root, 'dist', 'preload', 'preload.cjs'),
		renderer: path.join(root, 'dist', 'renderer'),
		rendererOutside: path.join(outside, 'dist', 'renderer'),
		runtimeEntry: (!app.isPackaged && environment.HEARTH_RUNTIME_ENTRY) || path.join(outside, 'dist', 'runtime', 'host-entry.mjs'),
		icon: path.join(root, 'assets', 'icon.png'),
		assets: path.join(root, 'assets'),
		node: findNode(root, environment),
	};
}

function findNode(root: string, environment: Record<string, string | undefined>): string | undefined {
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	const candidates = app.isPackaged
		? [path.join(process.resourcesPath, name)]
		: [environment.HEARTH_NODE, path.join(root, 'node_modules', '.bin', name)];
	return candidates.find((file) => file && existsSync(file));
}
