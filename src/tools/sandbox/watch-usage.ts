import { readdir, readFile, statfs } from 'node:fs/promises';
import type { ProgramEnd, SandboxLimits } from './port.ts';

const LOOK_EVERY_MS = 200;
/** The disk was full before, or others fill it: that is not this program's doing. */
const WROTE_BYTES = 64 * 1024 * 1024;
const PAGE_BYTES = 4_096;

/**
 * Looks at a program and all that it started, a few times a second, and calls `over` once where together they take more than they may: what
 * a limit of the kernel for each process can't see. Returns what ends the looking.
 */
export function watchUsage(
	pid: number,
	folder: string,
	limits: SandboxLimits,
	over: (why: NonNullable<ProgramEnd['over']>) => void,
): () => void {
	let stopped = false;
	let freeAtStart: number | undefined;

	async function look(): Promise<void> {
		const free = await freeBytes(folder);
		freeAtStart ??= free;
		const isFilling = free !== undefined && freeAtStart !== undefined && free < limits.freeDiskBytes && freeAtStart - free > WROTE_BYTES;
		const why = isFilling ? 'disk' : await usageOver(pid, limits);
		if (stopped) return;
		if (why) {
			stopped = true;
			over(why);
			return;
		}
		setTimeout(() => void look(), LOOK_EVERY_MS).unref();
	}

	void look();
	return () => {
		stopped = true;
	};
}

/** Only Linux tells; elsewhere the time is the limit. */
async function usageOver(pid: number, limits: SandboxLimits): Promise<'memory' | 'processes' | undefined> {
	const found: number[] = [];
	for await (const one of descendants(pid)) {
		found.push(one);
		if (found.length > limits.processes) return 'processes';
	}
	const sizes = await Promise.all(found.map(residentBytes));
	return sizes.reduce((sum, bytes) => sum + bytes, 0) > limits.totalMemoryBytes ? 'memory' : undefined;
}

/** Programs that bear this mark in their environment, whoever their parent is now. */
export async function markedWith(mark: string): Promise<number[]> {
	const numbers = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
	const marked = await Promise.all(
		numbers.map(async (number) => (await readFile(`/proc/${number}/environ`, 'latin1').catch(() => '')).split('\0').includes(mark)),
	);
	return numbers.filter((_, index) => marked[index]).map(Number);
}

/** Of a process, all that it started and that have not ended, as they are named outside. */
export async function* descendants(pid: number): AsyncGenerator<number> {
	const waiting = [pid];
	for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
		for (const child of await childrenOf(next)) {
			yield child;
			waiting.push(child);
		}
	}
}

async function childrenOf(pid: number): Promise<number[]> {
	const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
	const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')));
	return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

async function residentBytes(pid: number): Promise<number> {
	const numbers = (await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')).split(' ');
	// What is shared with others (libraries, tmpfs pages that were mapped) is counted once, with those.
	return Math.max(0, Number(numbers[1] ?? 0) - Number(numbers[2] ?? 0)) * PAGE_BYTES;
}

async function freeBytes(folder: string): Promise<number | undefined> {
	const found = await statfs(folder).catch(() => undefined);
	return found && found.bavail * found.bsize;
}
