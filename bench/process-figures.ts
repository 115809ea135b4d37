import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process is at rest once it used less than this much processor time for so long, in milliseconds. */
const CALM_PROCESSOR_MS = 20;
const CALM_MS = 2_000;

/** User and system time of a process in milliseconds, in steps of 10; NaN where there is no /proc. */
export function processorMs(pid: number): number {
	const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process in megabytes of 10⁶ bytes; NaN where there is no /proc. */
export function residentMb(pid: number): number {
	return (Number(/VmRSS:\s+(\d+) kB/.exec(readProc(pid, 'status'))?.[1]) * 1024) / 1e6;
}

/** Resolves once the process is at rest; throws where it is not within `longestMs`. */
export async function calm(pid: number, longestMs: number): Promise<void> {
	const deadline = performance.now() + longestMs;
	for (let last = processorMs(pid); performance.now() < deadline; ) {
		await sleep(CALM_MS);
		const now = processorMs(pid);
		if (now - last < CALM_PROCESSOR_MS) return;
		last = now;
	}
	throw new Error('the runtime does not come to rest');
}

function readProc(pid: number, name: string): string {
	try {
		return readFileSync(`/proc/${pid}/${name}`, 'utf8');
	} catch {
		// Not Linux, or the process is gone: the figure is not a number then, which the report shows.
		return '';
	}
}
