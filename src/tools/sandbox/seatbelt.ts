import { inOrder } from './below.ts';
import type { LaunchSpec, SandboxFolder } from './port.ts';
import type { Toolchain } from './toolchains.ts';

/** The profile of macOS's sandbox-exec: the same meaning as on Linux. Pure. */

export interface MacHost {
	readonly toolchains: readonly Toolchain[];
	readonly home: string;
	/** Private to the program: its home and its temporary folder. */
	readonly temporary: string;
	/** What no program sees: the folder of Hearth, by its real path. */
	readonly hidden: readonly string[];
}

export const SANDBOX_EXEC = '/usr/bin/sandbox-exec';

const PROGRAMS = [
	'/usr',
	'/bin',
	'/sbin',
	'/System',
	'/Library/Apple',
	'/Library/Developer',
	'/Library/Frameworks',
	'/Applications/Xcode.app',
	'/opt/homebrew',
	'/opt/local',
	'/private/var/db/timezone',
	'/private/var/db/dyld',
];
const SETTINGS = ['/private/etc/ssl', '/private/etc/localtime', '/private/etc/protocols', '/private/etc/services', '/private/etc/shells'];
const DEVICES = ['/dev/null', '/dev/zero', '/dev/random', '/dev/urandom', '/dev/dtracehelper'];

export function seatbeltProfile(host: MacHost, spec: LaunchSpec): string {
	const home = spec.home ?? 'hidden';
	const readable = [...PROGRAMS, ...SETTINGS, ...host.toolchains.map(({ root }) => root)];
	const { holding, others } = inOrder(spec.folders, host.hidden);
	const allow = ({ path, access }: SandboxFolder): string =>
		`(allow file-read*${access === 'write' ? ' file-write*' : ''} ${subpaths([path])})`;
	const rules = [
		'(version 1)',
		'(deny default)',
		'(allow process-fork)',
		'(allow process-exec)',
		// Only its own: it sees no other process and can end none.
		'(allow signal (target same-sandbox))',
		'(allow process-info* (target same-sandbox))',
		'(allow sysctl-read)',
		'(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
		// Programs walk to where they are: that a folder is there, not what is in it.
		'(allow file-read-metadata)',
		'(allow file-read* (literal "/"))',
		...(home === 'hidden' ? [`(allow file-read* ${subpaths(readable)})`] : ['(allow file-read*)']),
		...(home === 'write' ? [`(allow file-write* ${subpaths([host.home])})`] : []),
		`(allow file-read* file-write* ${subpaths([host.temporary])})`,
		`(allow file-read* file-write* ${DEVICES.map((device) => `(literal ${quoted(device)})`).join(' ')})`,
		'(allow file-ioctl (literal "/dev/dtracehelper"))',
		...holding.map(allow),
		// Later rules win: Hearth's own folder, then what is given of it.
		...host.hidden.flatMap((folder) => [
			`(deny file-read* file-write* ${subpaths([folder])})`,
			`(deny network-outbound (subpath ${quoted(folder)}))`,
		]),
		...others.map(allow),
		// Sockets of the machine's other programs stay closed: only addresses of the network.
		...(spec.network.kind === 'all'
			? ['(allow network-outbound (remote ip "*:*"))', '(allow network-bind (local ip "*:*"))', '(allow system-socket)']
			: []),
	];
	return `${rules.join('\n')}\n`;
}

export function macEnvironment(host: MacHost, spec: LaunchSpec): Record<string, string> {
	const path = ['/usr/local/bin', '/opt/homebrew/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];
	return {
		PATH: [...new Set([...host.toolchains.map(({ bin }) => bin), ...path])].join(':'),
		HOME: (spec.home ?? 'hidden') === 'hidden' ? host.temporary : host.home,
		TMPDIR: host.temporary,
		LANG: 'en_US.UTF-8',
		TERM: 'dumb',
		NO_COLOR: '1',
		...spec.env,
	};
}

function subpaths(folders: readonly string[]): string {
	return folders.map((folder) => `(subpath ${quoted(folder)})`).join(' ');
}

/** A string of the profile's language. A path with a control character can't be named in it. */
function quoted(text: string): string {
	return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
