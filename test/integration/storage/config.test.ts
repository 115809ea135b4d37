import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ConfigStore, openConfig } from '../../../src/app/config.ts';
import { formatConfig, parseConfig } from '../../../src/app/config-file.ts';
import { createSettingsHandlers } from '../../../src/app/handlers/settings.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Settings } from '../../../src/contract/methods/profile.ts';
import { ProviderConfig } from '../../../src/domain/model.ts';
import { failureOf, temporaryFolder } from '../../support/storage/folders.ts';

const OLLAMA = ProviderConfig.parse({ id: 'ollama', kind: 'ollama', name: 'Ollama', baseUrl: 'http://127.0.0.1:11434' });

function open(folder: string): ConfigStore {
	const config = openConfig({ file: join(folder, 'config.json'), clock: systemClock, logger: silentLogger });
	onTestFinished(() => config.close());
	return config;
}

async function withProvider(folder: string): Promise<ConfigStore> {
	const config = open(folder);
	await config.update((current) => ({ ...current, firstRunDone: true, providers: [OLLAMA] }));
	return config;
}

const brokenFiles = (folder: string) => readdirSync(folder).filter((name) => name.includes('.broken-'));

test('a new profile has the defaults, and nothing is written before something is set', () => {
	const folder = temporaryFolder();
	const config = open(folder);
	expect(config.get()).toMatchObject({ firstRunDone: false, providers: [] });
	expect(config.problem()).toBeUndefined();
	expect(readdirSync(folder)).toEqual([]);
});

test('what is set outlives a restart, and the file is readable by its owner alone', async () => {
	const folder = temporaryFolder();
	await (await withProvider(folder)).close();
	expect(open(folder).get()).toMatchObject({ firstRunDone: true, providers: [OLLAMA] });
});

test('changes at the same time are all kept', async () => {
	const config = open(temporaryFolder());
	await Promise.all([
		config.update((current) => ({ ...current, firstRunDone: true })),
		config.update((current) => ({ ...current, ofALaterVersion: 'kept' })),
		config.update((current) => ({ ...current, providers: [OLLAMA] })),
	]);
	expect(config.get()).toMatchObject({ firstRunDone: true, ofALaterVersion: 'kept', providers: [OLLAMA] });
});

test.each([
	['empty', ''],
	['cut off', '{"version": 1, "firstRunDone": tr'],
	['wrong', '{"version": 1, "firstRunDone": "perhaps"}'],
	['from a newer version', '{"version": 7}'],
])(
	'dur-2 S5 a config.json that is %s never counts as empty: the last good one stays in force, before and after a restart',
	async (_, text) => {
		const folder = temporaryFolder();
		const file = join(folder, 'config.json');
		const running = await withProvider(folder);
		writeFileSync(file, text);
		for (const config of [running, open(folder)]) {
			expect(config.get()).toMatchObject({ firstRunDone: true, providers: [OLLAMA] });
			expect(config.problem()).toMatchObject({
				code: 'config_invalid',
				kind: 'needs_owner',
				safe: expect.stringContaining('last good settings'),
			});
			expect(config.problem()?.action).toContain(file);
		}
		// Looking changed nothing.
		expect(readFileSync(file, 'utf8')).toBe(text);
		expect(brokenFiles(folder)).toEqual([]);
	},
);

test('dur-2 the next change keeps the broken file beside and writes a good one', async () => {
	const folder = temporaryFolder();
	const config = await withProvider(folder);
	writeFileSync(join(folder, 'config.json'), '{"version": 1, "my careful edit": ');
	await config.update((current) => ({ ...current, ofALaterVersion: 'kept' }));
	expect(config.problem()).toBeUndefined();
	expect(config.get()).toMatchObject({ firstRunDone: true, providers: [OLLAMA], ofALaterVersion: 'kept' });
	const [kept] = brokenFiles(folder);
	expect(readFileSync(join(folder, kept ?? ''), 'utf8')).toContain('my careful edit');
});

test('dur-2 so where config.json is a link into an owner’s dotfiles: it stays one', async () => {
	const folder = temporaryFolder();
	const dotfile = join(temporaryFolder(), 'hearth.json');
	const file = join(folder, 'config.json');
	await (await withProvider(folder)).close();
	renameSync(file, dotfile);
	symlinkSync(dotfile, file);
	const config = open(folder);
	writeFileSync(dotfile, '{"version": 1, "my careful edit": ');
	await config.update((current) => ({ ...current, ofALaterVersion: 'kept' }));
	expect(lstatSync(file).isSymbolicLink()).toBe(true);
	expect(parseConfig(readFileSync(dotfile, 'utf8'))).toMatchObject({ ofALaterVersion: 'kept', providers: [OLLAMA] });
	const [kept] = brokenFiles(folder);
	expect(readFileSync(join(folder, kept ?? ''), 'utf8')).toContain('my careful edit');
});

