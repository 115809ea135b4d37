import type { SandboxLimits } from './port.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;

/** Enough for building and testing a project; `Infinity` is no limit. */
export const DEFAULT_LIMITS: SandboxLimits = {
	cpuSeconds: 600,
	dataBytes: 4 * GB,
	// Programs with WebAssembly reserve tens of gigabytes of addresses that they never use: what they may use is `dataBytes`.
	addressBytes: 256 * GB,
	fileBytes: GB,
	openFiles: 4_096,
	processes: 256,
	totalMemoryBytes: 6 * GB,
	temporaryBytes: 512 * MB,
	freeDiskBytes: 512 * MB,
};

/** Limits of this very process that a child can't go above; absent where there is none. */
export interface HardLimits {
	readonly openFiles?: number | undefined;
	readonly processes?: number | undefined;
}

/**
 * Arguments of `prlimit`. `countsInside`: the kernel counts processes by sandbox, so that a limit does not meet those that the owner has
 * open already (Linux 5.14).
 */
export function prlimitArgs(limits: SandboxLimits, hard: HardLimits, countsInside: boolean): string[] {
	const { cpuSeconds, dataBytes, addressBytes, fileBytes } = limits;
	const args = ['--core=0'];
	// First a signal that a program can take, then the end.
	if (Number.isFinite(cpuSeconds)) args.push(`--cpu=${cpuSeconds}:${cpuSeconds + 5}`);
	if (Number.isFinite(dataBytes)) args.push(`--data=${dataBytes}`);
	if (Number.isFinite(addressBytes)) args.push(`--as=${addressBytes}`);
	if (Number.isFinite(fileBytes)) args.push(`--fsize=${fileBytes}`);
	const openFiles = Math.min(limits.openFiles, hard.openFiles ?? Number.POSITIVE_INFINITY);
	if (Number.isFinite(openFiles)) args.push(`--nofile=${openFiles}`);
	const processes = Math.min(limits.processes, hard.processes ?? Number.POSITIVE_INFINITY);
	if (countsInside && Number.isFinite(processes)) args.push(`--nproc=${processes}`);
	return args;
}

/** From the text of `/proc/self/limits`. */
export function readHardLimits(text: string): HardLimits {
	const hardOf = (name: string): number | undefined => {
		const line = text.split('\n').find((one) => one.startsWith(name));
		const value = line?.slice(name.length).trim().split(/\s+/)[1];
		return value === undefined || value === 'unlimited' ? undefined : Number(value);
	};
	return { openFiles: hardOf('Max open files'), processes: hardOf('Max processes') };
}
