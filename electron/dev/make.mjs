#!/usr/bin/env node
/**
 * `npm run make`: builds the app and makes packages of it in `out/`.
 *
 *   --targets zip,deb        which makers (default: all of this system)
 *   --electron-zip-dir DIR   folder with electron-vVERSION-PLATFORM-ARCH.zip: makes a package without a network
 *   --platform, --arch       for another system (needs its Electron zip or a network)
 *   --out DIR                where the results go (default: out)
 *   --driven                 leaves the inspector open, for a test that drives the package; never for a release
 *
 * Where the release Electron can't be had, the fallback runtime is packaged instead: named `hearth-electron33-dev`, with a
 * Node 24 for the runtime, for development and tests only.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildAll } from './build.mjs';
import { cacheFolder, fallbackFolder } from './prepare-electron.mjs';
import { releaseVersion, resolveElectron } from './resolve-electron.mjs';

const projectFolder = path.resolve(import.meta.dirname, '..', '..');

function fail(line) {
	console.error(line);
	process.exit(1);
}

const { values } = parseArgs({
	options: {
		targets: { type: 'string' },
		'electron-zip-dir': { type: 'string' },
		platform: { type: 'string', default: process.platform },
		arch: { type: 'string', default: process.arch },
		out: { type: 'string' },
		driven: { type: 'boolean', default: false },
	},
});

/** The fallback runtime as the zip that the packager takes, made once. */
function fallbackZipFolder(version) {
	const folder = path.join(cacheFolder(), `zip-${path.basename(fallbackFolder())}`);
	const zip = path.join(folder, `electron-v${version}-linux-x64.zip`);
	if (existsSync(zip)) return folder;
	mkdirSync(folder, { recursive: true });
	const work = mkdtempSync(path.join(folder, 'work-'));
	try {
		execFileSync('zip', ['-qry1', path.join(work, 'electron.zip'), '.'], { cwd: fallbackFolder() });
		renameSync(path.join(work, 'electron.zip'), zip);
	} catch (error) {
		fail(error.code === 'ENOENT' ? 'Making a package needs the program zip. On Debian: apt-get install zip' : String(error.message));
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
	return folder;
}

/** What the zip says it is counts, not its name: a package with another Electron is never passed off as a release. */
function developmentOnly(zip, version) {
	const found = execFileSync('unzip', ['-p', zip, 'version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
	if (found === version) return {};
	console.log(`This package is made with Electron ${found} instead of ${version}: for development and tests, not for release.`);
	return { fallback: true, node: realpathSync(process.execPath) };
}

async function electronOptions() {
	const version = releaseVersion();
	const given = values['electron-zip-dir'];
	if (given) {
		const zip = path.join(path.resolve(given), `electron-v${version}-${values.platform}-${values.arch}.zip`);
		if (!existsSync(zip)) fail(`There is no ${zip}.`);
		return { electronZipDir: path.resolve(given), ...developmentOnly(zip, version) };
	}
	if (values.platform !== process.platform || values.arch !== process.arch) return {};
	const runtime = await resolveElectron((line) => console.log(line));
	if (runtime.kind === 'release') return {};
	if (runtime.kind === 'given') fail('ELECTRON_OVERRIDE_DIST_PATH names no zip to package: use --electron-zip-dir.');
	const folder = fallbackZipFolder(version);
	return { electronZipDir: folder, ...developmentOnly(path.join(folder, `electron-v${version}-linux-x64.zip`), version) };
}

const electron = await electronOptions();
await buildAll();
const asked = values.targets?.split(',');
const debMaker = path.join(projectFolder, 'node_modules', 'electron-installer-debian');
if (values.platform === 'linux' && (!asked || asked.includes('deb')) && !existsSync(debMaker)) {
	// npm leaves out optional packages whose engines want a newer Node than it ran under; this process runs under the newer one.
	console.log('Installing the deb maker, which npm left out under an older Node…');
	const env = { ...process.env, PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}` };
	const done = spawnSync('npm', ['install', '--no-save', '--no-audit', '--no-fund'], {
		cwd: projectFolder,
		stdio: ['ignore', 'ignore', 'inherit'],
		env,
	});
	if (done.status !== 0 || !existsSync(debMaker)) fail('It could not be installed. For the zip alone: npm run make -- --targets zip');
}
const result = spawnSync(
	process.execPath,
	[
		path.join(projectFolder, 'node_modules', '@electron-forge', 'cli', 'dist', 'electron-forge.js'),
		'make',
		`--platform=${values.platform}`,
		`--arch=${values.arch}`,
		...(asked ? [`--targets=${asked.join(',')}`] : []),
	],
	{
		cwd: projectFolder,
		stdio: 'inherit',
		env: {
			...process.env,
			HEARTH_MAKE: JSON.stringify({ ...electron, driven: values.driven, ...(values.out && { out: path.resolve(values.out) }) }),
			HEARTH_MAKE_PLATFORM: values.platform,
			HEARTH_MAKE_ARCH: values.arch,
			// What is made to be driven is unpacked at once: the zip program need not press it.
			...(values.driven && { ZIPOPT: '-0' }),
		},
	},
);
process.exit(result.status ?? 1);
