import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '../base/logger.ts';
import { modelMissingError } from './errors.ts';

/** `src/embed/` and `dist/runtime/chunks/` lie at different depths of the project: its folder is the first above with the file in it. */
function projectFolder(): string {
	let folder = import.meta.dirname;
	while (!existsSync(path.join(folder, 'package.json')) && path.dirname(folder) !== folder) folder = path.dirname(folder);
	return folder;
}

/**
 * Where the embedded model lies: beside the built runtime, also in a package. In a copy of the source where nothing was built yet, it is
 * made first (about a second), in a process of its own. Rejects with `embedding_model_missing` where that fails.
 */
export async function findModelFolder(logger: Logger): Promise<string> {
	const project = projectFolder();
	const folder = path.join(project, 'dist', 'model');
	const maker = path.join(project, 'electron', 'dev', 'prepare-model.mjs');
	if (existsSync(path.join(folder, 'model.onnx')) || !existsSync(maker)) return folder;
	logger.info('embedding_model_preparing');
	try {
		await promisify(execFile)(process.execPath, [maker, folder]);
	} catch (error) {
		throw modelMissingError('missing', error);
	}
	return folder;
}
