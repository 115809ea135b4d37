import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium, type Page } from 'playwright-core';
import { asRoot, cleanEnvironment, endDisplay, launchHearth, prepareElectron } from '../test/e2e/support/electron.ts';
import { processorMs, residentMb } from './process-figures.ts';

/**
 * Figures of the desktop app: cold start beside a bare Electron window in the same run, and the runtime at rest.
 *
 * A start is counted from the moment the process is spawned to a mark that the page itself sets when its field is there and
 * takes keys; the debugger that reads the mark comes later and costs nothing. Bare: one window, one local page, one field.
 * Starts alternate and the medians are compared. The very first start of a profile, with its first-run screen, is not counted.
 */
export interface AppFigures {
	cold_start_ratio: number;
	cold_start_ms: number;
	bare_start_ms: number;
	idle_cpu_pct: number;
	idle_rss_mb: number;
}

const MARK = 'composer-takes-keys';
const SETTLE_MS = 8_000;
const IDLE_MS = 20_000;

export async function appFigures(starts: number): Promise<AppFigures> {
	const executable = await prepareElectron();
	const folder = mkdtempSync(join(tmpdir(), 'hearth-start-'));
	const home = join(folder, 'home');
	try {
		const bare = bareApp(join(folder, 'bare'));
		prepareProfile(home);
		// Once without counting: the profile's databases are made, the window remembers that it was open.
		const { idle_cpu_pct, idle_rss_mb } = await atRest(home);
		const hearthTimes: number[] = [];
		const bareTimes: number[] = [];
		for (let start = 0; start < starts; start++) {
			bareTimes.push(await startTime(executable, bare, home));
			hearthTimes.push(await startTime(executable, resolve(import.meta.dirname, '..'), home));
		}
		const cold_start_ms = median(hearthTimes);
		const bare_start_ms = median(bareTimes);
		return { cold_start_ratio: cold_start_ms / bare_start_ms, cold_start_ms, bare_start_ms, idle_cpu_pct, idle_rss_mb };
	} finally {
		endDisplay();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** A profile that has been through the first run and closes with its window. */
function prepareProfile(home: string): void {
	const folder = join(home, 'profiles', 'default');
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const config = { version: 1, firstRunDone: true, settings: { keepInTray: false, quickWindowHotkey: '' } };
	writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
}

function bareApp(folder: string): string {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'bare', main: 'main.cjs' }));
	writeFileSync(
		join(folder, 'main.cjs'),
		`const { app, BrowserWindow } = require('electron');
app.setPath('userData', ${JSON.stringify(join(folder, 'data'))});
app.whenReady().then(() => new BrowserWindow({ width: 1280, height: 800 }).loadFile('index.html'));
app.on('window-all-closed', () => app.quit());
`,
	);
	writeFileSync(
		join(folder, 'index.html'),
		`<!doctype html><title>Bare</title><textarea id="field"></textarea><script>document.getElementById('field').focus(); performance.mark('${MARK}')</script>`,
	);
	return folder;
}

async function atRest(home: string): Promise<Pick<AppFigures, 'idle_cpu_pct' | 'idle_rss_mb'>> {
	const hearth = await launchHearth({ home });
	const pid = await hearth.runtimePid();
	await hearth.window.locator('#msg').waitFor();
	await pause(SETTLE_MS);
	const before = processorMs(pid);
	const from = performance.now();
	await pause(IDLE_MS);
	const idle_cpu_pct = ((processorMs(pid) - before) / (performance.now() - from)) * 100;
	const idle_rss_mb = residentMb(pid);
	await hearth.close();
	return { idle_cpu_pct, idle_rss_mb };
}

/** Milliseconds from the spawn to the mark. */
async function startTime(executable: string, app: string, home: string): Promise<number> {
	const env = await cleanEnvironment({ HEARTH_HOME: home });
	const spawned = performance.timeOrigin + performance.now();
	const child = spawn(executable, [...asRoot(), '--remote-debugging-port=0', app], { env, stdio: ['ignore', 'ignore', 'pipe'] });
	try {
		const browser = await chromium.connectOverCDP(await debuggerAddress(child));
		const page = await firstPage(() => browser.contexts().flatMap((context) => context.pages()));
		const marked = await page.waitForFunction((name) => {
			const [mark] = performance.getEntriesByName(name);
			return mark ? performance.timeOrigin + mark.startTime : undefined;
		}, MARK);
		const at = await marked.jsonValue();
		// The connection is not closed from here: the runtime inherited its socket, so it ends only when both processes do.
		return (at ?? Number.NaN) - spawned;
	} finally {
		const gone = once(child, 'exit');
		child.kill('SIGTERM');
		await gone;
	}
}

async function debuggerAddress(child: ChildProcess): Promise<string> {
	if (!child.stderr) throw new Error('no output');
	for await (const line of createInterface({ input: child.stderr })) {
		const found = /DevTools listening on (ws:\S+)/.exec(line);
		if (found?.[1]) {
			child.stderr.resume();
			return found[1];
		}
	}
	throw new Error('The app ended before its window opened.');
}

async function firstPage(pages: () => Page[]): Promise<Page> {
	for (;;) {
		const [page] = pages();
		if (page) return page;
		await pause(20);
	}
}

function pause(ms: number): Promise<void> {
	return new Promise((done) => {
		setTimeout(done, ms);
	});
}

function median(values: readonly number[]): number {
	return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
