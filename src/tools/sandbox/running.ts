import { spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { newId } from '../../base/ids.ts';
import { systemCode } from '../../base/system-code.ts';
import { terminal } from '../../domain/errors.ts';
import type { Launch, ProgramEnd, RunningProgram, SandboxLimits } from './port.ts';
import { markedWith, watchUsage } from './watch-usage.ts';

/** `folder`: on the disk that it writes to. */
export async function startProgram(launch: Launch, { limits, folder }: { limits: SandboxLimits; folder: string }): Promise<RunningProgram> {
	const mark = `HEARTH_PROGRAM=${newId()}`;
	const end = (): Promise<void> => endAll(pid ?? 0, launch.sandboxed ? undefined : mark);
	const child = spawn(launch.file, launch.args, {
		cwd: launch.cwd,
		env: launch.sandboxed ? launch.env : { ...launch.env, ...Object.fromEntries([mark.split('=')]) },
		stdio: ['ignore', 'pipe', 'pipe'],
		// A group of its own: it can be ended whole, and no key of a terminal reaches it.
		detached: process.platform !== 'win32',
		windowsHide: true,
	});
	const failure = await new Promise<unknown>((resolve) => {
		child.once('error', resolve);
		child.once('spawn', () => resolve(undefined));
	});
	const { pid } = child;
	if (failure !== undefined || pid === undefined) {
		await launch.dispose();
		const what = systemCode(failure) === 'ENOENT' ? 'was not found' : 'could not be started';
		throw terminal('tool_failed', `${launch.file} ${what}.`, { safe: 'Nothing was run.' });
	}
	yieldToOthers(pid);
	// What it leaves behind would keep the pipes open.
	child.once('exit', () => void end());
	let over: ProgramEnd['over'];
	const stopWatching = watchUsage(pid, folder, limits, (why) => {
		over = why;
		void end();
	});
	const ended = new Promise<ProgramEnd>((resolve) => {
		child.once('close', (code, signal) => {
			stopWatching();
			void launch.dispose().finally(() => resolve({ code, signal, ...(over && { over }) }));
		});
	});
	return {
		sandboxed: launch.sandboxed,
		stdout: child.stdout,
		stderr: child.stderr,
		ended,
		async kill() {
			await end();
			// Nobody may be reading what is left in them.
			child.stdout.resume();
			child.stderr.resume();
			await ended;
		},
	};
}

/** Ends a group at once. A sandbox ends whole with its first process; without one, all that bears the mark is looked for. */
async function endAll(pid: number, mark: string | undefined): Promise<void> {
	if (process.platform === 'win32') {
		spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => undefined);
		return;
	}
	const marked = mark !== undefined && process.platform === 'linux' ? await markedWith(mark) : [];
	for (const one of [-pid, ...marked]) {
		try {
			process.kill(one, 'SIGKILL');
		} catch {
			// It has ended.
		}
	}
}

/** Hearth itself, and what the owner does, comes first. */
function yieldToOthers(pid: number): void {
	try {
		setPriority(pid, 5);
	} catch {
		// It has ended, or this system does not take it.
	}
}
