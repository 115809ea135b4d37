import { readFileSync } from 'node:fs';

/** User and system time of a process in milliseconds, in steps of 10; NaN where there is no /proc. */
export function processorMs(pid: number): number {
	const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
	return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process in megabytes of 10⁶ bytes; NaN where there is no /proc. */
export function residentMb(pid: number): number {
	return (Number(/VmRSS:\s+(\d+) kB/.exec(readProc(pid, 'status'))?.[1]) * 1024) / 1e6;
}

function readProc(pid: number, name: string): string {
	try {
		return readFileSync(`/proc/${pid}/${name}`, 'utf8');
	} catch {
		// Not Linux, or the process is gone: the figure is not a number then, which the report shows.
		return '';
	}
}
