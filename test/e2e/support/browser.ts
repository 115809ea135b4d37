import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { giveBackHost, type HostProcess, takeHost } from './host-process.ts';
import type { WebHostOptions } from './web-host.ts';

/**
 * The harness of all browser tests: the built view in a real Chromium, against a real runtime in its own process over a
 * temporary profile. Everything a page reports (console errors, refused content, failed requests) fails the test that
 * asks `page.problems`.
 */
const project = resolve(import.meta.dirname, '../../..');
const rendererFolder = join(project, 'dist/renderer');
/** Nothing listens there: detection finds no server unless a test gives one. */
const NOWHERE = 'http://127.0.0.1:2';

export interface HearthOptions {
	home?: string;
	profile?: string;
	localAddresses?: Partial<WebHostOptions['localAddresses']>;
	/** The owner has been through the first run; true unless told otherwise. */
	firstRunDone?: boolean;
	ledger?: string;
}

export interface Hearth {
	readonly home: string;
	readonly profileFolder: string;
	readonly pid: number;
	/** A new one-time address. */
	url(): Promise<string>;
	/** SIGKILL, as a crash. The door's port stays the same after `start`. */
	kill(): Promise<void>;
	start(): Promise<void>;
	/** Stops it and removes the home where this call made it. */
	stop(): Promise<void>;
}

let built: Promise<unknown> | undefined;
function ensureBuilt(): Promise<unknown> {
	built ??= promisify(execFile)(process.execPath, [join(project, 'electron/dev/build.mjs'), 'renderer'], { cwd: project });
	return built;
}

export async function startHearth(options: HearthOptions = {}): Promise<Hearth> {
	await ensureBuilt();
	const home = options.home ?? mkdtempSync(join(tmpdir(), 'hearth-browser-'));
	const profileFolder = join(home, 'profiles', options.profile ?? 'default');
	if (options.firstRunDone ?? true) {
		mkdirSync(profileFolder, { recursive: true, mode: 0o700 });
		writeFileSync(join(profileFolder, 'config.json'), JSON.stringify({ version: 1, firstRunDone: true }));
	}
	const host: WebHostOptions = {
		profileFolder,
		rendererFolder,
		port: 0,
		localAddresses: { ollama: NOWHERE, lmstudio: `${NOWHERE}/v1`, ...options.localAddresses },
		...(options.ledger ? { ledger: options.ledger } : {}),
	};
	let process: HostProcess | undefined;
	const running = (): HostProcess => {
		if (!process) throw new Error('the runtime does not run');
		return process;
	};
	const url = async (): Promise<string> => {
		const address = await running().ask({ order: 'url' });
		host.port = Number(new URL(address).port);
		return address;
	};
	const start = async (): Promise<void> => {
		process = takeHost();
		await process.ask({ order: 'open', options: host });
		// After a crash the door opens at the same place, so that an open page finds it again.
		if (host.port !== 0) await url();
	};
	await start();
	return {
		home,
		profileFolder,
		get pid() {
			return running().pid;
		},
		url,
		start,
		async kill() {
			await process?.kill();
			process = undefined;
		},
		async stop() {
			const last = process;
			process = undefined;
			if (last) {
				await last.ask({ order: 'close' });
				giveBackHost(last);
			}
			if (!options.home) rmSync(home, { recursive: true, force: true });
		},
	};
}

/**
 * What Chromium is to leave out. It takes the last such list it is given, so this one repeats what the driver leaves out and
 * matters here. The popups of the address bar are pages of their own, which it would load for each window that a test opens:
 * as much work as the view itself.
 */
const WITHOUT = [
	...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'PreloadTopChromeWebUI'],
	...['AimEnabled', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'PreconnectToSearch', 'MediaRouter', 'LensOverlay'],
	...['HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
	...['AvoidUnnecessaryBeforeUnloadCheckSync', 'AvoidCorsURLLoaderRestartOnRedirect', 'DestroyProfileOnBrowserClose'],
];

