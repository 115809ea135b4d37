import { z } from 'zod';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { RunId, Timestamp } from '../domain/ids.ts';
import type { RunPlace } from '../domain/run.ts';

/** Rows of `checkpoints`: what the state after a finished step is made of. The journal up to `seq` is its delta encoding. */

export interface Checkpoint {
	readonly runId: RunId;
	/** The state after this step; 0 is before the first. */
	readonly step: number;
	/** The newest event of the journal that belongs to it. */
	readonly seq: number;
	/** Newest change of memory and of files in workspace/ by then; 0 where there was none. */
	readonly memorySeq: number;
	readonly workspaceSeq: number;
	/** Content hash of what the model was given besides the conversation; of model steps. */
	readonly prompt?: string;
	readonly promptVersion?: string;
	/** Names of variables that tools may see; never values (S3). */
	readonly environment: readonly string[];
	readonly at: Timestamp;
}

interface CheckpointRow {
	run_id: RunId;
	step: number;
	seq: number;
	memory_seq: number;
	workspace_seq: number;
	prompt: string | null;
	prompt_version: string | null;
	environment: string;
	at: number;
}

export type NewCheckpoint = Pick<Checkpoint, 'runId' | 'step' | 'seq' | 'environment' | 'at'> & { readonly prompt?: string | undefined };

const Names = z.array(z.string());

/** In the transaction of the event that finishes the step. A step that was cut off, taken up and finished has the state after its end. */
export function insertCheckpoint(db: WriteDb, { runId, step, seq, prompt, environment, at }: NewCheckpoint): void {
	runOne(
		db,
		sql`INSERT INTO checkpoints (run_id, step, seq, memory_seq, workspace_seq, prompt, prompt_version, environment, at)
		VALUES (${runId}, ${step}, ${seq}, (SELECT coalesce(max(seq), 0) FROM memory_changes), (SELECT coalesce(max(seq), 0) FROM workspace_changes),
			${prompt ?? null}, ${prompt === undefined ? null : promptVersion(prompt)}, ${JSON.stringify(environment)}, ${at})
		ON CONFLICT (run_id, step) DO UPDATE SET seq = excluded.seq, memory_seq = excluded.memory_seq, workspace_seq = excluded.workspace_seq,
			prompt = excluded.prompt, prompt_version = excluded.prompt_version, environment = excluded.environment, at = excluded.at`,
	);
}

/** The version of a prompt by its hash: two prompts of one version are the same. */
export function promptVersion(hash: string): string {
	return hash.slice(0, 12);
}

/** Throws `not_found`: there is no such place in the life of the run, or it was written by a version without checkpoints. */
export function getCheckpoint(db: ReadDb, { runId, step }: RunPlace): Checkpoint {
	const row = get<CheckpointRow>(db, sql`SELECT * FROM checkpoints WHERE run_id = ${runId} AND step = ${step}`);
	if (row) return checkpointOf(row);
	throw terminal('not_found', `There is no checkpoint after step ${step} of that run.`, { action: 'Choose another step.' });
}

/** All checkpoints of a run, in order. */
export function checkpointsOf(db: ReadDb, runId: RunId): Checkpoint[] {
	return all<CheckpointRow>(db, sql`SELECT * FROM checkpoints WHERE run_id = ${runId} ORDER BY step`).map(checkpointOf);
}

/** The checkpoint of the last model step up to there, which says what the model was given; undefined before the first. */
export function lastPrompted(db: ReadDb, { runId, step }: RunPlace): Checkpoint | undefined {
	const row = get<CheckpointRow>(
		db,
		sql`SELECT * FROM checkpoints WHERE run_id = ${runId} AND step <= ${step} AND prompt IS NOT NULL ORDER BY step DESC LIMIT 1`,
	);
	return row && checkpointOf(row);
}

/** Gives a run whose journal is a copy the checkpoints of the copied part. */
export function copyCheckpoints(db: WriteDb, from: RunId, toSeq: number, into: RunId): void {
	run(
		db,
		sql`INSERT INTO checkpoints (run_id, step, seq, memory_seq, workspace_seq, prompt, prompt_version, environment, at)
		SELECT ${into}, step, seq, memory_seq, workspace_seq, prompt, prompt_version, environment, at FROM checkpoints
		WHERE run_id = ${from} AND seq <= ${toSeq}`,
	);
}

function checkpointOf(row: CheckpointRow): Checkpoint {
	return {
		runId: row.run_id,
		step: row.step,
		seq: row.seq,
		memorySeq: row.memory_seq,
		workspaceSeq: row.workspace_seq,
		...(row.prompt !== null && { prompt: row.prompt }),
		...(row.prompt_version !== null && { promptVersion: row.prompt_version }),
		environment: Names.parse(JSON.parse(row.environment)),
		at: row.at,
	};
}
