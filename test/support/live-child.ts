import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { dialSocket } from '../../src/app/socket.ts';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { type Connection, connect } from '../../src/contract/client.ts';
import { programOf } from './program.ts';

const CHILD = programOf(fileURLToPath(new URL('./app-child/main.ts', import.meta.url)));

export interface LiveChild {
	readonly child: ChildProcess;
	readonly rpc: Connection['rpc'];
	/** From now on it dies where it passes that point. */
	arm(point: CrashPointName): Promise<void>;
	/** Resolves when it is dead. */
	readonly dead: Promise<unknown>;
}

/** One life of the whole runtime over a profile, in a process of its own that can be killed. `deadly`: it dies where it first passes that point. */
export async function liveChild(profileFolder: string, deadly?: CrashPointName): Promise<LiveChild> {
	const child = spawn(process.execPath, ['--no-warnings', CHILD, profileFolder, ...(deadly ? [deadly] : [])], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	onTestFinished(() => void child.kill('SIGKILL'));
	const dead = once(child, 'close');
	await once(child.stdout, 'data');
	const transport = await dialSocket(profileFolder);
	if (!transport) throw new Error('it has no door');
	const { rpc, close } = await connect(transport, { client: 'test' });
	onTestFinished(close);
	const arm = async (point: CrashPointName): Promise<void> => {
		child.stdin.write(`${point}\n`);
		await once(child.stdout, 'data');
	};
	return { child, rpc, arm, dead };
}
