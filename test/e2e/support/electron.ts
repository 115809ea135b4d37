import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { buildAll } from '../../../electron/dev/build.mjs';
import { resolveElectron } from '../../../electron/dev/resolve-electron.mjs';
import type { RuntimeStatus } from '../../../src/contract/shell.ts';

const projectFolder = path.resolve(import.meta.dirname, '../../..');

export interface HearthApp {
	readonly app: ElectronApplication;
	/** The main window's page. */
	readonly window: Page;
	readonly home: string;
	/** What the app and its runtime wrote to their outputs. */
	output(): string;
	/** The process id of the runtime, once it runs. */
	runtimePid(): Promise<number>;
	/** Quits as an owner does, and removes the home where this launch made it. */
	close(): Promise<void>;
}

export interface LaunchOptions {
	/** An existing home; without it a new one is made and removed at the end. */
	home?: string;
	/** Words after the app's folder, such as `--profile`, `work`. */
	words?: string[];
	env?: Record<string, string>;
	/** Start this executable instead of Electron on the project (a package). */
	executable?: string;
}

let display: Promise<string | undefined> | undefined;
let server: ChildProcess | undefined;

/** The display there is, else an X server without a screen that ends with this process. */
async function ensureDisplay(): Promise<string | undefined> {
	if (process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY) return process.env.DISPLAY;
	display ??= new Promise((resolve, reject) => {
		const started = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
			stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
		});
		server = started;
		started.once('error', () => reject(new Error('There is no display and no Xvfb to make one. On Debian: apt-get install xvfb')));
		started.stdio[3]?.once('data', (data: Buffer) => resolve(`:${String(data).trim()}`));
		process.once('exit', () => started.kill());
	});
	return display;
}

/** Ends the X server that `launchHearth` started, if it did. */
export function endDisplay(): void {
	server?.kill();
	server = undefined;
	display = undefined;
}

/** The environment of this process without anything that would steer Hearth. */
export async function cleanEnvironment(more: Record<string, string> = {}): Promise<Record<string, string>> {
	const inherited = Object.entries(process.env).filter(
		(entry): entry is [string, string] => entry[1] !== undefined && !/^(HEARTH_|ELECTRON_|NODE_OPTIONS|VITEST|NODE_ENV)/.test(entry[0]),
	);
	const screen = await ensureDisplay();
	return { ...Object.fromEntries(inherited), ...(screen && { DISPLAY: screen }), HEARTH_NODE: process.execPath, ...more };
}

export function asRoot(): string[] {
	return process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

let prepared: Promise<string> | undefined;

/** Builds what changed and finds an Electron; the executable. */
export function prepareElectron(): Promise<string> {
	prepared ??= (async () => {
		await buildAll(undefined, { quiet: true });
		return (await resolveElectron()).executable;
	})();
	return prepared;
}

export function temporaryHome(): Promise<string> {
	return mkdtemp(path.join(os.tmpdir(), 'hearth-e2e-'));
}

/**
 * The driver loses its hold on a starting Electron now and then (before the app's own code has run), ends that process and
 * reports a time-out. It gets one more try, and says so; anything else that goes wrong at a start is not tried again.
 */
async function launchDriven(options: Parameters<typeof _electron.launch>[0]): Promise<ElectronApplication> {
	try {
		return await _electron.launch({ ...options, timeout: 20_000 });
	} catch (error) {
		if (!(error instanceof Error && error.name === 'TimeoutError')) throw error;
		console.log('The driver lost a starting Electron; it is started once more.');
		return await _electron.launch({ ...options, timeout: 60_000 });
	}
}

/** Starts the app in a home of its own and waits for its main window. */
export async function launchHearth(options: LaunchOptions = {}): Promise<HearthApp> {
	const executable = options.executable ?? (await prepareElectron());
	const home = options.home ?? (await temporaryHome());
	const app = await launchDriven({
		executablePath: executable,
		args: [...asRoot(), ...(options.executable ? [] : [projectFolder]), ...(options.words ?? [])],
		env: await cleanEnvironment({ HEARTH_HOME: home, ...options.env }),
		// The driver would pretend a light desktop; the app's own theme is what is wanted.
		colorScheme: null,
	});
	let written = '';
	app.process().stdout?.on('data', (data: Buffer) => {
		written += String(data);
	});
	app.process().stderr?.on('data', (data: Buffer) => {
		written += String(data);
	});
	const window = await app.firstWindow();
	await window.waitForLoadState('load');
	const runtimePid = async (): Promise<number> => {
		for (;;) {
			const status = await window.evaluate<RuntimeStatus | undefined>('window.hearthShell.runtimeStatus()');
			if (status?.state === 'running') return status.pid;
			if (status?.state === 'failed') throw new Error(`The runtime failed: ${status.message}\n${written}`);
			await new Promise((resolve) => setTimeout(resolve, 50));
		}
	};
	return {
		app,
		window,
		home,
		output: () => written,
		runtimePid,
		close: async () => {
			await app.close();
			if (!options.home) await rm(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
		},
	};
}
