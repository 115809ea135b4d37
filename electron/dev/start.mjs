#!/usr/bin/env node
/**
 * `npm start`: gets an Electron, builds what changed and opens the app. Words after `--` go to the app (`--profile NAME`,
 * `--home FOLDER`). Runs under the system's Node too, however old: it goes on under the project's own.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const projectFolder = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..');

function fail(line) {
	console.error(line);
	process.exit(1);
}

/** Runs a program in this one's place: same terminal, signals handed on, same end. */
function become(command, words, environment = process.env) {
	const child = spawn(command, words, { stdio: 'inherit', env: environment });
	// A terminal sends Ctrl+C to both; the other program decides when to end.
	process.on('SIGINT', () => {});
	for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
	child.once('error', (error) => fail(`${command} could not be started: ${error.message}`));
	return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1))));
}

async function goOnUnderNode24() {
	if (Number(process.versions.node.split('.')[0]) >= 24) return;
	const ownNode = join(projectFolder, 'node_modules', '.bin', 'node');
	if (!existsSync(ownNode)) {
		fail(
			`Hearth needs Node 24 or newer; this is Node ${process.versions.node}. Run "npm install" first, or install Node 24 where the project brings none.`,
		);
	}
	process.exit(await become(ownNode, process.argv.slice(1)));
}

/** In a process of its own: the bundler's memory is not kept while the app runs. */
function buildChanged() {
	const { status } = spawnSync(process.execPath, [join(projectFolder, 'electron', 'dev', 'build.mjs'), 'all'], { stdio: 'inherit' });
	if (status !== 0) fail('Hearth could not be built; the reason is above.');
}

/** Where the kernel forbids Electron's sandbox, Electron ends with a page of native errors: say it in one line instead. */
function sandboxProblem(folder) {
	const restriction = '/proc/sys/kernel/apparmor_restrict_unprivileged_userns';
	if (
		process.platform !== 'linux' ||
		process.getuid() === 0 ||
		!existsSync(restriction) ||
		readFileSync(restriction, 'utf8').trim() === '0'
	)
		return undefined;
	const helper = join(folder, 'chrome-sandbox');
	const state = existsSync(helper) ? statSync(helper) : undefined;
	if (state && state.uid === 0 && (state.mode & 0o4000) !== 0) return undefined;
	return `This system lets no program start a sandbox of its own. Allow it for Hearth with: sudo chown root "${helper}" && sudo chmod 4755 "${helper}" (or use: npm run web)`;
}

function electronSwitches() {
	const switches = [];
	if (process.platform !== 'linux') return switches;
	if (process.getuid() === 0) switches.push('--no-sandbox');
	// Chromium reports every missing desktop service as an error; what Hearth itself has to say would drown in it.
	if (!process.env.HEARTH_VERBOSE) switches.push('--log-level=3');
	if (process.env.WAYLAND_DISPLAY && !process.env.DISPLAY) switches.push('--ozone-platform=wayland');
	return switches;
}

await goOnUnderNode24();
if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
	fail('There is no display here for the window. Use Hearth in a browser instead: npm run web');
}
if (!existsSync(join(projectFolder, 'node_modules', 'vite'))) fail('The dependencies are not installed yet. Run: npm install');

const { resolveElectron } = await import('./resolve-electron.mjs');
const say = (line) => console.log(line);
let runtime;
try {
	runtime = await resolveElectron(say);
} catch (error) {
	fail(error instanceof Error ? error.message : String(error));
}
buildChanged();
const problem = sandboxProblem(runtime.folder);
if (problem) fail(problem);

const code = await become(runtime.executable, [...electronSwitches(), projectFolder, ...process.argv.slice(2)], {
	...process.env,
	HEARTH_ELECTRON_WHY: runtime.why,
	HEARTH_NODE: process.execPath,
});
if (code === 127) {
	console.error(
		'Electron lacks libraries of the system. On Debian: sudo apt-get install libgtk-3-0 libnss3 libasound2 libgbm1 libxss1 libatk-bridge2.0-0 libcups2',
	);
}
process.exit(code);
