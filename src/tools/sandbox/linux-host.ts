import { execFile } from 'node:child_process';
import { access, constants, lstat, readFile, readlink, realpath, writeFile } from 'node:fs/promises';
import { homedir, release } from 'node:os';
import { delimiter, join } from 'node:path';
import { isBelow } from '../../base/below.ts';
import type { LinuxHost } from './bubblewrap.ts';
import { INSIDE_HOME } from './bubblewrap.ts';
import { readHardLimits } from './limits.ts';
import { seccompFilter } from './seccomp.ts';
import { findToolchains } from './toolchains.ts';

/** Of `/etc`: where libraries, certificates, zones and names of services are. Never passwords, keys, or what the machine is called. */
const SETTINGS = [
	'/etc/ld.so.cache',
	'/etc/ld.so.conf',
	'/etc/ld.so.conf.d',
	'/etc/alternatives',
	'/etc/ssl/certs',
	'/etc/ssl/openssl.cnf',
	'/etc/ca-certificates',
	'/etc/pki/tls/certs',
	'/etc/pki/ca-trust/extracted',
	'/etc/crypto-policies',
	'/etc/localtime',
	'/etc/mime.types',
	'/etc/protocols',
	'/etc/services',
	'/etc/terminfo',
	'/etc/fonts',
];

const SYSTEM_FOLDERS = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
/** A program of the machine's own root could change the machine through these. */
const CONTROLS = ['/proc/sys', '/proc/sysrq-trigger', '/proc/irq', '/proc/bus'];

/** The key ring of the owner's session: what its keys are called. */
const BLANKED = ['/proc/keys', '/proc/key-users'];

const MADE: Readonly<Record<string, string>> = {
	'/etc/passwd': `root:x:0:0:root:/root:/bin/sh\nowner:x:1000:1000::${INSIDE_HOME}:/bin/sh\nnobody:x:65534:65534::/:/bin/false\n`,
	'/etc/group': 'root:x:0:\nowner:x:1000:\nnogroup:x:65534:\n',
	'/etc/hosts': '127.0.0.1 localhost hearth\n::1 localhost\n',
	'/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files\n',
};

/** What is missing before a sandbox can even be tried. */
export class Missing extends Error {
	readonly action: string;
	constructor(message: string, action: string) {
		super(message);
		this.action = action;
	}
}

/** Looks the machine up. `folder`: a private one, for the few files that Hearth makes. `path`: where programs are looked for. Rejects with `Missing`. */
export async function lookAtLinux(folder: string, hidden: readonly string[], path: string): Promise<LinuxHost> {
	const bwrap = await findProgram('bwrap', path, /^\//);
	if (!bwrap)
		throw new Missing(
			'bubblewrap is not installed.',
			'Install bubblewrap and socat with your system’s package manager, then restart Hearth.',
		);
	const prlimit = await findProgram('prlimit', path);
	if (!prlimit) throw new Missing('prlimit is not installed.', 'Install util-linux, then restart Hearth.');
	const home = await realpath(homedir()).catch(() => homedir());
	const systemFolders: string[] = [];
	const systemLinks: { at: string; to: string }[] = [];
	for (const at of SYSTEM_FOLDERS) {
		const info = await lstat(at).catch(() => undefined);
		if (info?.isSymbolicLink()) systemLinks.push({ at, to: await readlink(at) });
		else if (info?.isDirectory()) systemFolders.push(at);
	}
	if (await isThere('/nix/store')) systemFolders.push('/nix/store');
	return {
		bwrap,
		prlimit,
		socat: await findProgram('socat', path),
		options: await optionsOf(bwrap),
		countsInside: isAtLeast(release(), 5, 14),
		hardLimits: readHardLimits(await readFile('/proc/self/limits', 'utf8').catch(() => '')),
		systemFolders,
		systemLinks,
		settings: await onlyThere(SETTINGS),
		controls: await onlyThere(CONTROLS),
		blanked: await onlyThere(BLANKED),
		empty: await makeEmpty(folder),
		toolchains: await findToolchains(path, home),
		made: await makeFiles(folder),
		filter: await makeFilter(folder),
		home,
		owner: { user: process.getuid?.() ?? 0, group: process.getgid?.() ?? 0 },
		hidden: outermost(await Promise.all(hidden.map((one) => realpath(one).catch(() => one)))),
	};
}

/** Without those that lie in another of them. */
function outermost(folders: readonly string[]): string[] {
	return folders.filter((folder) => !folders.some((other) => folder !== other && isBelow(other, folder)));
}

async function makeFiles(folder: string): Promise<{ file: string; at: string }[]> {
	return Promise.all(
		Object.entries(MADE).map(async ([at, text]) => {
			const file = join(folder, at.slice('/etc/'.length));
			await writeFile(file, text, { mode: 0o644 });
			return { file, at };
		}),
	);
}

async function makeEmpty(folder: string): Promise<string> {
	const file = join(folder, 'empty');
	await writeFile(file, '', { mode: 0o644 });
	return file;
}

async function makeFilter(folder: string): Promise<string | undefined> {
	const filter = seccompFilter(process.arch);
	if (!filter) return undefined;
	const file = join(folder, 'system-calls');
	await writeFile(file, filter, { mode: 0o600 });
	return file;
}

function optionsOf(bwrap: string): Promise<Set<string>> {
	return new Promise((resolve) => {
		execFile(bwrap, ['--help'], { timeout: 5_000 }, (_error, stdout) => resolve(new Set(stdout.match(/--[a-z-]+/g) ?? [])));
	});
}

/** `where`: only one that is there inside, too, unless told otherwise. */
async function findProgram(name: string, path: string, where = /^\/(usr|bin|sbin|nix\/store)\//): Promise<string | undefined> {
	for (const folder of path.split(delimiter)) {
		const file = join(folder, name);
		if (where.test(file) && (await isThere(file, constants.X_OK))) return file;
	}
	return undefined;
}

async function onlyThere(paths: readonly string[]): Promise<string[]> {
	const there = await Promise.all(paths.map((path) => isThere(path)));
	return paths.filter((_, index) => there[index]);
}

function isThere(path: string, mode = constants.F_OK): Promise<boolean> {
	return access(path, mode).then(
		() => true,
		() => false,
	);
}

function isAtLeast(version: string, major: number, minor: number): boolean {
	const [left = 0, right = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
	return left > major || (left === major && right >= minor);
}
