import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { extractFile, listPackage } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type {} from '../../renderer/connection/shell.ts';
import { endDisplay, type HearthApp, launchHearth } from '../e2e/support/electron.ts';

const run = promisify(execFile);
const projectFolder = path.resolve(import.meta.dirname, '../..');
const work = mkdtempSync(path.join(tmpdir(), 'hearth-packaged-'));
/** The unpacked zip: what an owner gets. */
const unpacked = path.join(work, 'unpacked');
/** What the deb would put into the system. */
const installed = path.join(work, 'installed');
let executable: string;
let resources: string;
let hearth: HearthApp | undefined;

beforeAll(async () => {
	const made = path.join(work, 'out');
	await run(process.execPath, ['electron/dev/make.mjs', '--targets', 'zip,deb', '--driven', '--out', made], {
		cwd: projectFolder,
		maxBuffer: 1e8,
	});
	const [zip] = globSync('make/zip/**/*.zip', { cwd: made });
	if (!zip) throw new Error('The zip maker left no zip.');
	await run('unzip', ['-q', path.join(made, zip), '-d', unpacked]);
	const [deb] = globSync('make/deb/**/*.deb', { cwd: made });
	if (!deb) throw new Error('The deb maker left no deb.');
	await run('dpkg-deb', ['-x', path.join(made, deb), installed]);
	rmSync(made, { recursive: true, force: true });
	const [folder] = globSync('*/resources/app.asar', { cwd: unpacked });
	resources = path.dirname(path.join(unpacked, folder ?? ''));
	executable = ['hearth', 'hearth-electron33-dev'].map((name) => path.join(path.dirname(resources), name)).find(existsSync) ?? '';
}, 280_000);

afterAll(async () => {
	await hearth?.close();
	endDisplay();
	rmSync(work, { recursive: true, force: true });
});

test('the package opens, and its built-in responder answers', async () => {
	// A package takes neither another runtime nor another Node from the environment.
	hearth = await launchHearth({
		executable,
		env: { HEARTH_RUNTIME_ENTRY: '/nowhere/runtime.mjs', HEARTH_NODE: '/nowhere/node', HEARTH_HOST_MODE: 'utility-process' },
	});
	const page = hearth.window;
	await page.getByRole('button', { name: 'Start', exact: true }).click();
	const field = page.locator('#msg');
	await field.fill('How much is 12 * 7 + 3?');
	await field.press('Enter');
	await page.getByRole('article', { name: 'Hearth' }).last().getByText('87').first().waitFor();
	const info = await page.evaluate(() => window.hearthShell?.info());
	expect(info?.runtime).toMatch(/the release Hearth ships on|a package for development and tests/);
	expect(await hearth.app.evaluate(({ app }) => app.isPackaged)).toBe(true);
});

test('only what the app needs is in the package, and nothing of it can be read from outside the archive but what must', async () => {
	const archive = path.join(resources, 'app.asar');
	const files = listPackage(archive, { isPack: false }).map((file) => file.replaceAll('\\', '/'));
	expect(files).toContain('/dist/main/main.cjs');
	expect(files).toContain('/LICENSE');
	expect(files).toContain('/dist/runtime/workflows/onboarding.yaml');
	expect(
		files.filter(
			(file) => /\.(map|ts|tsx)$|\/(test|bench|docs|src|renderer)\//.test(file) && !/^\/dist\/renderer|\/node_modules\//.test(file),
		),
	).toEqual([]);
	const drivers = globSync('app.asar.unpacked/node_modules/better-sqlite3/prebuilds/*', { cwd: resources });
	expect(drivers).toHaveLength(1);
	const manifest = JSON.parse(extractFile(archive, 'package.json').toString());
	expect(Object.keys(manifest.dependencies)).toEqual(['better-sqlite3', 'onnxruntime-node', 'sqlite-vec']);
	expect(manifest).not.toHaveProperty('scripts');
	expect(manifest).not.toHaveProperty('devDependencies');
	expect(readFileSync(path.join(resources, 'app.asar.unpacked/dist/runtime/licences.md'), 'utf8')).toContain('zod');
	expect(statSync(archive).size).toBeLessThan(60_000_000);
});

test('M5 the embedding model is in the package with its licence, for this system alone, and embeds there', async () => {
	const outside = path.join(resources, 'app.asar.unpacked');
	const folder = path.join(outside, 'dist/model');
	expect(readdirSync(folder).sort()).toEqual(['LICENSE', 'NOTICE', 'model.onnx', 'tokenizer.json']);
	expect(globSync('node_modules/onnxruntime-node/bin/*/*/*', { cwd: outside }).map((file) => file.split(path.sep).slice(-2))).toEqual([
		[process.platform, process.arch],
	]);
	const [code] = globSync('dist/runtime/chunks/embedded-worker-*.mjs', { cwd: outside });
	const thread = new Worker(path.join(outside, code ?? 'no code'), {
		workerData: { job: 'embed texts', folder, guard: new SharedArrayBuffer(8) },
	});
	expect(await once(thread, 'message')).toEqual([{ type: 'ready' }]);
	thread.postMessage({ type: 'embed', texts: ['hello'] });
	expect(await once(thread, 'message')).toEqual([{ type: 'vectors', values: expect.objectContaining({ length: 384 }) }]);
	thread.postMessage({ type: 'end' });
	expect(await once(thread, 'exit')).toEqual([0]);
});

test('S4 the fuses are set', async () => {
	const wire = await getCurrentFuseWire(executable);
	const on = (fuse: FuseV1Options) => wire[fuse] === FuseState.ENABLE;
	expect(on(FuseV1Options.RunAsNode)).toBe(false);
	expect(on(FuseV1Options.EnableNodeOptionsEnvironmentVariable)).toBe(false);
	expect(on(FuseV1Options.OnlyLoadAppFromAsar)).toBe(true);
	expect(on(FuseV1Options.EnableCookieEncryption)).toBe(true);
	expect(on(FuseV1Options.GrantFileProtocolExtraPrivileges)).toBe(false);
	// Open here because this test drives the package; `make` locks it where it isn't told otherwise.
	expect(on(FuseV1Options.EnableNodeCliInspectArguments)).toBe(true);
});

test('the deb installs the program, a desktop entry that starts it, and its icon in every size', () => {
	const [entry, ...others] = globSync('usr/share/applications/*.desktop', { cwd: installed });
	expect(others).toEqual([]);
	const lines = readFileSync(path.join(installed, entry ?? ''), 'utf8').split('\n');
	const value = (key: string) => lines.find((line) => line.startsWith(`${key}=`))?.slice(key.length + 1);
	const program = value('Exec')?.replace(/ %U$/, '') ?? '';
	expect(program).toBe(path.basename(executable));
	expect(lstatSync(path.join(installed, 'usr/bin', program)).isSymbolicLink()).toBe(true);
	expect(statSync(path.join(installed, 'usr/lib', program, program)).mode & 0o111).toBe(0o111);
	expect(existsSync(path.join(installed, 'usr/lib', program, 'resources/app.asar'))).toBe(true);
	// Chromium's own sandbox where the kernel allows no other: only with this bit.
	expect(statSync(path.join(installed, 'usr/lib', program, 'chrome-sandbox')).mode & 0o7777).toBe(0o4755);
	const sizes = globSync(`usr/share/icons/hicolor/*/apps/${value('Icon')}.png`, { cwd: installed }).map((file) => file.split('/')[4]);
	expect(sizes.sort()).toEqual(['128x128', '16x16', '24x24', '256x256', '32x32', '48x48', '512x512', '64x64']);
});
