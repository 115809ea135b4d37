#!/usr/bin/env node
/**
 * Builds the parts of the app: `node electron/dev/build.mjs [main|preload|runtime|renderer|mermaid|model|all] …`.
 *
 * A target whose inputs did not change since its last build is left alone: their hash is kept beside it. Each target is built
 * in a folder of its own and swapped in when it is complete, so that a failed build leaves the last good one in place.
 */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const projectFolder = path.resolve(import.meta.dirname, '..', '..');
const distFolder = path.join(projectFolder, 'dist');

/** What each target is made from. `model` is checked by the hash of what lies there instead: it is made of no code of ours. */
const inputsOf = {
	main: ['electron/main/**', 'electron/*.ts', 'src/contract/**', 'src/domain/**'],
	preload: ['electron/preload/**', 'electron/*.ts', 'src/contract/**', 'src/domain/**'],
	runtime: ['electron/*.ts', 'src/**', 'assets/workflows/**'],
	renderer: ['renderer/**', 'src/contract/**', 'src/domain/**', '.config/vite.mermaid.ts'],
	mermaid: ['renderer/diagram/**'],
};
export const targets = [...Object.keys(inputsOf), 'model'];

function hashOf(target) {
	const hash = createHash('sha256');
	const files = globSync(
		[...inputsOf[target], `.config/vite.${target}.ts`, '.config/vite.shared.ts', 'electron/dev/build.mjs', 'package-lock.json'],
		{
			cwd: projectFolder,
			withFileTypes: true,
		},
	)
		.filter((entry) => entry.isFile())
		.map((entry) => path.join(entry.parentPath, entry.name))
		.sort();
	for (const file of files) hash.update(path.relative(projectFolder, file)).update('\0').update(readFileSync(file)).update('\0');
	return hash.digest('hex');
}

function stampFile(target) {
	return path.join(distFolder, '.stamps', target);
}

function isCurrent(target, hash) {
	return existsSync(path.join(distFolder, target)) && existsSync(stampFile(target)) && readFileSync(stampFile(target), 'utf8') === hash;
}

function swapIn(target, built, hash) {
	const place = path.join(distFolder, target);
	const old = path.join(distFolder, `.old-${target}-${process.pid}`);
	rmSync(stampFile(target), { force: true });
	if (existsSync(place)) renameSync(place, old);
	renameSync(built, place);
	rmSync(old, { recursive: true, force: true });
	mkdirSync(path.dirname(stampFile(target)), { recursive: true });
	writeFileSync(stampFile(target), hash);
}

/** Whether the process that wrote this lock still runs. */
function isHeld(lock) {
	try {
		process.kill(Number(readFileSync(lock, 'utf8')), 0);
		return true;
	} catch (error) {
		// A process of another user runs, too. Anything else: it is gone, or the lock itself is.
		return error.code === 'EPERM';
	}
}

/** One build at a time in this project: two at once would do the same work and swap folders under a running app. */
async function withLock(work) {
	const lock = path.join(distFolder, '.building');
	mkdirSync(distFolder, { recursive: true });
	for (;;) {
		try {
			writeFileSync(lock, String(process.pid), { flag: 'wx' });
			break;
		} catch (error) {
			if (error.code !== 'EEXIST') throw error;
			if (isHeld(lock)) await new Promise((resolve) => setTimeout(resolve, 100));
			else rmSync(lock, { force: true });
		}
	}
	try {
		return await work();
	} finally {
		rmSync(lock, { force: true });
	}
}

/**
 * @param {string} target
 * @param {{ quiet?: boolean, force?: boolean }} [options]
 * @returns {Promise<boolean>} false where the last build was still current
 */
export async function build(target, options = {}) {
	if (target === 'model') return withLock(() => buildModel(options));
	if (!options.force && isCurrent(target, hashOf(target))) return false;
	return withLock(() => buildAlone(target, options));
}

async function buildModel({ quiet = false, force = false }) {
	const started = performance.now();
	const folder = path.join(distFolder, 'model');
	if (force) rmSync(folder, { recursive: true, force: true });
	const { prepareModel } = await import('./prepare-model.mjs');
	if (!(await prepareModel(folder))) return false;
	if (!quiet) console.log(`built model in ${((performance.now() - started) / 1000).toFixed(1)} s`);
	return true;
}

async function buildAlone(target, { quiet = false, force = false }) {
	const hash = hashOf(target);
	if (!force && isCurrent(target, hash)) return false;
	if (target === 'renderer') await buildAlone('mermaid', { quiet });
	const out = path.join(distFolder, `.new-${target}-${process.pid}`);
	const started = performance.now();
	const environment = process.env.NODE_ENV;
	// A test runner's own value would build the slow development version of React for everyone who comes after.
	process.env.NODE_ENV = 'production';
	try {
		const vite = await import('vite');
		await vite.build({
			configFile: path.join(projectFolder, '.config', `vite.${target}.ts`),
			configLoader: 'native',
			logLevel: quiet ? 'error' : 'warn',
			build: { outDir: out },
		});
		// The page of the diagrams is built apart because it changes rarely and takes long.
		if (target === 'renderer') cpSync(path.join(distFolder, 'mermaid'), path.join(out, 'diagram'), { recursive: true });
		swapIn(target, out, hash);
	} finally {
		if (environment === undefined) delete process.env.NODE_ENV;
		else process.env.NODE_ENV = environment;
		rmSync(out, { recursive: true, force: true });
	}
	if (!quiet) console.log(`built ${target} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
	return true;
}

/** Builds several targets, one after the other. */
export async function buildAll(names = targets, options = {}) {
	for (const name of names) await build(name, options);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	const asked = process.argv.slice(2).filter((word) => !word.startsWith('-'));
	const names = asked.length === 0 || asked.includes('all') ? targets : asked;
	const unknown = names.filter((name) => !targets.includes(name));
	if (unknown.length > 0) {
		console.error(`There is no target ${unknown.join(', ')}. Choose from: ${targets.join(', ')}, all.`);
		process.exit(2);
	}
	try {
		await buildAll(names, { force: process.argv.includes('--force'), quiet: process.argv.includes('--quiet') });
	} catch (error) {
		console.error(error instanceof Error ? (error.stack ?? error.message) : error);
		process.exit(1);
	}
}
