/**
 * Which Electron runs here, and why: the release the project ships on where its own installer can get it, else the fallback of
 * `prepare-electron.mjs`. Whatever it is, it is said in words.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder, FALLBACK_VERSION, hasFallback, prepareFallback, supportsFallback } from './prepare-electron.mjs';

const electronPackage = path.resolve(import.meta.dirname, '..', '..', 'node_modules', 'electron');
const PROBE_TIMEOUT_MS = 8_000;
const INSTALL_TIMEOUT_MS = 15 * 60_000;
/** After a failed attempt the release host is left alone for this long. */
const RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * @typedef {object} ElectronRuntime
 * @property {string} executable
 * @property {string} folder the dist folder
 * @property {'release' | 'fallback' | 'given'} kind
 * @property {string} why in words, for the owner and for diagnostics
 */

export function releaseVersion() {
	return JSON.parse(readFileSync(path.join(electronPackage, 'package.json'), 'utf8')).version;
}

/** @returns {ElectronRuntime | undefined} */
function installedRelease() {
	const pathFile = path.join(electronPackage, 'path.txt');
	if (!existsSync(pathFile)) return undefined;
	const folder = path.join(electronPackage, 'dist');
	const executable = path.join(folder, readFileSync(pathFile, 'utf8'));
	if (!existsSync(executable)) return undefined;
	return { executable, folder, kind: 'release', why: `Electron ${releaseVersion()}, the release Hearth ships on` };
}

function fallbackRuntime(folder) {
	return {
		executable: path.join(folder, 'electron'),
		folder,
		kind: 'fallback',
		why: `Electron ${FALLBACK_VERSION}, the fallback for development: Electron ${releaseVersion()} could not be downloaded here`,
	};
}

function runNode(args, timeoutMs) {
	return new Promise((resolve) => {
		const child = spawn(process.execPath, args, {
			stdio: ['ignore', 'ignore', 'ignore'],
			env: { ...process.env, NODE_USE_ENV_PROXY: '1' },
			timeout: timeoutMs,
			killSignal: 'SIGKILL',
		});
		child.once('error', () => resolve(false));
		child.once('exit', (code) => resolve(code === 0));
	});
}

/** Whether the release host answers at all. A mirror the owner named is taken at its word. */
function isReleaseHostReachable(version) {
	if (process.env.ELECTRON_MIRROR || process.env.npm_config_electron_mirror) return true;
	const url = `https://github.com/electron/electron/releases/download/v${version}/SHASUMS256.txt`;
	const probe = `fetch(${JSON.stringify(url)}).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))`;
	return runNode(['--eval', probe], PROBE_TIMEOUT_MS);
}

function failedLately() {
	const mark = path.join(cacheFolder(), 'release-host-unreachable');
	return existsSync(mark) && Date.now() - statSync(mark).mtimeMs < RETRY_AFTER_MS;
}

function rememberFailure() {
	mkdirSync(cacheFolder(), { recursive: true });
	writeFileSync(path.join(cacheFolder(), 'release-host-unreachable'), '');
}

/**
 * HEARTH_ELECTRON=release tries the download again although it failed lately; HEARTH_ELECTRON=fallback doesn't try it.
 * @param {(line: string) => void} [say]
 * @returns {Promise<ElectronRuntime>}
 */
export async function resolveElectron(say = () => {}) {
	const given = process.env.ELECTRON_OVERRIDE_DIST_PATH;
	if (given) {
		const name =
			process.platform === 'win32' ? 'electron.exe' : process.platform === 'darwin' ? 'Electron.app/Contents/MacOS/Electron' : 'electron';
		return { executable: path.join(given, name), folder: given, kind: 'given', why: 'the Electron named by ELECTRON_OVERRIDE_DIST_PATH' };
	}
	const wish = process.env.HEARTH_ELECTRON;
	const installed = installedRelease();
	if (installed && wish !== 'fallback') return installed;
	const tryRelease = wish === 'release' || (wish !== 'fallback' && !(hasFallback() && failedLately()));
	const version = releaseVersion();
	if (tryRelease && (await isReleaseHostReachable(version))) {
		say(`Downloading Electron ${version} (about 110 MB, once)…`);
		if (await runNode([path.join(electronPackage, 'install.js')], INSTALL_TIMEOUT_MS)) {
			const release = installedRelease();
			if (release) return release;
		}
	}
	if (tryRelease) rememberFailure();
	if (wish !== 'fallback' || !hasFallback()) {
		// With the fallback at hand the app itself says what it opens with, and why.
		const next = supportsFallback ? '' : ', and there is no fallback for this system';
		if (!hasFallback()) say(`Electron ${version} can’t be downloaded here (its release host is not reachable)${next}.`);
	}
	return fallbackRuntime(await prepareFallback(say));
}
