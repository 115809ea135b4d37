import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/app/create-app.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { DoctorReport } from '../../../src/contract/methods/system.ts';
import { toErrorShape } from '../../../src/domain/errors.ts';
import { cli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/storage/folders.ts';

async function start(profileFolder: string) {
	const app = await createApp({ profileFolder, hostMode: 'command-line', logger: silentLogger });
	await app.close();
}

const folderInPlaceOf = (name: string) => (profile: string) => {
	rmSync(join(profile, name), { force: true });
	mkdirSync(join(profile, name));
};

test.each<[string, (profile: string) => void]>([
	['a folder in place of state.db', folderInPlaceOf('state.db')],
	['a folder in place of state.db-wal', folderInPlaceOf('state.db-wal')],
	['a folder in place of the lock', folderInPlaceOf('lock')],
	[
		'a broken link in place of a folder',
		(profile) => {
			rmSync(join(profile, 'attachments'), { recursive: true });
			symlinkSync(join(profile, 'nowhere'), join(profile, 'attachments'));
		},
	],
])('S5 %s is said, changes nothing, and is a finding of the doctor', async (_what, putInTheWay) => {
	const home = temporaryFolder();
	const profile = join(home, 'profiles', 'default');
	await start(profile);
	putInTheWay(profile);
	const refused = toErrorShape(await start(profile).catch((error: unknown) => error));
	expect(refused).toMatchObject({ kind: 'needs_owner', code: 'read_only', action: expect.any(String) });

	const doctor = await cli(home, ['--json', 'doctor', '--fast']);
	expect(doctor.code).toBe(1);
	const report = JSON.parse(doctor.stdout) as DoctorReport;
	expect(report.checks.find(({ id }) => id === 'state_db')).toMatchObject({
		state: 'failed',
		detail: expect.stringContaining(refused.message),
	});
});

test('S5 a home with a path that no file can have is said', async () => {
	const home = temporaryFolder();
	symlinkSync(join(home, 'circle'), join(home, 'circle'));
	for (const place of [join(home, 'x'.repeat(300)), join(home, ...Array.from({ length: 4 }, () => 'ü'.repeat(100))), join(home, 'circle')])
		expect(toErrorShape(await start(join(place, 'profiles', 'default')).catch((error: unknown) => error))).toMatchObject({
			code: 'read_only',
		});
});

test('S5 a pipe or a folder in place of config.json holds nothing up', async () => {
	const home = temporaryFolder();
	const profile = join(home, 'profiles', 'default');
	await start(profile);
	execFileSync('mkfifo', [join(profile, 'config.json')]);
	const doctor = await cli(home, ['--json', 'doctor', '--fast']);
	expect(doctor.stdout).toContain('config.json is not a file');
	folderInPlaceOf('config.json')(profile);
	const refused = await cli(home, ['--json', 'config', 'set', 'theme', 'dark']);
	expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'read_only' } });
});
