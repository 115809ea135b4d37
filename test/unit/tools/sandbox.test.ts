import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bubblewrapArgs, insideEnvironment, insideOf, type LinuxHost } from '../../../src/tools/sandbox/bubblewrap.ts';
import { DEFAULT_LIMITS, prlimitArgs, readHardLimits } from '../../../src/tools/sandbox/limits.ts';
import { plainEnvironment } from '../../../src/tools/sandbox/plain-environment.ts';
import type { LaunchSpec } from '../../../src/tools/sandbox/port.ts';
import { type MacHost, macEnvironment, seatbeltProfile } from '../../../src/tools/sandbox/seatbelt.ts';
import { seccompFilter } from '../../../src/tools/sandbox/seccomp.ts';
import { findToolchains, toolchainOf } from '../../../src/tools/sandbox/toolchains.ts';

const HOST: LinuxHost = {
	bwrap: '/usr/bin/bwrap',
	prlimit: '/usr/bin/prlimit',
	socat: '/usr/bin/socat',
	options: new Set(['--size', '--disable-userns']),
	countsInside: true,
	hardLimits: {},
	systemFolders: ['/usr'],
	systemLinks: [{ at: '/bin', to: 'usr/bin' }],
	settings: ['/etc/ssl/certs'],
	controls: ['/proc/sys'],
	blanked: ['/proc/keys'],
	empty: '/tmp/made/empty',
	toolchains: [{ root: '/opt/node', bin: '/opt/node/bin' }],
	made: [{ file: '/tmp/made/passwd', at: '/etc/passwd' }],
	filter: undefined,
	home: '/home/ada',
	owner: { user: 501, group: 20 },
	hidden: ['/home/ada/.hearth'],
};
const SPEC: LaunchSpec = {
	file: '/bin/sh',
	args: ['-c', 'true'],
	cwd: '/home/ada/.hearth/profiles/default/workspace/sub',
	folders: [{ path: '/home/ada/.hearth/profiles/default/workspace', access: 'write', at: '/workspace' }],
	network: { kind: 'none' },
};
const argsOf = (spec: Partial<LaunchSpec> = {}, host: Partial<LinuxHost> = {}, proxySocket?: string): string[] =>
	bubblewrapArgs({ ...HOST, ...host }, { spec: { ...SPEC, ...spec }, limits: DEFAULT_LIMITS, proxySocket });
const bound = (args: readonly string[]): string[] => args.flatMap((arg, at) => (/^--(?:ro-)?bind$/.test(arg) ? [`${args[at + 1]}`] : []));

