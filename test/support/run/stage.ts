import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import { openStateDb } from '../../../src/db/open.ts';
import type { Message, ToolPart } from '../../../src/domain/message.ts';
import { type ModelServer, startModelServer } from '../model-server/index.ts';
import { temporaryFolder } from '../sessions.ts';
import { readLedger } from '../test-tools.ts';
import { SEED } from '../thorough.ts';
import type { ChildOptions } from './child.ts';
import { everyMessage } from './harness.ts';
import { FINAL, type Life, live, WORK_CALLS, work } from './lives.ts';

/** Where lives follow each other on one folder, with one model server that outlives them; and what must hold in the end. */

export interface Stage {
	folder: string;
	server: ModelServer;
	life(options?: Partial<ChildOptions>, kill?: Parameters<typeof live>[1]): Promise<Life>;
}

export async function stage(): Promise<Stage> {
	const folder = temporaryFolder();
	const server = await startModelServer();
	onTestFinished(() => server.close());
	server.script(work);
	const life: Stage['life'] = (options = {}, kill) =>
		live({ folder, modelUrl: server.openaiUrl, ...options }, (child, line) => {
			if (line.what === 'flushed') server.goOn();
			kill?.(child, line);
		});
	return { folder, server, life };
}

export function messages(folder: string): Message[] {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	try {
		return everyMessage(db);
	} finally {
		db.close();
	}
}

export const times = (lives: readonly Life[], what: string, kind?: string) =>
	lives.flatMap((life) => life.lines).filter((line) => line.what === what && (kind === undefined || line.kind === kind)).length;

/** What must hold of the work however often the process died on the way. */
export function checkWork({ folder, server }: Stage, lives: readonly Life[]): void {
	const [question, reply, ...more] = messages(folder);
	expect(more).toEqual([]);
	expect(question?.role).toBe('user');
	expect(reply?.status).toBe('complete');
	const tools = (reply?.parts ?? []).filter((part): part is ToolPart => part.type === 'tool');
	expect(tools.map(({ tool, status }) => [tool, status])).toEqual([
		['test_pure', 'done'],
		['test_idempotent', 'done'],
		['test_effectful', 'done'],
		['ask_owner', 'done'],
	]);
	expect(reply?.parts.at(-1)).toEqual({ type: 'text', text: FINAL });
	// No effect twice, none left out.
	const ledger = readLedger(join(folder, 'ledger.jsonl'));
	const count = (tool: string) => ledger.filter((line) => line.tool === tool).length;
	expect(count('test_effectful')).toBe(1);
	expect(count('test_idempotent')).toBe(1);
	expect(count('test_pure')).toBeGreaterThanOrEqual(1);
	// R1: a model call is made again only where a process died in it, or the owner said Retry.
	const kills = lives.filter(({ signal }) => signal === 'SIGKILL').length;
	expect(server.log.requests.length).toBeLessThanOrEqual(WORK_CALLS + times(lives, 'interrupted') + kills);
}

/** Numbers from 0 to 1, of the run's seed (printed). */
export function seeded(): () => number {
	console.log(`seed ${SEED}`);
	let state = SEED;
	return () => {
		state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
		return state / 2_147_483_648;
	};
}