let browser: Promise<Browser> | undefined;
function chromiumBrowser(): Promise<Browser> {
	browser ??= chromium.launch({
		executablePath: process.env.HEARTH_TEST_CHROMIUM ?? '/usr/bin/chromium',
		args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update', `--disable-features=${WITHOUT.join(',')}`],
	});
	return browser;
}

/** Ends Chromium, for a program that goes on without it. */
export async function closeBrowser(): Promise<void> {
	await (await browser)?.close();
	browser = undefined;
}

/** Closes what a test file left open. Chromium itself serves all files of a process, and ends with it. */
export async function closeViews(): Promise<void> {
	for (const context of (await browser)?.contexts() ?? []) await context.close();
}

export interface ViewOptions {
	theme?: 'light' | 'dark';
	width?: number;
	height?: number;
	reducedMotion?: 'reduce';
	forcedColors?: 'active';
	/** Where in the app to begin, such as `/settings/models`. */
	at?: string;
}

export interface View {
	readonly page: Page;
	readonly context: BrowserContext;
	/** Console errors, uncaught errors and refused content since the page opened. */
	readonly problems: string[];
	close(): Promise<void>;
}

/** A page in a context of its own (cookies and storage are not shared), let in by a one-time address. */
export async function openView(hearth: Hearth, options: ViewOptions = {}): Promise<View> {
	const context = await (await chromiumBrowser()).newContext({
		viewport: { width: options.width ?? 1280, height: options.height ?? 800 },
		colorScheme: options.theme ?? 'light',
		locale: 'en-GB',
		timezoneId: 'Europe/Berlin',
		...(options.reducedMotion ? { reducedMotion: options.reducedMotion } : {}),
		...(options.forcedColors ? { forcedColors: options.forcedColors } : {}),
	});
	const page = await context.newPage();
	// Far longer than anything takes: other tests run beside this one.
	page.setDefaultTimeout(30_000);
	const problems: string[] = [];
	page.on('console', (message) => {
		if (message.type() === 'error') problems.push(message.text());
	});
	page.on('pageerror', (error) => problems.push(String(error)));
	await page.goto(await hearth.url());
	await page.getByRole('main').waitFor();
	// The first chat is open, or the first screen: from here on only the test moves the address.
	await page.waitForURL(/#\/(chat\/.+|welcome)$/);
	const view: View = { page, context, problems, close: () => context.close() };
	if (options.at) await goTo(view, options.at);
	return view;
}

/** Goes to a screen by its address. */
export async function goTo({ page }: View, place: string): Promise<void> {
	await page.evaluate((to) => {
		window.location.hash = to;
	}, place);
	await page.getByRole('main').waitFor();
}

/** No finding of axe in the rules for WCAG 2.2 A and AA, nor in its best practices but those named in `without`. */
export async function expectAccessible({ page }: Pick<View, 'page'>, where: string, without: string[] = []): Promise<void> {
	// Colours are judged when they have arrived: a fading dialog has any contrast. What turns for as long as a run is at work never does.
	await page.evaluate(() => {
		const fades = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
		return Promise.all(fades.map((animation) => animation.finished.catch(() => undefined)));
	});
	const { violations } = await new AxeBuilder({ page })
		.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
		.disableRules(without)
		// The library's guards around an open popup take the focus only to hand it on.
		.exclude('[data-base-ui-focus-guard]')
		// Putting the results of several frames together takes a second page: needless work where there is one frame, and a window
		// of the desktop app, which belongs to no browser, can open none.
		.setLegacyMode(page.frames().length === 1 || page.context().browser() === null)
		.analyze();
	const found = violations.map((violation) => ({
		rule: violation.id,
		help: violation.help,
		where: violation.nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
	}));
	expect(found, where).toEqual([]);
}

/** Keeps a picture for people to look at in the folder `$HEARTH_SHOTS`, where there is one. */
export async function takePicture({ page }: Pick<View, 'page'>, name: string): Promise<void> {
	const folder = process.env.HEARTH_SHOTS;
	if (!folder) return;
	mkdirSync(folder, { recursive: true });
	await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
