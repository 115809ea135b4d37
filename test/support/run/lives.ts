import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RecordedRequest, Reply } from '../model-server/index.ts';
import { calls, pieces } from '../model-server/index.ts';
import { programOf } from '../program.ts';
import type { ChildOptions } from './child.ts';

/** Lives of the runtime in child processes, and the work that they do in the crash tests. */

export interface Life {
	readonly lines: { what: string; [key: string]: unknown }[];
	readonly signal: NodeJS.Signals | null;
	readonly code: number | null;
	readonly stderr: string;
	readonly ms: number;
}

const CHILD = programOf(fileURLToPath(new URL('./child.ts', import.meta.url)));

/** One life, until it ends or dies. `kill` may end it from outside. */
export function live(options: ChildOptions, kill?: (child: ChildProcess, line: Life['lines'][number]) => void): Promise<Life> {
	return new Promise((resolve, reject) => {
		const started = performance.now();
		const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(options)], { stdio: ['ignore', 'pipe', 'pipe'] });
		const lines: Life['lines'] = [];
		let stdout = '';
		let stderr = '';
		child.stdout.setEncoding('utf8').on('data', (data: string) => {
			stdout += data;
			for (let end = stdout.indexOf('\n'); end >= 0; end = stdout.indexOf('\n')) {
				const line = JSON.parse(stdout.slice(0, end)) as Life['lines'][number];
				stdout = stdout.slice(end + 1);
				lines.push(line);
				kill?.(child, line);
			}
		});
		child.stderr.setEncoding('utf8').on('data', (data: string) => {
			stderr += data;
		});
		child.once('error', reject);
		child.once('close', (code, signal) => resolve({ lines, signal, code, stderr, ms: performance.now() - started }));
	});
}

interface ChatBody {
	messages: { role: string; content?: unknown; tool_calls?: unknown[] }[];
}

/**
 * A turn of four model calls with all effect classes, an approval, a question and streamed text, decided by what the request
 * holds alone: the server may be asked any number of times, after any crash.
 */
export function work(request: RecordedRequest): Reply {
	const { messages } = request.body as ChatBody;
	const results = messages.filter((message) => message.role === 'tool').length;
	if (results === 0)
		return {
			steps: [
				{ type: 'text', text: 'First I look. ' },
				{ type: 'tool_call', tool: 'test_pure', args: { value: 'look' } },
				{ type: 'tool_call', tool: 'test_idempotent', args: { value: 'note' } },
			],
		};
	if (results === 2) return calls('test_effectful', { value: 'send' });
	if (results === 3) return calls('ask_owner', { question: 'Which colour?' });
	return inBatches(FINAL, 2);
}

/** `text` in so many parts, the next only once the last is stored: on a busy machine all of it may come at once, as one batch. */
export function inBatches(text: string, count: number): Reply {
	const size = Math.ceil(text.length / count);
	return { steps: pieces(text, size).flatMap((part) => [{ type: 'text' as const, text: part }, { type: 'held' as const }]) };
}

export const FINAL = 'All of it is done now, in blue, as you said.';
/** Model calls of the work where nothing is cut off. */
export const WORK_CALLS = 4;
