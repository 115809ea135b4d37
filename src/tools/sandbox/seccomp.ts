/**
 * System calls that programs in the sandbox have no use for, as a filter of the kernel's (classic BPF). First of all those of its key ring: a program
 * possesses what its session holds, in whatever room it runs, and owners keep secrets there. The rest needs rights that nobody has in there; it
 * is denied so that a mistake in the kernel has less to be found in. Pure.
 */

interface Machine {
	/** As the kernel names it: `AUDIT_ARCH_…`. */
	readonly architecture: number;
	/** Numbers from here on are those of another way to call. */
	readonly otherFrom?: number;
	readonly ioctl: number;
	readonly denied: readonly number[];
}

/** The same on all machines: new mounts, and the ring of requests that no filter sees. */
const NEWER = [428, 429, 430, 431, 432, 433, 442];
const IO_URING = [425, 426, 427];

const MACHINES: Readonly<Record<string, Machine>> = {
	x64: {
		architecture: 0xc000003e,
		otherFrom: 0x40000000,
		ioctl: 16,
		// add_key, request_key, keyctl; pivot_root, mount, umount2, setns, open_by_handle_at; init_, delete_, finit_module; kexec_load, kexec_file_load, reboot; swapon, swapoff, acct, quotactl, iopl, ioperm; perf_event_open, bpf, userfaultfd, fanotify_init
		denied: [
			248,
			249,
			250,
			155,
			165,
			166,
			308,
			304,
			175,
			176,
			313,
			246,
			320,
			169,
			167,
			168,
			163,
			179,
			172,
			173,
			298,
			321,
			323,
			300,
			...NEWER,
		],
	},
	arm64: {
		architecture: 0xc00000b7,
		ioctl: 29,
		denied: [217, 218, 219, 41, 40, 39, 268, 265, 105, 106, 273, 104, 294, 142, 224, 225, 89, 60, 241, 280, 282, 262, ...NEWER],
	},
};

/** Typing into a terminal, and pasting into a console. */
const TERMINAL_COMMANDS = [0x5412, 0x541c];

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const ERROR = 0x00050000;
const NOT_PERMITTED = 1;
const NO_SUCH_CALL = 38;

/** Places in what a filter is shown. */
const CALL_NUMBER = 0;
const ARCHITECTURE = 4;
const SECOND_ARGUMENT = 24;

type Target = 'allow' | 'denied' | 'unknown';
type Instruction = { readonly code: number; readonly value: number; readonly ifSo?: Target; readonly ifNot?: Target };

/** Undefined for a machine that we have no numbers of. */
export function seccompFilter(arch: string): Buffer | undefined {
	const machine = MACHINES[arch];
	if (!machine) return undefined;
	const { architecture, otherFrom, ioctl, denied } = machine;
	const steps: Instruction[] = [
		{ code: LOAD, value: ARCHITECTURE },
		{ code: IF_EQUAL, value: architecture, ifNot: 'unknown' },
		{ code: LOAD, value: CALL_NUMBER },
		...(otherFrom === undefined ? [] : [{ code: IF_AT_LEAST, value: otherFrom, ifSo: 'unknown' as const }]),
		...IO_URING.map((value) => ({ code: IF_EQUAL, value, ifSo: 'unknown' as const })),
		...denied.map((value) => ({ code: IF_EQUAL, value, ifSo: 'denied' as const })),
		{ code: IF_EQUAL, value: ioctl, ifNot: 'allow' },
		{ code: LOAD, value: SECOND_ARGUMENT },
		...TERMINAL_COMMANDS.map((value) => ({ code: IF_EQUAL, value, ifSo: 'denied' as const })),
	];
	const ends: readonly Target[] = ['allow', 'denied', 'unknown'];
	const values: Readonly<Record<Target, number>> = { allow: ALLOW, denied: ERROR | NOT_PERMITTED, unknown: ERROR | NO_SUCH_CALL };
	const wayFrom = (at: number, target: Target | undefined): number =>
		target === undefined ? 0 : steps.length + ends.indexOf(target) - at - 1;
	const lines = [
		...steps.map(({ code, value, ifSo, ifNot }, at) => [code, wayFrom(at, ifSo), wayFrom(at, ifNot), value] as const),
		...ends.map((end) => [RETURN, 0, 0, values[end]] as const),
	];
	const program = Buffer.alloc(lines.length * 8);
	lines.forEach(([code, ifSo, ifNot, value], at) => {
		program.writeUInt16LE(code, at * 8);
		program.writeUInt8(ifSo, at * 8 + 2);
		program.writeUInt8(ifNot, at * 8 + 3);
		program.writeUInt32LE(value >>> 0, at * 8 + 4);
	});
	return program;
}
