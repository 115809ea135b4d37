import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '../src/base/logger.ts';
import type { ReadDb } from '../src/db/brands.ts';
import { connect } from '../src/db/driver.ts';
import { AuditHead } from '../src/firewall/audit-head.ts';
import { verifyChain } from '../src/firewall/audit-verify.ts';
import { RunEvent } from '../src/run/events.ts';
import { effectOf } from './crash-work.ts';

/** What state.db holds between two lives, read from outside. */

export interface RunHeld {
	readonly kind: string;
	readonly status: string;
	/** Journal events as they are stored. */
	readonly events: readonly string[];
	readonly checkpoints: number;
}

export type Held = ReadonlyMap<string, RunHeld>;

const FILES = ['state.db', 'state.db-wal', 'audit-head'];

/** A copy: whoever closes a database last empties its write-ahead log. Undefined where there is no such table yet. */
async function inCopy<T>(home: string, table: string, look: (db: ReadDb, folder: string) => T | Promise<T>): Promise<T | undefined> {
	const profile = join(home, 'profiles', 'default');
	if (!existsSync(join(profile, 'state.db'))) return undefined;
	const folder = mkdtempSync(join(tmpdir(), 'hearth-look-'));
	for (const name of FILES.filter((name) => existsSync(join(profile, name)))) copyFileSync(join(profile, name), join(folder, name));
	const db = connect(join(folder, 'state.db')) as ReadDb;
	try {
		if (db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(table) === undefined) return undefined;
		return await look(db, folder);
	} finally {
		db.close();
		rmSync(folder, { recursive: true });
	}
}

export async function lookAt(home: string): Promise<Held> {
	const held = new Map<string, RunHeld>();
	await inCopy(home, 'checkpoints', (db) => {
		const runs = db.prepare('SELECT id, kind, status FROM runs ORDER BY rowid').all() as { id: string; kind: string; status: string }[];
		for (const { id, kind, status } of runs) {
			const events = db.prepare('SELECT event FROM journal WHERE run_id = ? ORDER BY seq').pluck().all(id) as string[];
			const checkpoints = db.prepare('SELECT count(*) FROM checkpoints WHERE run_id = ? AND step > 0').pluck().get(id) as number;
			held.set(id, { kind, status, events, checkpoints });
		}
	});
	return held;
}

/** Why the audit log is not whole; undefined where it is. */
export async function auditProblem(home: string): Promise<string | undefined> {
	const check = await inCopy(home, 'audit', async (db, folder) => {
		const head = new AuditHead(join(folder, 'audit-head'), silentLogger);
		try {
			return await verifyChain(db, head, { now: Date.now() });
		} finally {
			head.close();
		}
	});
	if (!check || (check.whole && check.breaks.length === 0)) return undefined;
	return check.problem ?? `it was found broken before, in record ${check.breaks[0]}`;
}

/** Events that were there and are not any more, or are others now. Forgetting takes words out of them, and nothing else. */
export function lostEvents(before: Held, after: Held): number {
	const what = (event: string | undefined): string => {
		const { type, step } = event === undefined ? {} : (JSON.parse(event) as { type?: string; step?: number });
		return `${type} ${step}`;
	};
	let lost = 0;
	for (const [id, run] of before) {
		const now = after.get(id);
		lost += run.events.filter((event, index) => what(now?.events[index]) !== what(event)).length;
	}
	return lost;
}

/** Model calls that ended, by kind of run: so many first places of the work are never asked for again. */
export function finishedModelCalls(held: Held): Record<'work' | 'child', number> {
	const finished = { work: 0, child: 0 };
	// The first of each kind: others are copies that a restore or a fork made.
	const firsts = ['chat', 'child'].flatMap((wanted) => [...held.values()].find(({ kind }) => kind === wanted) ?? []);
	for (const { kind, events } of firsts)
		finished[kind === 'child' ? 'child' : 'work'] += events.filter(
			(event) => RunEvent.parse(JSON.parse(event)).type === 'model_finished',
		).length;
	return finished;
}

/** Values of the test tools' calls that ended, and whether an effectful one is under way: only then the owner may be asked. */
export function toolsOf(held: Held): { finished: Set<string>; effectUnderWay: boolean } {
	const finished = new Set<string>();
	let effectUnderWay = false;
	for (const { events } of held.values()) {
		const started = new Map<string, { value: string; effectful: boolean }>();
		for (const text of events) {
			const event = RunEvent.parse(JSON.parse(text));
			if (event.type === 'tool_started')
				started.set(event.callId, { value: effectOf(event.args), effectful: event.effect === 'effectful' });
			if (event.type === 'tool_finished' || event.type === 'interrupt_answered') {
				const callId = event.type === 'tool_finished' ? event.callId : [...started.keys()].at(-1);
				const call = callId === undefined ? undefined : started.get(callId);
				if (call && callId !== undefined && (event.type === 'tool_finished' || event.answer.type === 'happened')) {
					finished.add(call.value);
					started.delete(callId);
				}
			}
		}
		if ([...started.values()].some(({ effectful }) => effectful)) effectUnderWay = true;
	}
	finished.delete('');
	return { finished, effectUnderWay };
}
