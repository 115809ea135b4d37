import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { asRoot, cleanEnvironment, endDisplay, launchHearth, prepareElectron } from '../test/e2e/support/electron.ts';
import { openDebugger } from './debugger.ts';
import { median } from './numbers.ts';
import { processorMs, residentMb } from './process-figures.ts';

/**
 * Figures of the desktop app: cold start beside a bare Electron window in the same run, and the runtime at rest.
 *
 * A start is counted from the moment the process is spawned to the later of two: the mark that the page itself sets when its
 * field has the focus and takes keys, and the first paint. The debugger that reads both comes later and costs nothing. Bare:
 * one window, one local page, one field. Starts alternate, one of each comes first without being counted, the medians are
 * compared. In every start of Hearth a word goes into the field as soon as it is there and must be in the chat's composer at
 * the end. The very first start of a profile, with its first-run screen, is not counted.
 */
export interface AppFigures {
	cold_start_ratio: number;
	cold_start_ms: number;
	bare_start_ms: number;
	/** Until the runtime has answered and the newest chat's own composer stands in the place of the early field. */
	cold_connected_ms: number;
	idle_cpu_pct: number;
	idle_rss_mb: number;
}

const MARK = 'composer-takes-keys';
const WARM_UP = 1;
const START_TIMEOUT_MS = 60_000;
const SETTLE_MS = 8_000;
const IDLE_MS = 20_000;

export async function appFigures(starts: number): Promise<AppFigures> {
	const executable = await prepareElectron();
	const folder = mkdtempSync(join(tmpdir(), 'hearth-start-'));
	const home = join(folder, 'home');
	const project = resolve(import.meta.dirname, '..');
	try {
		const bare = bareApp(join(folder, 'bare'));
		prepareProfile(home);
		// The profile's databases are made, the window remembers that it was open.
		console.error('the runtime at rest');
		const { idle_cpu_pct, idle_rss_mb } = await atRest(home);
		const hearthStarts: Start[] = [];
		const bareStarts: Start[] = [];
		for (let start = -WARM_UP; start < starts; start++) {
			const ofBare = await timeStart(executable, bare, home);
			const ofHearth = await timeStart(executable, project, home, `word${start + WARM_UP}`);
			console.error(`start ${start + 1} of ${starts}: ${Math.round(ofHearth.ready)} ms, bare ${Math.round(ofBare.ready)} ms`);
			if (start < 0) continue;
			bareStarts.push(ofBare);
			hearthStarts.push(ofHearth);
		}
		const cold_start_ms = median(hearthStarts.map(({ ready }) => ready));
		const bare_start_ms = median(bareStarts.map(({ ready }) => ready));
		const cold_connected_ms = median(hearthStarts.map(({ connected }) => connected));
		return { cold_start_ratio: cold_start_ms / bare_start_ms, cold_start_ms, bare_start_ms, cold_connected_ms, idle_cpu_pct, idle_rss_mb };
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

/** Milliseconds from the spawn. */
interface Start {
	ready: number;
	connected: number;
}

const Marks = z.object({ marks: z.array(z.number()), painted: z.number() });
const MARKS = `(() => {
	const [paint] = performance.getEntriesByName('first-paint');
	const marks = performance.getEntriesByName('${MARK}').map(({ startTime }) => performance.timeOrigin + startTime);
	return paint && marks.length > 0 ? { marks, painted: performance.timeOrigin + paint.startTime } : undefined;
})()`;

async function timeStart(executable: string, app: string, home: string, word?: string): Promise<Start> {
	const env = await cleanEnvironment({ HEARTH_HOME: home });
	const spawned = performance.timeOrigin + performance.now();
	const child = spawn(executable, [...asRoot(), '--remote-debugging-port=0', app], { env, stdio: ['ignore', 'ignore', 'pipe'] });
	const gone = once(child, 'exit');
	const late = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
	try {
		const page = await openDebugger(await debuggerAddress(child));
		await page.until(MARKS);
		if (word) {
			await page.send('Input.insertText', { text: word });
			await page.until(`document.getElementById('msg')?.value.endsWith('${word}')`);
		}
		const { marks, painted } = Marks.parse(await page.until(MARKS));
		page.close();
		return { ready: Math.max(marks[0] ?? Number.NaN, painted) - spawned, connected: (marks.at(-1) ?? Number.NaN) - spawned };
	} finally {
		child.kill('SIGTERM');
		await gone;
		clearTimeout(late);
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

function pause(ms: number): Promise<void> {
	return new Promise((done) => {
		setTimeout(done, ms);
	});
}
