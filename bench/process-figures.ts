import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
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

/** What a program of ours is seen to use: until its first words, and then at rest. */
export interface Seen {
	/** Its first words. */
	readonly said: string;
	/** Milliseconds of wall time until then. */
	readonly saidMs: number;
	/** Processor time while it was looked at, in percent of one processor; 0 where it was not. */
	readonly idlePct: number;
	readonly residentMb: number;
}

/** Starts a program, looks at it for `ms` once it is at rest, and ends it. Rejects where it ends by itself. */
export async function lookAtProgram(program: string, args: readonly string[], ms: number, longestUnrestMs: number): Promise<Seen> {
	const began = performance.now();
	const child = spawn(process.execPath, ['--no-warnings', program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
	try {
		const [line] = await Promise.race([once(child.stdout, 'data'), died(child)]);
		const saidMs = Math.round(performance.now() - began);
		const pid = child.pid ?? 0;
		if (ms > 0) await calm(pid, longestUnrestMs);
		const before = processorMs(pid);
		await Promise.race([sleep(ms), died(child)]);
		const idlePct = ms > 0 ? Math.round(((processorMs(pid) - before) / ms) * 10_000) / 100 : 0;
		return { said: String(line), saidMs, idlePct, residentMb: residentMb(pid) };
	} finally {
		const gone = once(child, 'exit');
		if (child.exitCode === null && child.kill('SIGTERM')) await gone;
	}
}

async function died(child: ChildProcess): Promise<never> {
	const [code] = await once(child, 'exit');
	throw new Error(`the runtime ended (code ${code})`);
}

function readProc(pid: number, name: string): string {
	try {
		return readFileSync(`/proc/${pid}/${name}`, 'utf8');
	} catch {
		// Not Linux, or the process is gone: the figure is not a number then, which the report shows.
		return '';
	}
}
