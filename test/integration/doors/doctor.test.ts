import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { examine } from '../../../src/app/doctor.ts';
import { profilePaths } from '../../../src/app/profile-folder.ts';
import type { DoctorReport } from '../../../src/contract/methods/system.ts';
import { HearthError } from '../../../src/domain/errors.ts';
import { ProviderId } from '../../../src/domain/ids.ts';
import { startApp, temporaryHome } from '../../support/apps.ts';

let home: ReturnType<typeof temporaryHome>;
beforeEach(() => {
	home = temporaryHome();
});
afterEach(() => home.remove());

const check = (report: DoctorReport, id: string) => report.checks.find((one) => one.id === id);

/** Every file below a folder, as text. */
function everything(folder: string): { name: string; text: string }[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => ({ name: join(entry.parentPath, entry.name), text: readFileSync(join(entry.parentPath, entry.name), 'latin1') }));
}

describe('the picture of health', () => {
	test('a new profile is well, and every part is named', async () => {
		const app = await startApp(home.home);
		const report = await app.rpc.system.doctor({});
		expect(report.ok).toBe(true);
		expect(report.checks.map((one) => one.id)).toEqual([
			'profile',
			'folders',
			'lock',
			'disk',
			'filesystem',
			'state_db',
			'audit',
			'config',
			'secrets',
			'models',
			'memory',
			'sandbox',
			'tool_servers',
			'work',
			'workflows',
			'socket',
		]);
		expect(report.checks.filter((one) => one.state === 'failed')).toEqual([]);
		if (process.platform === 'linux')
			expect(report.checks).toContainEqual({
				id: 'sandbox',
				title: 'Sandbox for commands',
				state: 'ok',
				detail: 'Commands run in bubblewrap.',
			});
		expect(report.versions).toMatchObject({
			hearth: expect.any(String),
			node: process.versions.node,
			sqlite: expect.stringMatching(/^3\./),
			'sqlite-vec': expect.stringMatching(/^v/),
		});
		expect(report.sizes.state_db).toBeGreaterThan(0);
		expect(report.schemaVersion).toBeGreaterThan(0);
		await app.close();
	});

	test('S5 a broken config.json or policy.yaml, an open folder and a model that does not answer are each found, with what to do', async () => {
		const app = await startApp(home.home);
		writeFileSync(join(home.profileFolder, 'config.json'), '{"version":1,');
		chmodSync(home.profileFolder, 0o755);
		const report = await app.rpc.system.doctor({});
		expect(report.ok).toBe(false);
		expect(check(report, 'config')).toMatchObject({ state: 'failed', action: expect.stringContaining('config.json') });
		expect(check(report, 'profile')).toMatchObject({ state: 'warning', action: expect.stringContaining('chmod 700') });
		const choice = { providerId: 'gone', modelId: 'm' };
		writeFileSync(join(home.profileFolder, 'config.json'), JSON.stringify({ version: 1, models: { chat: choice } }));
		writeFileSync(join(home.profileFolder, 'policy.yaml'), 'rules: [oops');
		expect(check(await app.rpc.system.doctor({ fast: true }), 'config')).toMatchObject({
			detail: expect.stringContaining('policy.yaml is not in force: line 1'),
		});
		expect(check(await app.rpc.system.doctor({}), 'models')).toMatchObject({
			state: 'failed',
			action: expect.stringContaining('Settings'),
		});
		await app.close();
	});

	test('dur-4 where the runtime can’t start, the reason is in the report and nothing is changed', async () => {
		await (await startApp(home.home)).close();
		const paths = profilePaths(home.profileFolder);
		rmSync(`${paths.stateDb}-wal`, { force: true });
		writeFileSync(paths.stateDb, 'not a database');
		const error = await startApp(home.home).catch((cause: unknown) => cause);
		if (!(error instanceof HearthError)) throw error;
		const report = await examine({ paths, hostMode: 'command-line', shellVersions: {}, ownsLock: false, startProblem: error.shape }, false);
		expect(report.ok).toBe(false);
		expect(check(report, 'state_db')).toMatchObject({ state: 'failed', detail: expect.stringContaining('state.db') });
		expect(readFileSync(paths.stateDb, 'utf8')).toBe('not a database');
	});
});

describe('secrets and words stay where they belong', () => {
	const KEY = 'sk-hearth-canary-0123456789abcdef0123456789';
	const PASSPHRASE = 'canary passphrase of the owner';

	test('S3 a stored key is in no file of the profile, no answer, no error and no diagnostics', async () => {
		const app = await startApp(home.home);
		const refused = await app.rpc.models
			.saveProvider({ provider: { id: ProviderId.parse('openai'), kind: 'openai', name: 'OpenAI' }, key: KEY })
			.catch((cause: unknown) => cause);
		expect((refused as HearthError).shape).toMatchObject({ kind: 'needs_owner', code: 'secret_store_unavailable' });
		await app.rpc.secrets.choose({ store: 'passphrase', passphrase: PASSPHRASE });
		const wrong = await app.rpc.secrets.unlock({ passphrase: `${PASSPHRASE}x` }).catch((cause: unknown) => cause);
		const saved = await app.rpc.models.saveProvider({
			provider: { id: ProviderId.parse('mine'), kind: 'openai-compatible', name: 'Mine', baseUrl: 'http://127.0.0.1:9/v1' },
			key: KEY,
		});
		expect(saved.hasKey).toBe(true);
		const failed = await app.rpc.models
			.test({ model: { providerId: ProviderId.parse('mine'), modelId: 'm' } })
			.catch((cause: unknown) => cause);
		const answers = [
			(refused as HearthError).shape,
			(wrong as HearthError).shape,
			(failed as HearthError).shape,
			saved,
			await app.rpc.secrets.status(),
			await app.rpc.models.providers({}),
			await app.rpc.system.doctor({}),
			await app.rpc.system.diagnostics(),
		];
		expect(JSON.stringify(answers)).not.toContain('canary');
		await app.close();
		const files = everything(home.home);
		expect(files.some((file) => file.name.endsWith('secrets.json'))).toBe(true);
		expect(files.filter((file) => file.text.includes('canary')).map((file) => file.name)).toEqual([]);

		const again = await startApp(home.home);
		expect(await again.rpc.secrets.status()).toMatchObject({ store: 'passphrase', locked: true, names: ['provider:mine'] });
		await again.close();
	});

	test('S3 diagnostics are one text without the owner’s words and without the owner’s home', async () => {
		const app = await startApp(home.home);
		await app.rpc.documents.save({
			name: 'USER.md',
			text: 'I like marmalade-canary.',
			baseHash: (await app.rpc.documents.get({ name: 'USER.md' })).hash,
		});
		await app.rpc.settings.set({ theme: 'purple-canary' as never }).catch(() => {});
		const file = await app.rpc.system.diagnostics();
		expect(file.filename).toMatch(/^hearth-diagnostics-\d{4}-\d\d-\d\dT[\d-]+\.txt$/);
		expect(file.text).toContain('Versions');
		expect(file.text).toContain('door_opened');
		expect(file.text).not.toContain('canary');
		if (homedir().length > 1) expect(file.text).not.toContain(`${homedir()}/`);
		await app.close();
	});
});
