import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PermissionScope, PermissionTerms } from '../../../src/domain/permission.ts';
import { type RunningApp, startApp, temporaryHome } from '../../support/apps.ts';
import { cli, startCliAtTerminal } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/sessions.ts';

const { home, remove } = temporaryHome();
let app: RunningApp;
beforeAll(async () => {
	app = await startApp(home);
});
afterAll(async () => {
	await app.close();
	remove();
});

const terms = (scope: PermissionScope, more: Partial<PermissionTerms> = {}): PermissionTerms => ({
	scope,
	label: 'approved',
	job: { kind: 'any' },
	...more,
});
const folder = (path: string, more = {}) => terms({ kind: 'folder', path, access: 'read', mine: false, ...more });
const inForce = async () => (await app.rpc.permissions.list()).permissions.filter(({ revokedAt }) => revokedAt === undefined);

test('S2 a new profile permits its workspace/ to clean steps, and nothing else', async () => {
	expect(await inForce()).toMatchObject([{ origin: 'default', terms: terms({ kind: 'workspace' }), uses: 0 }]);
});

test('S2 a folder is granted by where it really is; what must not be granted is refused', async () => {
	const elsewhere = temporaryFolder();
	mkdirSync(join(elsewhere, 'letters'));
	symlinkSync(join(elsewhere, 'letters'), join(elsewhere, 'link'));
	const given = await app.rpc.permissions.add({ terms: folder(join(elsewhere, 'link'), { access: 'write' }) });
	expect(given.terms.scope).toMatchObject({ kind: 'folder', path: expect.stringMatching(/\/letters$/) });
	for (const path of ['/', 'letters', join(home, 'gone'), app.profileFolder, join(app.profileFolder, 'memory'), '/etc', '/proc/self'])
		await expect(app.rpc.permissions.add({ terms: folder(path) })).rejects.toMatchObject({ code: 'invalid_input' });
	const records = (await app.rpc.audit.list({ sinks: ['permission'] })).records;
	expect(records).toMatchObject([{ decision: 'granted', permissionId: given.id, detail: { from: 'You' } }]);
});

test('S2 hosts and commands are kept as they are matched; wild ones, chains and a past end are refused', async () => {
	const host = await app.rpc.permissions.add({ terms: terms({ kind: 'host', host: ' Bücher.Example.', posts: false }) });
	expect(host.terms.scope).toMatchObject({ host: 'xn--bcher-kva.example' });
	const refused: PermissionTerms[] = [
		terms({ kind: 'host', host: '*', posts: false }),
		terms({ kind: 'host', host: 'https://example.com/a', posts: false }),
		terms({ kind: 'command', pattern: '*', hosts: [] }),
		terms({ kind: 'command', pattern: 'git status; rm *', hosts: [] }),
		terms({ kind: 'command', pattern: 'git fetch', hosts: ['*.com'] }),
		terms({ kind: 'workspace' }, { until: 1 }),
		// B2: for steps that read outside text it has to name its work.
		terms({ kind: 'workspace' }, { label: 'external' }),
	];
	for (const wrong of refused) await expect(app.rpc.permissions.add({ terms: wrong })).rejects.toMatchObject({ code: 'invalid_input' });
	const metadata = ['169.254.169.254', '169.254.169.254:80', '2852039166', '100.100.100.200', '[fd00:ec2::254]'];
	for (const address of metadata) {
		const never = { code: 'invalid_input', message: expect.stringContaining('metadata service') };
		await expect(app.rpc.permissions.add({ terms: terms({ kind: 'host', host: address, posts: false }) })).rejects.toMatchObject(never);
		const command = terms({ kind: 'command', pattern: 'curl *', hosts: [address] });
		await expect(app.rpc.permissions.add({ terms: command })).rejects.toMatchObject(never);
	}
	expect(await inForce()).toHaveLength(3);
});

test('S2 what is taken back ends at once, stays listed, and is told', async () => {
	const [, taken] = await inForce();
	if (!taken) throw new Error('nothing was given');
	const live = await app.rpc.system.live({});
	const told = (async () => {
		for await (const item of live) if (item.type === 'event' && item.event.type === 'permissions_changed') return true;
		return false;
	})();
	expect(await app.rpc.permissions.revoke({ permissionId: taken.id })).toMatchObject({ id: taken.id, revokedAt: expect.any(Number) });
	expect(await told).toBe(true);
	const again = await app.rpc.permissions.revoke({ permissionId: taken.id });
	expect((await app.rpc.permissions.list()).permissions.at(-1)).toEqual(again);
	expect((await app.rpc.audit.list({ decisions: ['revoked'] })).records).toHaveLength(1);
	await expect(app.rpc.permissions.revoke({ permissionId: 'none' as never })).rejects.toMatchObject({ code: 'not_found' });
});

test('S1 the owner’s policy.yaml holds as soon as it is saved; with a mistake the shipped rules hold, and it is said where', async () => {
	const { rules, path, problem } = await app.rpc.permissions.policy();
	expect(problem).toBeUndefined();
	expect(path).toBe(join(app.profileFolder, 'policy.yaml'));
	expect(rules.filter(({ origin }) => origin === 'floor').length).toBeGreaterThan(5);
	expect(rules.find(({ id }) => id === 'effect_from_outside')).toMatchObject({ verdict: 'ask', origin: 'shipped' });
	writeFileSync(path, 'rules:\n  - {id: quiet, sinks: [network], verdict: deny, reason: No network.}\n');
	const own = (await app.rpc.permissions.policy()).rules.filter(({ origin }) => origin === 'file');
	expect(own).toMatchObject([{ id: 'quiet', verdict: 'deny', covers: 'The network.' }]);
	writeFileSync(path, 'rules:\n  - {id: quiet, sinks: [internet], verdict: deny, reason: No network, at all.}\n');
	const broken = await app.rpc.permissions.policy();
	expect(broken.problem).toContain('line 2');
	expect(broken.rules.filter(({ origin }) => origin === 'file')).toEqual([]);
	const { health } = await app.rpc.system.hello({ protocol: 1, client: 'test' } as never);
	expect(health.warnings).toMatchObject([{ code: 'config_invalid', message: expect.stringContaining('policy.yaml') }]);
	writeFileSync(path, '');
});

test('B3 the command line permits only at a terminal, after it showed all of it and was told the word', async () => {
	const before = await inForce();
	const refused = await cli(home, ['permissions', 'add', 'host', 'example.com', '--posts']);
	expect(refused.code).not.toBe(0);
	expect(refused.stderr).toContain('only by you');
	const atTerminal = startCliAtTerminal(home, ['permissions', 'add', 'host', 'example.com', '--posts', '--days', '2']);
	await atTerminal.says('Type “permit”');
	expect(atTerminal.stdout).toContain('reach example.com, sending too; for all work');
	atTerminal.child.stdin?.write('permit\r');
	expect((await atTerminal.ended).code).toBe(0);
	const given = (await inForce()).filter(({ id }) => !before.some((one) => one.id === id));
	expect(given).toMatchObject([{ terms: { scope: { host: 'example.com', posts: true }, until: expect.any(Number) } }]);
	const listed = await cli(home, ['permissions', 'list']);
	expect(listed.stdout).toContain('reach example.com, sending too');
	expect((await cli(home, ['permissions', 'revoke', given[0]?.id ?? ''])).code).toBe(0);
	expect(await inForce()).toHaveLength(before.length);
	expect((await cli(home, ['permissions', 'policy'])).stdout).toContain('floor_outside_effect');
});
