import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
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
	const host: WebHostOptions = {
		profileFolder,
		rendererFolder,
		port: 0,
		localAddresses: { ollama: NOWHERE, lmstudio: `${NOWHERE}/v1`, ...options.localAddresses },
		...(options.ledger ? { ledger: options.ledger } : {}),
	};
	let child: ChildProcess;
	let lines: AsyncIterator<string>;
	const nextLine = async (): Promise<string> => {
		const line = await lines.next();
		if (line.done) throw new Error('the runtime ended');
		return line.value;
	};
	const url = async (): Promise<string> => {
		child.stdin?.write('\n');
		const address = await nextLine();
		host.port = Number(new URL(address).port);
		return address;
	};
	const start = async (): Promise<void> => {
		child = spawn(process.execPath, [join(import.meta.dirname, 'web-host.ts'), JSON.stringify(host)], {
			stdio: ['pipe', 'pipe', 'inherit'],
		});
		if (!child.stdout) throw new Error('no output');
		lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
		await nextLine();
		// After a crash the door opens at the same place, so that an open page finds it again.
		if (host.port !== 0) await url();
	};
	const end = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		const gone = once(child, 'exit');
		child.kill(signal);
		await gone;
	};
	await start();
	const hearth: Hearth = {
		home,
		profileFolder,
		get pid() {
			return child.pid ?? 0;
		},
		url,
		start,
		kill: () => end('SIGKILL'),
		stop: async () => {
			await end('SIGTERM');
			if (!options.home) rmSync(home, { recursive: true, force: true });
		},
	};
	if (options.firstRunDone ?? true) {
		try {
			await passFirstRun(hearth);
		} catch (error) {
			await hearth.stop();
			throw error;
		}
	}
	return hearth;
}

/** Through the view itself: the first screen, without a model. */
async function passFirstRun(hearth: Hearth): Promise<void> {
	const view = await openView(hearth);
	await view.page.getByRole('radio', { name: 'Start without a model' }).check();
	await view.page.getByRole('button', { name: 'Start', exact: true }).click();
	await view.page.getByRole('navigation', { name: 'Main' }).waitFor();
	await view.close();
}

let browser: Promise<Browser> | undefined;
function chromiumBrowser(): Promise<Browser> {
	browser ??= chromium.launch({
		executablePath: process.env.HEARTH_TEST_CHROMIUM ?? '/usr/bin/chromium',
		args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
	});
	return browser;
}

/** Ends the Chromium that all views of a test file share. */
export async function closeBrowser(): Promise<void> {
	await (await browser)?.close();
	browser = undefined;
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

/** A page in a browser of its own (cookies and storage are not shared), let in by a one-time address. */
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
	page.setDefaultTimeout(15_000);
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
	// Colours are judged when they have arrived: a fading dialog has any contrast.
	await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => undefined))));
	const { violations } = await new AxeBuilder({ page })
		.withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
		.disableRules(without)
		// The library's guards around an open popup take the focus only to hand it on.
		.exclude('[data-base-ui-focus-guard]')
		// A window of the desktop app belongs to no browser: there the results can't be put together in a second page.
		.setLegacyMode(page.context().browser() === null)
		.analyze();
	const found = violations.map((violation) => ({
		rule: violation.id,
		help: violation.help,
		where: violation.nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
	}));
	expect(found, where).toEqual([]);
}

/** Keeps a picture for people to look at: in `$HEARTH_SHOTS`, else in a folder of the system's temporary one. */
export async function takePicture({ page }: Pick<View, 'page'>, name: string): Promise<void> {
	const folder = process.env.HEARTH_SHOTS ?? join(tmpdir(), 'hearth-shots');
	mkdirSync(folder, { recursive: true });
	await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
}
