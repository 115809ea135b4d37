import { existsSync } from 'node:fs';
import path from 'node:path';
import { build } from 'vite';
import { afterAll, expect, test } from 'vitest';
import type {} from '../../renderer/connection/shell.ts';
import { endDisplay, launchHearth, prepareElectron } from './support/electron.ts';

const projectFolder = path.resolve(import.meta.dirname, '../..');
/** The driver built at Node-API 8; named by whoever runs the tests, because no package holds it. */
const driver = process.env.HEARTH_NAPI8_DRIVER;
const hostFolder = path.join(projectFolder, '.tmp', 'napi8-host');

afterAll(endDisplay);

async function buildHost(): Promise<string> {
	await build({
		configFile: path.join(projectFolder, '.config/vite.runtime.ts'),
		configLoader: 'native',
		logLevel: 'error',
		build: { outDir: hostFolder, ssr: path.join(projectFolder, 'test/support/electron/napi8-host.ts'), license: false },
	});
	return path.join(hostFolder, 'host-entry.mjs');
}

test('the runtime serves the window from a utility process, too, and is started again when it dies', async () => {
	await prepareElectron();
	const probe = await launchHearth();
	const napi = await probe.app.evaluate(() => Number(process.versions.napi));
	const usual = await probe.window.evaluate(() => window.hearthShell?.info());
	await probe.close();
	const needsDriver = napi < 10;
	if (needsDriver && !(driver && existsSync(driver))) {
		// Not a skip: what is asserted here is that such an Electron is not trusted with the driver.
		console.log(`The utility process was not tried: this Electron has Node-API ${napi} and HEARTH_NAPI8_DRIVER names no driver for it.`);
		expect(usual?.hostMode).toBe('child-process');
		return;
	}
	const hearth = await launchHearth({
		env: needsDriver
			? { HEARTH_HOST_MODE: 'utility-process', HEARTH_RUNTIME_ENTRY: await buildHost(), HEARTH_TEST_NATIVE_BINDING: driver ?? '' }
			: { HEARTH_HOST_MODE: 'utility-process' },
	});
	try {
		expect((await hearth.window.evaluate(() => window.hearthShell?.info()))?.hostMode).toBe('utility-process');
		const first = await hearth.runtimePid();
		const firstText = hearth.window.getByText(/Welcome to Hearth/);
		await firstText.waitFor();
		process.kill(first, 'SIGKILL');
		await expect.poll(() => hearth.runtimePid(), { timeout: 20_000 }).not.toBe(first);
		const types = await hearth.app.evaluate(({ app }) => app.getAppMetrics().map((metric) => metric.name ?? metric.type));
		expect(types).toContain('Hearth runtime');
	} finally {
		await hearth.close();
	}
});
