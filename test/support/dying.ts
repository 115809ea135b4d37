import { execFile } from 'node:child_process';
import { z } from 'zod';
import { CRASH_POINTS, type CrashPointName, onCrashPoint } from '../../src/base/crash-point.ts';

/** Where a program of a crash test dies: when it passes that crash point for the nth time, from 1. */
export const Die = z.object({ at: z.enum(CRASH_POINTS), nth: z.number() });
export type Die = z.infer<typeof Die>;

/** From now on: by SIGKILL, as told. Each crash point that is passed is told before. */
export function dieAt(die: Die | undefined, told?: (name: CrashPointName) => void): void {
	let passed = 0;
	onCrashPoint((name) => {
		told?.(name);
		if (die?.at !== name) return;
		passed += 1;
		if (passed === die.nth) process.kill(process.pid, 'SIGKILL');
	});
}

export interface Life<Said> {
	/** Null where it came to its end. */
	readonly signal: string | null;
	/** What it printed. */
	readonly said?: Said;
}

/** One life of a program: started with its options as JSON, it prints JSON at its end or dies before. Rejects where it fails in another way. */
export function liveOnce<Said>(script: string, options: unknown): Promise<Life<Said>> {
	return new Promise((resolve, reject) => {
		const how = { cwd: process.cwd(), maxBuffer: 10_000_000 };
		execFile(process.execPath, ['--no-warnings', script, JSON.stringify(options)], how, (error, stdout, stderr) => {
			if (error && error.signal !== 'SIGKILL') reject(new Error(stderr || error.message));
			else resolve({ signal: error?.signal ?? null, ...(stdout !== '' && { said: JSON.parse(stdout) as Said }) });
		});
	});
}