test('dur-2 a config.json that vanished is brought back by the next change', async () => {
	const folder = temporaryFolder();
	await (await withProvider(folder)).close();
	rmSync(join(folder, 'config.json'));
	const config = open(folder);
	expect(config.get().providers).toEqual([OLLAMA]);
	expect(config.problem()?.message).toBe('config.json is missing.');
	await config.update((current) => current);
	expect(parseConfig(readFileSync(join(folder, 'config.json'), 'utf8')).providers).toEqual([OLLAMA]);
	expect(brokenFiles(folder)).toEqual([]);
});

test('dur-2 with no earlier copy the defaults are said to be defaults, and the first-run screen does not come back', () => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'config.json'), '{oops');
	const config = open(folder);
	expect(config.get().firstRunDone).toBe(true);
	expect(config.problem()).toMatchObject({ code: 'config_invalid', safe: expect.stringContaining('defaults are in force') });
});

test("an owner's edit counts at the next look, is announced, and becomes the last good one", async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'config.json');
	const config = await withProvider(folder);
	let told = 0;
	config.onChange(() => told++);
	writeFileSync(file, formatConfig({ ...config.get(), settings: { ...config.get().settings, theme: 'dark' } }));
	expect(config.get().settings.theme).toBe('dark');
	expect(told).toBe(1);
	await vi.waitFor(() => expect(parseConfig(readFileSync(`${file}.bak`, 'utf8')).settings.theme).toBe('dark'), { timeout: 20_000 });

	// An editor that saves by renaming, and nobody who asks: the watcher notices.
	writeFileSync(`${file}~`, formatConfig({ ...config.get(), settings: { ...config.get().settings, theme: 'light' } }));
	renameSync(`${file}~`, file);
	await vi.waitFor(() => expect(told).toBe(2), { timeout: 10_000 });
	expect(config.get().settings.theme).toBe('light');
});

test('mending a broken file by hand ends the problem', async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'config.json');
	const config = await withProvider(folder);
	const good = readFileSync(file, 'utf8');
	writeFileSync(file, good.slice(0, 20));
	expect(config.problem()?.code).toBe('config_invalid');
	writeFileSync(file, good);
	expect(config.problem()).toBeUndefined();
});

test('an edit made by hand since the last look is not undone by a change in the app', async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'config.json');
	const config = await withProvider(folder);
	writeFileSync(file, formatConfig({ ...config.get(), settings: { ...config.get().settings, logDays: 3 } }));
	await config.update((current) => ({ ...current, ofALaterVersion: 'kept' }));
	expect(parseConfig(readFileSync(file, 'utf8'))).toMatchObject({ ofALaterVersion: 'kept', settings: { logDays: 3 } });
});

test('S5 a change that is not valid is refused and nothing changes', async () => {
	const config = await withProvider(temporaryFolder());
	const failure = await failureOf(() => config.update((current) => ({ ...current, providers: [OLLAMA, OLLAMA] })));
	expect(failure.code).toBe('config_invalid');
	expect(config.get().providers).toEqual([OLLAMA]);
});

test('S5 a change that cannot be saved leaves the settings in force as they were', async () => {
	const folder = temporaryFolder();
	const config = await withProvider(folder);
	// A folder in the file's place refuses the rename, whoever runs this.
	rmSync(join(folder, 'config.json'));
	mkdirSync(join(folder, 'config.json'));
	await expect(config.update((current) => ({ ...current, firstRunDone: false }))).rejects.toThrow();
	expect(config.get().firstRunDone).toBe(true);
	expect(existsSync(join(folder, 'config.json.bak'))).toBe(true);
});

test('settings.set changes what is given and keeps the rest', async () => {
	const config = await withProvider(temporaryFolder());
	const settings = createSettingsHandlers({ config });
	const before = Settings.parse(await settings.get());
	expect(Settings.parse(await settings.set({ theme: 'light', logDays: undefined }))).toEqual({ ...before, theme: 'light' });
	expect(config.get().providers).toEqual([OLLAMA]);
});
