import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import type { ShellSettings, WorkTold } from '../../../electron/host-protocol.ts';
import { childRuntime } from '../../../electron/main/runtime-child.ts';
import { createRuntimeSupervisor, type RuntimeSupervisor } from '../../../electron/main/runtime-supervisor.ts';
import type { RuntimeStatus } from '../../../src/contract/shell.ts';
import { createStrings } from '../../../src/contract/strings/index.ts';

const smallHost = path.join(import.meta.dirname, '../../support/electron/small-host.ts');
let supervisor: RuntimeSupervisor | undefined;

afterEach(async () => {
	await supervisor?.stop();
	delete process.env.SMALL_HOST;
});

function supervise(manner: string, { node = process.execPath, entry = smallHost, home = '/nowhere' } = {}) {
	process.env.SMALL_HOST = manner;
	const seen: RuntimeStatus[] = [];
	const settings: ShellSettings[] = [];
	const work: WorkTold['state'][] = [];
	const made = createRuntimeSupervisor({
		spawn: childRuntime({ entry, node, packaged: false }),
		start: () => ({
			home,
			profile: 'default',
			hostMode: 'child-process',
			rendererFolder: '/nowhere',
			electronWhy: 'none',
			versions: {},
			keychain: { available: false, backend: 'basic_text' },
		}),
		strings: createStrings(),
		keychain: (action, value) => `${action}:${value}`,
		onStatus: (status) => seen.push(status),
		onSettings: (next) => settings.push(next),
		onWork: ({ state }) => work.push(state),
	});
	supervisor = made;
	made.start();
	const until = async (fits: (status: RuntimeStatus) => boolean): Promise<RuntimeStatus> => {
		for (;;) {
			if (fits(made.status())) return made.status();
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	};
	return { made, seen, settings, work, until };
}

test('a runtime that is killed is started again, and the window is told what happened', async () => {
	const { seen, until } = supervise('serve');
	const first = await until((status) => status.state === 'running');
	if (first.state !== 'running') throw new Error('unreachable');
	process.kill(first.pid, 'SIGKILL');
	const second = await until((status) => status.state === 'running' && status.pid !== first.pid);
	expect(second).toMatchObject({ state: 'running', restarts: 1 });
	expect(seen.map((status) => status.state)).toEqual(['starting', 'running', 'restarting', 'running']);
	expect(seen[2]).toMatchObject({ reason: 'What happened: it was ended by SIGKILL.', restarts: 1 });
});

test('a runtime that dies at once is tried again, and the owner’s own restart starts a fresh row of tries', async () => {
	const { made, seen, until } = supervise('die');
	for (let death = 1; death <= 2; death++) await until((status) => status.state === 'restarting' && status.restarts >= death);
	expect(seen.some((status) => status.state === 'restarting' && status.reason.includes('code 7'))).toBe(true);
	process.env.SMALL_HOST = 'serve';
	await made.restart();
	await until((status) => status.state === 'running');
});

test('a refusal is shown and not tried again, until the owner says so', async () => {
	const { made, seen, until } = supervise('refuse');
	const failed = await until((status) => status.state === 'failed');
	expect(failed).toEqual({ state: 'failed', message: 'Another Hearth has it.', safe: 'All is safe.', action: 'Close that one.' });
	await new Promise((resolve) => setTimeout(resolve, 400));
	expect(seen.map((status) => status.state)).toEqual(['starting', 'failed']);
	process.env.SMALL_HOST = 'serve';
	await made.restart();
	await until((status) => status.state === 'running');
});

test('a Node that can’t be started ends in the same words as any other end', async () => {
	const { until } = supervise('serve', { node: '/nowhere/node' });
	const status = await until((found) => found.state === 'restarting');
	expect(status).toMatchObject({ reason: expect.stringContaining('could not be started') });
});

test('settings and keychain calls cross the channel', async () => {
	const { settings } = supervise('serve');
	while (settings.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
	expect(settings[0]).toEqual({
		theme: 'dark',
		quickWindowHotkey: '',
		notifications: false,
		keepInTray: true,
		startAtLogin: false,
		askBeforeQuit: true,
	});
	expect(settings[1]?.quickWindowHotkey).toBe('encrypt:word');
});

test('Pause all crosses the channel, and so does what came of it', async () => {
	const { made, work, until } = supervise('serve');
	made.work('pause_all');
	await until((status) => status.state === 'running');
	made.work('pause_all');
	made.work('resume_all');
	while (work.length < 2) await new Promise((resolve) => setTimeout(resolve, 20));
	expect(work).toEqual(['paused', 'on']);
});

test('what comes is asked of the runtime; one that runs no more, or says nothing, keeps nobody waiting', async () => {
	const { made, until } = supervise('serve');
	expect(await made.coming(100)).toBeUndefined();
	await until((status) => status.state === 'running');
	expect(await made.coming(100)).toMatchObject({ runs: [{ taskId: 'a', title: 'Mail summary', at: 99 }], more: false });
	process.env.SMALL_HOST = 'mute';
	await made.restart();
	await until((status) => status.state === 'running');
	expect(await made.coming(100)).toBeUndefined();
});

test('R3 the tray pauses a real runtime; its next life says by itself that it is paused', async () => {
	const home = mkdtempSync(path.join(tmpdir(), 'hearth-tray-'));
	onTestFinished(() => rmSync(home, { recursive: true, force: true }));
	const { made, work, until } = supervise('serve', { entry: path.join(import.meta.dirname, '../../../electron/host-main.ts'), home });
	await until((status) => status.state === 'running');
	await expect.poll(() => work).toEqual(['off']);
	made.work('pause_all');
	await expect.poll(() => work.at(-1)).toBe('paused');
	const told = work.length;
	await made.restart();
	await expect.poll(() => work.length).toBeGreaterThan(told);
	expect(work.slice(told)).toEqual(['paused']);
	made.work('resume_all');
	await expect.poll(() => work.at(-1)).toBe('off');
	await made.stop();
});

test('stopping waits until the runtime is gone, and ends one that hangs', async () => {
	const { made, until } = supervise('hang');
	const running = await until((status) => status.state === 'running');
	if (running.state !== 'running') throw new Error('unreachable');
	await made.stop();
	expect(() => process.kill(running.pid, 0)).toThrow();
});
