import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLogger } from '../../src/base/logger.ts';
import { openStateDb } from '../../src/db/open.ts';
import { all, sql } from '../../src/db/sql.ts';
import { messageText, type ToolPart } from '../../src/domain/message.ts';
import type { RunSummary } from '../../src/domain/run.ts';
import { childrenOf, findRun } from '../../src/run/journal-store.ts';
import { getMessage } from '../../src/sessions/message-store.ts';
import type { ChildOptions } from '../support/run/child.ts';
import type { Life } from '../support/run/lives.ts';
import { messages, type Stage, seeded, stage, times } from '../support/run/stage.ts';
import { callsOfChild, END, REPORT, treeWork } from '../support/run/tree-work.ts';
import { readLedger } from '../support/test-tools.ts';
import { some, stride } from '../support/thorough.ts';

type Death = NonNullable<ChildOptions['die']>;

/** Where a process dies in the middle of waits, children and tools that are asked what happened. */
const POINTS: [at: Death['at'], most: number][] = [
	['interrupt.opened', 4],
	['interrupt.answered', 2],
	['wait.ended', 3],
	['effect.done', 5],
	['effect.verified', 1],
	['step.started', 11],
	['run.finished', 2],
	['timer.claimed', 1],
	['timer.told', 1],
	['transaction.open', 50],
	['transaction.committed', 50],
	['journal.appended', 40],
];

const MOST_LIVES = 30;

function inState<T>(folder: string, look: (db: ReturnType<typeof openStateDb>) => T): T {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	try {
		return look(db);
	} finally {
		db.close();
	}
}

/** What must hold of the tree however often the process died on the way. */
function checkTree({ folder, server }: Stage, lives: readonly Life[]): void {
	const [question, reply, ...more] = messages(folder);
	expect([question?.role, more]).toEqual(['user', []]);
	expect(reply?.status).toBe('complete');
	const { child, toolsOf, open } = inState(folder, (db) => {
		const parent = reply?.runId ? findRun(db.read, reply.runId) : undefined;
		const children: RunSummary[] = parent ? childrenOf(db.read, parent.id) : [];
		expect(children).toHaveLength(1);
		const message = getMessage(db.read, children[0]?.messageId as never);
		return {
			child: message,
			toolsOf: (parts: typeof message.parts) => parts.filter((part): part is ToolPart => part.type === 'tool'),
			open: all(db.read, sql`SELECT id FROM interrupts WHERE status = 'open' UNION ALL SELECT id FROM timers`),
		};
	});
	expect(toolsOf(reply?.parts ?? []).map(({ tool, status, result }) => [tool, status, result?.text])).toEqual([
		['plan', 'done', '1. [pending] Note\n2. [pending] Write'],
		['test_idempotent', 'done', 'test_idempotent did note'],
		['delegate', 'done', REPORT],
		['wait_until', 'done', 'The time has come.'],
		['plan', 'done', '1. [done] Note\n2. [done] Write'],
	]);
	expect(messageText(reply ?? { parts: [] })).toBe(END);
	expect(toolsOf(child.parts).map(({ tool, status }) => [tool, status])).toEqual([
		['test_finding', 'done'],
		['wait_for_event', 'done'],
		['test_effectful', 'done'],
	]);
	expect(messageText(child)).toBe(REPORT);
	expect(open).toEqual([]);
	// No effect twice, none left out; whose tool can look, nobody is asked about.
	const ledger = readLedger(join(folder, 'ledger.jsonl'));
	expect(ledger.map(({ tool }) => tool).toSorted()).toEqual(['test_effectful', 'test_finding', 'test_idempotent']);
	const questions = times(lives, 'asked', 'did_it_happen');
	expect(questions).toBeLessThanOrEqual(lives.filter((life) => life.signal === 'SIGKILL').length);
	// R1: a model call is made again only where a process died in it.
	const kills = lives.filter((life) => life.signal === 'SIGKILL').length;
	expect(server.log.requests.length).toBeLessThanOrEqual(6 + 4 + kills);
	expect(callsOfChild(server)).toBeGreaterThanOrEqual(4);
}

async function untilOver(on: Stage, deaths: (life: number) => Death | undefined): Promise<Life[]> {
	const lives: Life[] = [];
	for (let number = 0; number < MOST_LIVES; number += 1) {
		const die = deaths(number);
		const life = await on.life(die ? { die } : {});
		lives.push(life);
		expect(life.stderr).toBe('');
		if (life.signal !== 'SIGKILL') break;
	}
	expect(lives.at(-1)).toMatchObject({ code: 0, signal: null });
	return lives;
}

const OFTEN = ['wait.ended', 'effect.done', 'effect.verified', 'step.started', 'transaction.committed', 'journal.appended'];

test.each(some(POINTS, ([at]) => OFTEN.includes(at ?? '')))(
	'R1 R2 R3 a tree of runs that wait, killed at %s, later in each life: nothing lost, nothing twice',
	async (at, most) => {
		const on = await stage();
		on.server.script(treeWork);
		const every = stride(Math.max(1, Math.ceil(most / 8)));
		// To be asked what happened, a tool has to die in its effect first.
		const first: Death[] = at === 'effect.verified' ? [{ at: 'effect.done', nth: 3 }] : [];
		const lives = await untilOver(on, (life) => first[life] ?? { at, nth: 1 + (life - first.length) * every });
		expect(lives.filter((life) => life.signal === 'SIGKILL').length, 'kills').toBeGreaterThan(first.length);
		checkTree(on, lives);
	},
);

test('R1 R2 R3 a tree of runs that wait, killed at points by chance: nothing lost, nothing twice', async () => {
	const random = seeded();
	const on = await stage();
	on.server.script(treeWork);
	const lives = await untilOver(on, (life) => {
		const [at, most] = POINTS[Math.floor(random() * POINTS.length)] ?? ['journal.appended', 40];
		return life < 12 ? { at, nth: 1 + Math.floor(random() * Math.min(most, 12)) } : undefined;
	});
	checkTree(on, lives);
});
