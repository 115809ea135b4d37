import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from '../base/logger.ts';
import { modelMissingError } from './errors.ts';

const MODEL = path.join('dist', 'model');
const BUILD = path.join('electron', 'dev', 'build.mjs');
/** This file lies two folders deep in the source, and three in what is built (`dist/runtime/chunks`). */
const DEPTHS = ['../..', '../../..'];

/** The folder above this file that has `part` in it. */
function above(part: string): string | undefined {
	return DEPTHS.map((depth) => path.resolve(import.meta.dirname, depth)).find((folder) => existsSync(path.join(folder, part)));
}

/**
 * Where the embedded model lies: beside the built runtime, also in a package. In a copy of the source where nothing was built yet, it is
 * made first (about a second), in a process of its own. Rejects with `embedding_model_missing` where that fails.
 */
export async function findModelFolder(logger: Logger): Promise<string> {
	const place = above(path.join(MODEL, 'model.onnx'));
	if (place !== undefined) return path.join(place, MODEL);
	const project = above(BUILD);
	// Under Electron the program that runs is no Node; there, whoever started it has built first.
	if (project === undefined || process.versions.electron !== undefined) throw modelMissingError('missing', undefined);
	logger.info('embedding_model_preparing');
	try {
		await promisify(execFile)(process.execPath, [path.join(project, BUILD), 'model', '--quiet']);
	} catch (error) {
		throw modelMissingError('missing', error);
	}
	return path.join(project, MODEL);
}