test('S2 a command is shown only what is named: no home, no profile, nothing of the machine but its programs', () => {
	const args = argsOf();
	expect(bound(args)).toEqual([
		'/usr',
		'/etc/ssl/certs',
		'/tmp/made/passwd',
		'/opt/node',
		'/proc/sys',
		'/tmp/made/empty',
		SPEC.folders[0]?.path,
	]);
	for (const wall of ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'])
		expect(args).toContain(wall);
	expect(args.join(' ')).toContain('--cap-drop ALL');
	expect(args).not.toContain('--share-net');
	expect(args.slice(args.indexOf('--chdir'), args.indexOf('--') + 1)).toEqual(['--chdir', '/workspace/sub', '--']);
});

test('S2 Hearth’s folder lies under an empty one before anything of it is given, whatever else a tool server may see', () => {
	for (const home of ['read', 'write'] as const) {
		const args = argsOf({ home, network: { kind: 'all' } });
		const whole = args.join(' ');
		expect(whole).toContain('--ro-bind / / ');
		expect(whole.includes('--bind /home/ada /home/ada')).toBe(home === 'write');
		const order = [
			'--ro-bind / /',
			'--tmpfs /run',
			'--tmpfs /home/ada/.hearth',
			`--bind ${SPEC.folders[0]?.path} ${SPEC.folders[0]?.path}`,
		].map((part) => whole.indexOf(part));
		expect(order).toEqual([...order].sort((a, b) => a - b));
		expect(order).not.toContain(-1);
		expect(args).toContain('--share-net');
	}
	expect(argsOf({}, { hidden: ['/opt/node/hearth'] }).join(' ')).toContain('--tmpfs /opt/node/hearth');
});

test('S2 a folder that holds Hearth’s own is given first, so that the empty one lies over it', () => {
	const folders = [{ path: '/home/ada', access: 'read' as const }, ...SPEC.folders];
	const whole = argsOf({ folders }).join(' ');
	const order = ['--ro-bind /home/ada /home/ada', '--tmpfs /home/ada/.hearth', `--bind ${SPEC.folders[0]?.path} /workspace`].map((part) =>
		whole.indexOf(part),
	);
	expect(order).toEqual([...order].sort((a, b) => a - b));
	expect(order).not.toContain(-1);
	const profile = seatbeltProfile(MAC, { ...SPEC, folders: [WORKSPACE, { path: '/Users/ada', access: 'read' }] });
	const places = [
		'(allow file-read* (subpath "/Users/ada"))',
		'(deny file-read* file-write* (subpath "/Users/ada/.hearth"))',
		WORKSPACE.path,
	].map((part) => profile.indexOf(part));
	expect(places).toEqual([...places].sort((a, b) => a - b));
	expect(places).not.toContain(-1);
});

test('an older bubblewrap is asked for no more than it knows', () => {
	const args = argsOf({}, { options: new Set() });
	expect(args).not.toContain('--size');
	expect(args).not.toContain('--disable-userns');
});

test('S3 the environment is made, not passed on', () => {
	expect(insideEnvironment(HOST, { spec: SPEC, limits: DEFAULT_LIMITS })).toEqual({
		PATH: '/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
		HOME: '/tmp/home',
		TMPDIR: '/tmp',
		LANG: 'C.UTF-8',
		TERM: 'dumb',
		NO_COLOR: '1',
	});
	expect(insideEnvironment(HOST, { spec: { ...SPEC, home: 'read', env: { TOKEN: 'given' } }, limits: DEFAULT_LIMITS })).toMatchObject({
		HOME: '/home/ada',
		TOKEN: 'given',
	});
	process.env.OPENAI_API_KEY = 'sk-secret';
	onTestFinished(() => void delete process.env.OPENAI_API_KEY);
	expect(JSON.stringify(plainEnvironment())).not.toContain('sk-secret');
});

test('what the owner named of this computer is asked for through the proxy, the rest of loopback is the room’s own', () => {
	const around = (hosts: string[]) =>
		insideEnvironment(HOST, {
			spec: { ...SPEC, network: { kind: 'hosts', hosts, ownerNamed: true } },
			limits: DEFAULT_LIMITS,
			proxySocket: '/tmp/made/proxy.sock',
		});
	expect(around(['example.com']).NO_PROXY).toBe('localhost,127.0.0.1,::1');
	expect(around(['127.0.0.1:8080', 'example.com'])).toMatchObject({ NO_PROXY: 'localhost,::1', no_proxy: 'localhost,::1' });
	expect(around(['localhost', '[::1]:8080']).NO_PROXY).toBe('127.0.0.1');
});

test('a folder of this machine has its place inside', () => {
	expect(insideOf(SPEC, '/home/ada/.hearth/profiles/default/workspace')).toBe('/workspace');
	expect(insideOf(SPEC, '/home/ada/.hearth/profiles/default/workspace-2')).toBe('/home/ada/.hearth/profiles/default/workspace-2');
	expect(insideOf({ ...SPEC, home: 'read' }, SPEC.cwd)).toBe(SPEC.cwd);
});

test('limits: none that is infinite, none above what this process may give, processes only where the kernel counts by room', () => {
	const hard = readHardLimits(
		'Limit   Soft   Hard   Units\nMax processes             100                  200                  processes \nMax open files            10   unlimited   files\n',
	);
	expect(hard).toEqual({ processes: 200, openFiles: undefined });
	expect(prlimitArgs(DEFAULT_LIMITS, hard, true)).toEqual([
		'--core=0',
		'--cpu=600:605',
		'--data=4294967296',
		'--as=274877906944',
		'--fsize=1073741824',
		'--nofile=4096',
		'--nproc=200',
	]);
	expect(prlimitArgs({ ...DEFAULT_LIMITS, cpuSeconds: Number.POSITIVE_INFINITY }, {}, false).join(' ')).not.toMatch(/cpu|nproc/);
});

test('the filter of system calls is whole: every jump ends in one of its three ends', () => {
	for (const arch of ['x64', 'arm64']) {
		const program = seccompFilter(arch) ?? Buffer.alloc(0);
		expect(program.length % 8).toBe(0);
		const lines = program.length / 8;
		const ends = new Set([lines - 3, lines - 2, lines - 1]);
		expect([...ends].map((at) => program.readUInt32LE(at * 8 + 4))).toEqual([0x7fff0000, 0x00050001, 0x00050026]);
		for (let at = 0; at < lines - 3; at += 1)
			for (const jump of [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)])
				expect(jump === 0 || ends.has(at + 1 + jump)).toBe(true);
		// What falls through to the end of the list is allowed.
		expect(program.readUInt16LE((lines - 3) * 8)).toBe(0x06);
	}
	expect(seccompFilter('riscv64')).toBe(undefined);
});

