import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { run } from '../../src/cli/run.ts';
import { programOf } from './program.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const ENTRY = programOf(join(PROJECT, 'src', 'cli', 'hearth.mjs'));

export interface CliResult {
	code: number | null;
	stdout: string;
	stderr: string;
}

export interface RunningCli {
	child: ChildProcess;
	readonly stdout: string;
	readonly stderr: string;
	/** Resolves when standard output holds the text; rejects when the command ended without it. */
	says(text: string): Promise<void>;
	ended: Promise<CliResult>;
}

/** The real command line, as a process of its own, without a terminal. */
export function startCli(home: string, words: string[], environment: Record<string, string> = {}): RunningCli {
	return follow(
		spawn(process.execPath, [ENTRY, '--home', home, ...words], { cwd: home, stdio: 'pipe', env: { ...process.env, ...environment } }),
	);
}

export async function cli(home: string, words: string[], input?: string): Promise<CliResult> {
	const running = startCli(home, words);
	running.child.stdin?.end(input ?? '');
	return running.ended;
}

/**
 * The same command line in this process, one at a time: for what a command does and says, where no process, signal, terminal or standard
 * input is what is looked at. It takes a third of the work of a process.
 */
export async function cliHere(home: string, words: string[]): Promise<CliResult> {
	const { stdout, stderr } = process;
	const was = process.cwd();
	const said = { stdout: '', stderr: '' };
	const taken = (name: keyof typeof said) =>
		new Writable({
			decodeStrings: false,
			write: (text: string, _encoding, done) => {
				said[name] += text;
				done();
			},
		});
	process.chdir(home);
	Object.defineProperty(process, 'stdout', { value: taken('stdout'), configurable: true });
	Object.defineProperty(process, 'stderr', { value: taken('stderr'), configurable: true });
	try {
		return { code: await run(['--home', home, ...words]), ...said };
	} finally {
		Object.defineProperty(process, 'stdout', { value: stdout, configurable: true });
		Object.defineProperty(process, 'stderr', { value: stderr, configurable: true });
		process.chdir(was);
	}
}

/** The process at a pseudo-terminal, which `script` makes; what is typed goes to `child.stdin`. */
export function startCliAtTerminal(home: string, words: string[]): RunningCli {
	const command = [process.execPath, ENTRY, '--home', home, ...words].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
	return follow(
		spawn('script', ['--quiet', '--return', '--echo', 'never', '--command', command, '/dev/null'], { cwd: home, stdio: 'pipe' }),
	);
}

function follow(child: ChildProcess): RunningCli {
	let stdout = '';
	let stderr = '';
	const waiting = new Set<() => void>();
	child.stdout?.setEncoding('utf8').on('data', (text: string) => {
		stdout += text;
		for (const look of waiting) look();
	});
	child.stderr?.setEncoding('utf8').on('data', (text: string) => {
		stderr += text;
	});
	const ended = new Promise<CliResult>((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr })));
	return {
		child,
		get stdout() {
			return stdout;
		},
		get stderr() {
			return stderr;
		},
		says: (text) =>
			new Promise((resolve, reject) => {
				const look = (): void => {
					if (!stdout.includes(text)) return;
					waiting.delete(look);
					resolve();
				};
				waiting.add(look);
				look();
				void ended.then(() => reject(new Error(`ended without saying “${text}”:\n${stdout}\n${stderr}`)));
			}),
		ended,
	};
}
