import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programOf } from '../../support/program.ts';
import type { WebHostOrder } from './web-host.ts';

/** A process that holds a runtime. It holds one at a time, and after a `close` it can hold the next: a start costs more than a page. */
export interface HostProcess {
	readonly pid: number;
	/** Resolves with what the process answers; rejects where it failed, or ended. */
	ask(order: WebHostOrder): Promise<string>;
	/** SIGKILL; resolves when it is gone. */
	kill(): Promise<void>;
}

const idle: HostProcess[] = [];

/** One that holds nothing: of those given back, else a new one. */
export function takeHost(): HostProcess {
	return idle.pop() ?? startHost();
}

/** Only one that was closed, and lives. */
export function giveBackHost(host: HostProcess): void {
	idle.push(host);
}

function startHost(): HostProcess {
	const child: ChildProcess = spawn(process.execPath, [programOf(join(import.meta.dirname, 'web-host.ts'))], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const { stdin, stdout } = child;
	if (!stdin || !stdout) throw new Error('no pipes');
	// Its end is told by the answer that does not come.
	stdin.on('error', () => undefined);
	const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
	return {
		pid: child.pid ?? 0,
		async ask(order) {
			stdin.write(`${JSON.stringify(order)}\n`);
			const { value, done } = await answers.next();
			if (done) throw new Error('the process of the runtime ended');
			if (value.startsWith('failed: ')) throw new Error(value);
			return value;
		},
		async kill() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const gone = once(child, 'exit');
			child.kill('SIGKILL');
			await gone;
		},
	};
}