test('S2 a toolchain is one installation, never a home nor what holds keys', () => {
	const home = '/home/ada';
	const rootOf = (program: string) => toolchainOf(program, home)?.root;
	expect(rootOf('/home/ada/.nvm/versions/node/v24.1.0/bin/node')).toBe('/home/ada/.nvm/versions/node/v24.1.0');
	expect(rootOf('/home/ada/.nvm/versions/node/v24.1.0/lib/node_modules/npm/bin/npm-cli.js')).toBe(
		'/home/ada/.nvm/versions/node/v24.1.0/lib/node_modules/npm',
	);
	expect(rootOf('/opt/go/bin/go')).toBe('/opt/go');
	expect(rootOf('/home/ada/.rustup/toolchains/stable/bin/cargo')).toBe('/home/ada/.rustup/toolchains/stable');
	for (const program of [
		'/home/ada/bin/node',
		'/home/ada/.local/bin/python3',
		'/home/ada/.cargo/bin/cargo',
		'/home/ada/.pyenv/shims/python3',
		'/srv/bin/node',
		'/home/bin/node',
		'/bin/git',
	])
		expect(rootOf(program)).toBe(undefined);
});

test.runIf(process.platform !== 'win32')('toolchains are found where the owner’s PATH has them', async () => {
	const home = mkdtempSync(join(tmpdir(), 'hearth-toolchains-'));
	onTestFinished(() => rmSync(home, { recursive: true, force: true }));
	const root = join(home, '.nvm', 'versions', 'node', 'v24');
	mkdirSync(join(root, 'bin'), { recursive: true });
	writeFileSync(join(root, 'bin', 'node'), '');
	chmodSync(join(root, 'bin', 'node'), 0o755);
	mkdirSync(join(home, 'links'));
	symlinkSync(join(root, 'bin', 'node'), join(home, 'links', 'node'));
	expect(await findToolchains(['relative', join(home, 'links')].join(':'), home)).toEqual([{ root, bin: join(root, 'bin') }]);
	expect(await findToolchains('/usr/bin', home)).toEqual([]);
});

const MAC: MacHost = {
	toolchains: [{ root: '/Users/ada/.nvm/versions/node/v24', bin: '/Users/ada/.nvm/versions/node/v24/bin' }],
	home: '/Users/ada',
	temporary: '/private/tmp/room',
	hidden: ['/Users/ada/.hearth'],
};
const WORKSPACE = { path: '/Users/ada/.hearth/profiles/default/workspace', access: 'write' as const };

test('S2 the profile of macOS denies all that it does not name, and Hearth’s own folder before what is given of it', () => {
	const lines = seatbeltProfile(MAC, { ...SPEC, folders: [WORKSPACE] }).split('\n');
	expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
	expect(lines).not.toContain('(allow file-read*)');
	expect(lines.filter((line) => line.includes('network'))).toEqual(['(deny network-outbound (subpath "/Users/ada/.hearth"))']);
	const denied = lines.indexOf('(deny file-read* file-write* (subpath "/Users/ada/.hearth"))');
	const given = lines.indexOf(`(allow file-read* file-write* (subpath "${WORKSPACE.path}"))`);
	expect(denied).toBeGreaterThan(0);
	expect(given).toBeGreaterThan(denied);
	expect(lines.some((line) => line.startsWith('(allow file-write*') && line.includes('"/Users/ada"'))).toBe(false);
});

test('S2 a tool server on macOS with home and network still has no door of Hearth’s', () => {
	const text = seatbeltProfile(MAC, { ...SPEC, folders: [], home: 'write', network: { kind: 'all' } });
	expect(text).toContain('(allow file-write* (subpath "/Users/ada"))');
	expect(text.indexOf('(deny file-read* file-write* (subpath "/Users/ada/.hearth"))')).toBeGreaterThan(
		text.indexOf('(allow file-write* (subpath "/Users/ada"))'),
	);
	// Addresses of the network only: no socket of another program.
	expect(text).toContain('(allow network-outbound (remote ip "*:*"))');
});

test('a path is a string of the profile’s language, whatever is in it', () => {
	const text = seatbeltProfile(MAC, { ...SPEC, folders: [{ path: '/Users/ada/a "b")(allow default) \\', access: 'read' }] });
	expect(text).toContain('(allow file-read* (subpath "/Users/ada/a \\"b\\")(allow default) \\\\"))');
	expect(macEnvironment(MAC, SPEC)).toMatchObject({ HOME: '/private/tmp/room', TMPDIR: '/private/tmp/room' });
});
