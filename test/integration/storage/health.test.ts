import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { keepHealth } from '../../../src/app/health.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { LiveEvent } from '../../../src/contract/events.ts';
import { terminal } from '../../../src/domain/errors.ts';
import { startChild } from '../../support/storage/child.ts';
import { addSession, countSessions, failureOf, openIn, temporaryFolder } from '../../support/storage/folders.ts';

const PLENTY = 10_000_000_000;

function watched(more: Partial<Parameters<typeof keepHealth>[0]> = {}) {
	const folder = temporaryFolder();
	const db = openIn(folder);
	const states: string[] = [];
	const events: LiveEvent[] = [];
	const announce = (event: LiveEvent) => {
		events.push(event);
		if (event.type === 'health_changed') states.push(event.health.state);
	};
	const health = keepHealth({ db, folder, announce, logger: silentLogger, probeEveryMs: 20, freeBytes: async () => PLENTY, ...more });
	onTestFinished(() => health.close());
	return { folder, db, health, states, events };
}

test('dur-2 S5 a full database makes the app read-only, everything stays readable, and it recovers by itself', async () => {
	const { db, health, states } = watched();
	addSession(db, 'before');
	// SQLite itself says "full" here, as it does on a full disk.
	db.write((tx) => tx.pragma('max_page_count = 1'));
	const failure = await failureOf(() => {
		for (let index = 0; ; index++) addSession(db, `s${index}`, 'x'.repeat(5000));
	});
	expect(failure.shape).toMatchObject({ code: 'disk_full', kind: 'needs_owner' });
	expect(failure.shape.action).toContain('Free some space');
	expect(health.current()).toMatchObject({ state: 'read_only', problem: { code: 'disk_full' } });
	expect(countSessions(db)).toBeGreaterThanOrEqual(1);

	db.write((tx) => tx.pragma('max_page_count = 100000'));
	await vi.waitFor(() => expect(health.current()).toEqual({ state: 'ok', warnings: [] }), { timeout: 20_000 });
	addSession(db, 'after');
	expect(states).toEqual(['read_only', 'ok']);
});

test('dur-2 a real process that may write no more stays whole, says so, and goes on when it may again', async () => {
	const folder = temporaryFolder();
	const child = startChild(['fill-disk', folder], 'ulimit -S -f 2000;');
	await child.until('ready');
	child.say('fill');
	expect(await child.next()).toMatchObject({ health: 'read_only', action: expect.stringContaining('goes on by itself') });
	expect(await child.next()).toMatchObject({ failed: expect.stringMatching(/^(read_only|disk_full)$/) });
	child.say('config');
	expect(await child.next()).toMatchObject({ failed: expect.stringMatching(/^(read_only|disk_full)$/) });

	execFileSync('prlimit', ['--pid', String(child.process.pid), '--fsize=unlimited']);
	expect(await child.until('health')).toMatchObject({ health: 'ok' });
	child.say('add');
	expect(await child.next()).toEqual({ done: 'add' });
	child.say('config');
	expect(await child.next()).toEqual({ done: 'config' });
	await child.end('SIGKILL');
	expect(JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'))).toMatchObject({ firstRunDone: true });
	expect(countSessions(openIn(folder))).toBeGreaterThan(1);
});

test('dur-2 too little free space stops writing before a write is cut, and its return ends that', async () => {
	let free = 1_000_000;
	const { health, states } = watched({ freeBytes: async () => free });
	expect(await health.check()).toMatchObject({ state: 'read_only', problem: { code: 'disk_full' } });
	free = PLENTY;
	await vi.waitFor(() => expect(health.current().state).toBe('ok'), { timeout: 20_000 });
	expect(states).toEqual(['read_only', 'ok']);
});

test('little space is a warning in plain words that goes away', async () => {
	let free = 123_000_000;
	const { health } = watched({ freeBytes: async () => free });
	const found = await health.check();
	expect(found.state).toBe('ok');
	expect(found.warnings.map((warning) => warning.message)).toEqual(['Little space is left on the disk: about 120 MB.']);
	free = PLENTY;
	expect((await health.check()).warnings).toEqual([]);
});

test('a full disk is not said to be nearly full at the same time', async () => {
	let free = 123_000_000;
	const { health } = watched({ freeBytes: async () => free });
	await health.check();
	free = 1000;
	expect(await health.check()).toMatchObject({ state: 'read_only', warnings: [] });
	free = 123_000_000;
	await vi.waitFor(() => expect(health.current()).toMatchObject({ state: 'ok', warnings: [expect.anything()] }), { timeout: 20_000 });
});

test('a full disk met by a file counts, any other failure does not', () => {
	const { health, states } = watched();
	health.report(new Error('something else'));
	health.report(terminal('not_found', 'no such thing'));
	expect(states).toEqual([]);
	health.report(Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' }));
	expect(health.current().state).toBe('read_only');
	expect(states).toEqual(['read_only']);
});

test('a warning is announced when it comes and when it goes, once each', () => {
	const { health, events } = watched();
	const warning = terminal('config_invalid', 'config.json is empty.').shape;
	health.warn('config', warning);
	health.warn('config', warning);
	expect(health.current().warnings).toEqual([warning]);
	health.warn('config', undefined);
	expect(events).toHaveLength(2);
});

test('dur-2 the reserve is filled again where there is plenty of room, and not by a short command', async () => {
	let free = 20_000_000;
	let filled = 0;
	const reserve = { fill: async () => void filled++ };
	const { health } = watched({ freeBytes: async () => free, reserve });
	await health.check();
	await health.check();
	expect(filled).toBe(0);
	free = PLENTY;
	await health.check();
	expect(filled).toBe(1);
});
