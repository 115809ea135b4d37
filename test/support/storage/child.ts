import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { programOf } from '../program.ts';

const PROGRAM = programOf(join(import.meta.dirname, 'main.ts'));
/** The whole runtime over the profile folder in the first argument. */
const APP = programOf(join(import.meta.dirname, 'app/main.ts'));

export interface StorageChild {
	readonly process: ChildProcess;
	/** The next line it says; throws when it ends without one. */
	next(): Promise<Record<string, unknown>>;
	/** Lines until one has this key. */
	until(key: string): Promise<Record<string, unknown>>;
	say(word: string): void;
	/** Kills it (or waits for its own end) and gives the signal it died of. */
	end(signal?: NodeJS.Signals): Promise<NodeJS.Signals | null>;
	/** All lines said so far and not taken. */
	rest(): Record<string, unknown>[];
}

/** Starts `main.ts` as a process of its own; `shell` puts words such as `ulimit …;` before it. */
export function startChild(args: string[], shell?: string, environment: Record<string, string> = {}): StorageChild {
	return start([PROGRAM, ...args], shell, environment);
}

/** Starts the whole runtime over a profile folder as a process of its own. */
export function startApp(profileFolder: string, shell?: string): StorageChild {
	return start([APP, profileFolder], shell, {});
}

function start(args: string[], shell: string | undefined, environment: Record<string, string>): StorageChild {
	const env = { ...process.env, ...environment };
	const child = shell
		? spawn('bash', ['-c', `${shell} exec "$@"`, 'bash', process.execPath, ...args], { stdio: ['pipe', 'pipe', 'inherit'], env })
		: spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
	const lines: Record<string, unknown>[] = [];
	const waiting: (() => void)[] = [];
	let ended = false;
	const wake = () => {
		for (const resume of waiting.splice(0)) resume();
	};
	createInterface({ input: child.stdout }).on('line', (line) => {
		// A kill may cut the last line.
		if (line.endsWith('}')) lines.push(JSON.parse(line) as Record<string, unknown>);
		wake();
	});
	const closed = once(child, 'close').then(([, signal]) => {
		ended = true;
		wake();
		return signal as NodeJS.Signals | null;
	});
	onTestFinished(() => void child.kill('SIGKILL'));

	async function next(): Promise<Record<string, unknown>> {
		for (;;) {
			const line = lines.shift();
			if (line) return line;
			if (ended) throw new Error('the process ended without saying more');
			await new Promise<void>((resolve) => waiting.push(resolve));
		}
	}
	return {
		process: child,
		next,
		until: async (key) => {
			for (;;) {
				const line = await next();
				if (key in line) return line;
			}
		},
		say: (word) => void child.stdin.write(`${word}\n`),
		end: (signal) => {
			if (signal) child.kill(signal);
			return closed;
		},
		rest: () => lines.splice(0),
	};
}
