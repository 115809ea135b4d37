import type { Logger } from '../base/logger.ts';
import type { ReadDb } from '../db/brands.ts';
import { isFullDisk } from '../db/errors.ts';
import type { StateDb } from '../db/open.ts';
import { all, sql } from '../db/sql.ts';
import { toErrorShape } from '../domain/errors.ts';
import type { RunId, SessionId } from '../domain/ids.ts';
import { updateMessage } from '../sessions/message-store.ts';
import type { StreamedPart } from './events.ts';
import { getRun, readChunks, runsAtWork, setRunStatus } from './journal-store.ts';
import type { RunLog } from './run-log.ts';
import type { RunState } from './state.ts';
import { withoutUnfinishedCall } from './text-tool-calls.ts';

export interface RecoverDeps {
	readonly db: StateDb;
	readonly log: RunLog;
	readonly logger: Logger;
	/** Names of tools that a model may have been printing a call of. */
	readonly toolNames: (runId: RunId) => string[];
	readonly clock: { now(): number };
}

export interface RecoveredRun {
	readonly runId: RunId;
	readonly sessionId: SessionId;
	/** `resumed`: goes on by itself. `interrupted`: the owner may continue or retry. `asked`: an effect may have happened (R2). */
	readonly outcome: 'resumed' | 'interrupted' | 'asked';
}

/**
 * The boot scan: every run that a process was at work on. A step under way is told that its process died, and the reducer
 * decides by the kind of step and its effect class; a run between two steps needs nothing. Runs that wait for the owner
 * are rows and are not even looked at (R3). What the disk does not take stays as it is, to be recovered later (S5).
 */
export function recoverRuns(deps: RecoverDeps, only?: ReadonlySet<RunId>): { recovered: RecoveredRun[]; later: RunId[] } {
	const recovered: RecoveredRun[] = [];
	const later: RunId[] = [];
	const wanted = runsAtWork(deps.db.read).filter(({ id }) => only?.has(id) ?? true);
	for (const { id, sessionId } of wanted) {
		try {
			const state = afterDeath(deps, id);
			recovered.push({ runId: id, sessionId, outcome: outcomeOf(state) });
		} catch (error) {
			if (!isFullDisk(error)) deps.logger.error('run_not_recovered', { runId: id, error });
			if (isFullDisk(error) || !giveUp(deps, id, error)) later.push(id);
		}
	}
	if (!only || recovered.length > 0) deps.logger.info('recovered', { runs: recovered.length, later: later.length });
	return { recovered, later };
}

function afterDeath(deps: RecoverDeps, runId: RunId): RunState {
	const { state } = deps.log.load(runId);
	switch (state.kind) {
		case 'calling_model':
			return deps.log.append(runId, {
				type: 'process_died',
				parts: savedText(deps.db.read, deps.toolNames(runId), runId, state.progress.step),
			});
		case 'running_tool':
		case 'effect_unknown':
			if (state.kind === 'effect_unknown' && state.verified) return state;
			return deps.log.append(runId, { type: 'process_died', parts: [] });
		default:
			return state;
	}
}

/** What was saved of a stream that nobody is at work on any more, without a tool call that was only half printed. */
export function savedText(db: ReadDb, toolNames: readonly string[], runId: RunId, step: number): StreamedPart[] {
	const parts = readChunks(db, runId, step);
	const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
	const shown = withoutUnfinishedCall(text, toolNames);
	let left = shown === text.slice(0, shown.length) ? shown.length : text.length;
	return parts.map((part) => {
		if (part.type !== 'text') return part;
		const kept = part.text.slice(0, left);
		left -= kept.length;
		return { ...part, text: kept };
	});
}

function outcomeOf(state: RunState): RecoveredRun['outcome'] {
	if (state.kind === 'interrupted') return 'interrupted';
	return state.kind === 'effect_unknown' ? 'asked' : 'resumed';
}

/** Unfinished runs that nobody waits for any longer, as the owner stopped their parent or ended its wait. */
export function orphans(db: ReadDb): RunId[] {
	return all<{ id: RunId }>(
		db,
		sql`SELECT r.id FROM runs r JOIN runs p ON p.id = r.parent_run_id
			WHERE r.status IN ('running', 'waiting', 'sleeping')
				AND NOT EXISTS (SELECT 1 FROM interrupts i WHERE i.kind = 'child' AND i.awaited = r.id AND i.status = 'open')
				AND (p.status = 'stopped' OR EXISTS (SELECT 1 FROM interrupts i WHERE i.run_id = p.id AND i.kind = 'child' AND i.awaited = r.id
					AND i.status = 'answered' AND json_extract(i.answer, '$.type') = 'skip'))
			ORDER BY r.rowid`,
	).map(({ id }) => id);
}

/** A journal that can't be read must not block its session for ever; it stays for a bug report. False: the disk has no room for that. */
function giveUp(deps: RecoverDeps, runId: RunId, error: unknown): boolean {
	const now = deps.clock.now();
	const run = getRun(deps.db.read, runId);
	try {
		deps.db.write((tx) => {
			setRunStatus(tx, runId, { status: 'failed', step: run.step, updatedAt: now });
			updateMessage(tx, run.messageId, { status: 'failed', error: toErrorShape(error) });
		});
		return true;
	} catch (second) {
		if (!isFullDisk(second)) throw second;
		return false;
	}
}
