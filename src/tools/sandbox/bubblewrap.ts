import { isBelow } from '../../base/below.ts';
import { inOrder } from './below.ts';
import { type HardLimits, prlimitArgs } from './limits.ts';
import type { LaunchSpec, SandboxFolder, SandboxLimits } from './port.ts';
import type { Toolchain } from './toolchains.ts';

/** The arguments of bubblewrap for one program. Pure: what the machine has was looked up before. */

/** What the machine has. */
export interface LinuxHost {
	readonly bwrap: string;
	readonly prlimit: string;
	/** Undefined: commands have no network. */
	readonly socat: string | undefined;
	/** Options that this bubblewrap knows. */
	readonly options: ReadonlySet<string>;
	readonly countsInside: boolean;
	readonly hardLimits: HardLimits;
	/** Folders of the system, to be read: `/usr`, and `/bin`, `/lib` … where they are folders of their own. */
	readonly systemFolders: readonly string[];
	/** `/bin` → `usr/bin`. */
	readonly systemLinks: readonly { readonly at: string; readonly to: string }[];
	/** Of `/etc`: only what programs need. */
	readonly settings: readonly string[];
	/** Parts of `/proc` through which the machine can be changed. */
	readonly controls: readonly string[];
	/** And through which it tells what is the owner's: an empty file lies over them. */
	readonly blanked: readonly string[];
	readonly empty: string;
	readonly toolchains: readonly Toolchain[];
	/** Files that Hearth made, by where they go: `/etc/passwd` … */
	readonly made: readonly { readonly file: string; readonly at: string }[];
	/** A file with the filter of system calls; undefined where there is none for this machine. */
	readonly filter: string | undefined;
	readonly home: string;
	/** Whom the owner's files belong to. */
	readonly owner: { readonly user: number; readonly group: number };
	/** What no program sees, whatever else it may: the folder of Hearth, by its real path. */
	readonly hidden: readonly string[];
}

/** Of one launch, what had to be made for it. */
export interface LinuxLaunch {
	readonly spec: LaunchSpec;
	readonly limits: SandboxLimits;
	/** The socket of its proxy, where it may reach hosts. */
	readonly proxySocket?: string | undefined;
}

export const INSIDE_HOME = '/tmp/home';
/** Whom programs belong to inside: nothing is told of who the owner is. */
const INSIDE = { user: 1000, group: 1000 };
const PROXY_SOCKET = '/run/hearth-proxy.sock';
const PROXY_PORT = 3128;
/** A program that has said all that it has to say still waits for the answer. */
const HALF_OPEN_SECONDS = 600;
const SYSTEM_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];
const FILTER_NUMBER = 9;
const SHARED_MEMORY_BYTES = 64 * 1024 * 1024;

