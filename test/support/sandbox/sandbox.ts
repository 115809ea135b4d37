import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { createGuardedConnect } from '../../../src/net/guarded-connect.ts';
import type { RequestRecord } from '../../../src/net/guarded-fetch.ts';
import type { Lookup } from '../../../src/net/lookup.ts';
import { openHostProxy } from '../../../src/net/proxy.ts';
import type { LaunchSpec, ProgramEnd, RunningProgram, Sandbox, SandboxLimits } from '../../../src/tools/sandbox/port.ts';
import { createSandbox } from '../../../src/tools/sandbox/sandbox.ts';

/** A real sandbox over a home of Hearth with a profile in it, as it would lie on a disk. */
export interface TestSandbox {
	readonly sandbox: Sandbox;
	readonly home: string;
	readonly profile: string;
	readonly workspace: string;
	/** What its commands reached, or did not. */
	readonly calls: RequestRecord[];
	/** Runs a shell command in the workspace to its end, as run_command does. */
	run(command: string, more?: Partial<LaunchSpec>): Promise<ProgramEnd & { text: string }>;
	start(command: string, more?: Partial<LaunchSpec>): Promise<RunningProgram>;
	close(): Promise<void>;
}

export const PROFILE_SECRET = 'the words of the memory file';

export function openTestSandbox(options: { lookup?: Lookup; limits?: Partial<SandboxLimits>; path?: string } = {}): TestSandbox {
	const home = mkdtempSync(join(tmpdir(), 'hearth-sandboxed-'));
	const profile = join(home, 'profiles', 'default');
	const workspace = join(profile, 'workspace');
	mkdirSync(workspace, { recursive: true });
	for (const name of ['MEMORY.md', 'hearth.token', 'config.json', 'state.db']) writeFileSync(join(profile, name), PROFILE_SECRET);
	const calls: RequestRecord[] = [];
	const connect = createGuardedConnect({
		onRequest: (record) => void calls.push(record),
		...(options.lookup && { lookup: options.lookup }),
	});
	const sandbox = createSandbox({
		hidden: [home, profile],
		workspace,
		openProxy: (socketPath, { hosts, ownerNamed, by }) => openHostProxy({ socketPath, hosts, ownerNamed, by }, connect),
		logger: silentLogger,
		path: options.path,
	});
	const start = (command: string, more: Partial<LaunchSpec> = {}): Promise<RunningProgram> =>
		sandbox.start({
			file: '/bin/sh',
			args: ['-c', command],
			cwd: workspace,
			folders: [{ path: workspace, access: 'write', at: '/workspace' }],
			network: { kind: 'none' },
			mergeOutput: true,
			limits: options.limits,
			...more,
		});
	return {
		sandbox,
		home,
		profile,
		workspace,
		calls,
		start,
		async run(command, more) {
			const program = await start(command, more);
			let text = '';
			program.stdout.on('data', (chunk: Buffer) => {
				text += chunk.toString('utf8');
			});
			return { ...(await program.ended), text };
		},
		async close() {
			await sandbox.close();
			rmSync(home, { recursive: true, force: true });
		},
	};
}

/** Whether a process of this number is there, and not only its remains. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
