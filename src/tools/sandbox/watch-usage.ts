import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile, statfs } from 'node:fs/promises';
import type { ProgramEnd, SandboxLimits } from './port.ts';

const LOOK_EVERY_MS = 100;
/** Looks between two at the memory, and at the disk. */
const MEMORY_EVERY = 3;
const DISK_EVERY = 10;
/** The disk was full before, or others fill it: that is not this program's doing. */
const WROTE_BYTES = 64 * 1024 * 1024;
const PAGE_BYTES = 4_096;

/**
 * Looks at a program and all that it started, several times a second, and calls `over` once where together they take more than they may: what
 * a limit of the kernel for each process can't see. Returns what ends the looking.
 *
 * Processes are counted in one go: a program that multiplies takes the machine from whoever waits between two reads.
 */
export function watchUsage(
	pid: number,
	folder: string,
	limits: SandboxLimits,
	over: (why: NonNullable<ProgramEnd['over']>) => void,
): () => void {
	let looks = 0;
	let freeAtStart: number | undefined;
	let stopped = false;
	const stop = (): void => {
		stopped = true;
		clearInterval(timer);
	};
	const end = (why: NonNullable<ProgramEnd['over']>): void => {
		if (stopped) return;
		stop();
		over(why);
	};
	const lookAtDisk = async (): Promise<void> => {
		const free = await freeBytes(folder);
		freeAtStart ??= free;
		if (free !== undefined && freeAtStart !== undefined && free < limits.freeDiskBytes && freeAtStart - free > WROTE_BYTES) end('disk');
	};
	const timer = setInterval(() => {
		const found = descendants(pid, limits.processes);
		if (found.length > limits.processes) return end('processes');
		if (looks % MEMORY_EVERY === 0 && found.reduce((sum, one) => sum + residentBytes(one), 0) > limits.totalMemoryBytes)
			return end('memory');
		if (looks % DISK_EVERY === 0) void lookAtDisk();
		looks += 1;
	}, LOOK_EVERY_MS);
	timer.unref();
	return stop;
}

/** All that a process started and that have not ended, as they are named outside; one more than `most` at most. Only Linux tells. */
function descendants(pid: number, most: number): number[] {
	const found: number[] = [];
	const waiting = [pid];
	for (let next = waiting.pop(); next !== undefined && found.length <= most; next = waiting.pop()) {
		for (const child of childrenOf(next)) {
			found.push(child);
			waiting.push(child);
		}
	}
	return found;
}

function childrenOf(pid: number): number[] {
	try {
		const threads = readdirSync(`/proc/${pid}/task`);
		return threads.flatMap((thread) => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number));
	} catch {
		// It has ended meanwhile.
		return [];
	}
}

function residentBytes(pid: number): number {
	try {
		const numbers = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
		// What is shared with others (libraries) is not counted.
		return Math.max(0, Number(numbers[1] ?? 0) - Number(numbers[2] ?? 0)) * PAGE_BYTES;
	} catch {
		return 0;
	}
}

/** Programs that bear this mark in their environment, whoever their parent is now. */
export async function markedWith(mark: string): Promise<number[]> {
	const numbers = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
	const marked = await Promise.all(
		numbers.map(async (number) => (await readFile(`/proc/${number}/environ`, 'latin1').catch(() => '')).split('\0').includes(mark)),
	);
	return numbers.filter((_, index) => marked[index]).map(Number);
}

async function freeBytes(folder: string): Promise<number | undefined> {
	const found = await statfs(folder).catch(() => undefined);
	return found && found.bavail * found.bsize;
}