export function bubblewrapArgs(host: LinuxHost, launch: LinuxLaunch): string[] {
	const { spec, limits } = launch;
	const wide = (spec.home ?? 'hidden') !== 'hidden';
	const { holding, others } = inOrder(spec.folders, host.hidden);
	const bind = ({ path, access }: SandboxFolder): string[] => [access === 'write' ? '--bind' : '--ro-bind', path, insideOf(spec, path)];
	const hidden = host.hidden.filter((folder) => wide || isShown(host, folder) || holding.some(({ path }) => isBelow(path, folder)));
	return [
		...walls(host, spec),
		...(wide ? machine(host, spec) : programs(host)),
		...['--proc', '/proc'],
		...host.controls.flatMap((control) => ['--ro-bind', control, control]),
		...host.blanked.flatMap((at) => ['--ro-bind', host.empty, at]),
		...['--dev', '/dev', ...sized(host, SHARED_MEMORY_BYTES), '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
		...[...sized(host, limits.temporaryBytes), '--tmpfs', '/tmp'],
		...(wide ? ['--tmpfs', '/run'] : ['--dir', '/run', '--dir', '/var', '--symlink', '/tmp', '/var/tmp', '--dir', INSIDE_HOME]),
		...holding.flatMap(bind),
		...hidden.flatMap((folder) => ['--tmpfs', folder]),
		...others.flatMap(bind),
		...(launch.proxySocket === undefined ? [] : ['--bind', launch.proxySocket, PROXY_SOCKET]),
		// The root itself is memory, and nothing is to be put there.
		...(wide ? [] : ['--remount-ro', '/']),
		...['--chdir', insideOf(spec, spec.cwd), '--'],
		...inner(host, launch),
	];
}

/** How it is started: bubblewrap reads the filter from a number, which a shell opens for it. */
export function bubblewrapCommand(host: LinuxHost, launch: LinuxLaunch): { file: string; args: string[] } {
	const args = bubblewrapArgs(host, launch);
	if (host.filter === undefined) return { file: host.bwrap, args };
	return {
		file: '/bin/sh',
		args: ['-c', `exec "$@" ${FILTER_NUMBER}<"$0"`, host.filter, host.bwrap, '--seccomp', String(FILTER_NUMBER), ...args],
	};
}

export function insideEnvironment(host: LinuxHost, { spec, proxySocket }: LinuxLaunch): Record<string, string> {
	const wide = (spec.home ?? 'hidden') !== 'hidden';
	const proxy = `http://127.0.0.1:${PROXY_PORT}`;
	const past = pastProxy(spec).join(',');
	return {
		PATH: [...new Set([...host.toolchains.map(({ bin }) => bin), ...SYSTEM_PATH])].join(':'),
		HOME: wide ? host.home : INSIDE_HOME,
		TMPDIR: '/tmp',
		LANG: 'C.UTF-8',
		TERM: 'dumb',
		NO_COLOR: '1',
		...(proxySocket !== undefined && {
			HTTP_PROXY: proxy,
			HTTPS_PROXY: proxy,
			http_proxy: proxy,
			https_proxy: proxy,
			NO_PROXY: past,
			no_proxy: past,
			NODE_USE_ENV_PROXY: '1',
		}),
		...spec.env,
	};
}

/** Loopback is the sandbox's own, where a command may talk to what it started itself; a name of it that the owner named is his computer. */
function pastProxy({ network }: LaunchSpec): string[] {
	const named = network.kind === 'hosts' ? network.hosts.map((host) => host.replace(/:\d+$/, '')) : [];
	return ['localhost', '127.0.0.1', '::1'].filter((own) => !named.includes(own) && !named.includes(`[${own}]`));
}

/** Own processes, network, messages and names; no rights over anything; ends with Hearth; no terminal to type into. */
function walls(host: LinuxHost, spec: LaunchSpec): string[] {
	const { user, group } = (spec.home ?? 'hidden') === 'hidden' ? INSIDE : host.owner;
	return [
		...['--unshare-all', '--unshare-user', ...(spec.network.kind === 'all' ? ['--share-net'] : [])],
		...(host.options.has('--disable-userns') ? ['--disable-userns'] : []),
		...['--uid', String(user), '--gid', String(group), '--hostname', 'hearth', '--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
	];
}

function programs(host: LinuxHost): string[] {
	return [
		...host.systemFolders.flatMap((folder) => ['--ro-bind', folder, folder]),
		...host.systemLinks.flatMap(({ to, at }) => ['--symlink', to, at]),
		...host.settings.flatMap((file) => ['--ro-bind', file, file]),
		...host.made.flatMap(({ file, at }) => ['--ro-bind', file, at]),
		...host.toolchains.flatMap(({ root }) => ['--ro-bind', root, root]),
	];
}

function machine(host: LinuxHost, spec: LaunchSpec): string[] {
	return ['--ro-bind', '/', '/', ...(spec.home === 'write' ? ['--bind', host.home, host.home] : [])];
}

/** Whether it would be seen among the programs. */
function isShown(host: LinuxHost, folder: string): boolean {
	const shown = [...host.systemFolders, ...host.toolchains.map(({ root }) => root)];
	return shown.some((root) => isBelow(root, folder));
}

/** Where a folder of this machine is inside. */
export function insideOf({ folders, home }: Pick<LaunchSpec, 'folders' | 'home'>, path: string): string {
	// The machine's own root takes no new folder.
	if ((home ?? 'hidden') !== 'hidden') return path;
	for (const { path: root, at } of folders) {
		if (at === undefined) continue;
		if (isBelow(root, path)) return at + path.slice(root.length);
	}
	return path;
}

function sized(host: LinuxHost, bytes: number): string[] {
	return host.options.has('--size') && Number.isFinite(bytes) ? ['--size', String(bytes)] : [];
}

/**
 * What runs inside: limits, then the program. With a proxy, first the way to it, which belongs to nobody in there, so that a program that
 * waits for all of its own does not wait for it.
 */
function inner(host: LinuxHost, { spec, limits, proxySocket }: LinuxLaunch): string[] {
	const limited = [host.prlimit, ...prlimitArgs(limits, host.hardLimits, host.countsInside), '--', spec.file, ...spec.args];
	const script: string[] = [];
	if (spec.mergeOutput) script.push('exec 2>&1');
	if (proxySocket !== undefined && host.socat !== undefined) {
		const listen = `TCP4-LISTEN:${PROXY_PORT},bind=127.0.0.1,fork,reuseaddr`;
		script.push(
			`("${host.socat}" -t ${HALF_OPEN_SECONDS} ${listen} UNIX-CONNECT:${PROXY_SOCKET} </dev/null >/dev/null 2>&1 &)`,
			'tries=0',
			`until "${host.socat}" -u /dev/null TCP4:127.0.0.1:${PROXY_PORT} 2>/dev/null`,
			'do tries=$((tries+1)); [ $tries -gt 200 ] && break; sleep 0.02; done',
		);
	}
	if (script.length === 0) return limited;
	return ['/bin/sh', '-c', [...script, 'exec "$@"'].join('\n'), 'sh', ...limited];
}
