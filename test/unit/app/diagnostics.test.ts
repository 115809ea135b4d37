import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { diagnosticsFile } from '../../../src/app/diagnostics.ts';
import type { DoctorReport } from '../../../src/contract/methods/system.ts';

const REPORT: DoctorReport = { ok: true, checks: [], versions: {}, hostMode: 'test', paths: {}, sizes: {}, schemaVersion: 1 };
let folder: string;
let home: string | undefined;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'hearth-diagnostics-'));
	home = process.env.HOME;
});
afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
	process.env.HOME = home;
});

function log(name: string, text: string): void {
	writeFileSync(join(folder, name), text);
}

test('log files of one day come in the order they were written', async () => {
	for (const part of ['.10', '.2', '.1', '']) log(`hearth-2026-11-29${part}.log`, `part ${part || '.0'}\n`);
	log('hearth-2026-11-28.3.log', 'the day before\n');
	const { text } = await diagnosticsFile(REPORT, folder, 0);
	expect(text.match(/the day before|part \.\d+/g)).toEqual(['the day before', 'part .0', 'part .1', 'part .2', 'part .10']);
});

test('where there is too much of it, the newest lines win', async () => {
	log('hearth-2026-11-29.log', `oldest\n${'x'.repeat(2_100_000)}\n`);
	log('hearth-2026-11-29.1.log', `${'y\n'.repeat(1_050_000)}newest\n`);
	const { text } = await diagnosticsFile(REPORT, folder, 0);
	expect(text).toContain('newest');
	expect(text).not.toContain('oldest');
});

test('a home that is the root leaves every path readable', async () => {
	process.env.HOME = '/';
	const { text } = await diagnosticsFile({ ...REPORT, paths: { folder: '/var/lib/hearth' } }, folder, 0);
	expect(text).toContain('/var/lib/hearth');
});
