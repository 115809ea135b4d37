import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, runOne, sql } from '../db/sql.ts';
import type { RunId } from '../domain/ids.ts';
import { Json } from '../domain/json.ts';

/** Rows of `tool_state`: the durable notes of tools within a run. A value holds from its event on, so that it can be read at any checkpoint. */

export interface ToolStateValue {
	readonly tool: string;
	readonly key: string;
	readonly value: Json;
}

interface ValueRow {
	tool: string;
	key: string;
	value: string | null;
}

/** What holds now. Costs the same however often the value changed. */
export function readToolState(db: ReadDb, runId: RunId, tool: string, key: string): Json | undefined {
	const row = get<Pick<ValueRow, 'value'>>(
		db,
		sql`SELECT value FROM tool_state WHERE run_id = ${runId} AND tool = ${tool} AND key = ${key} ORDER BY seq DESC LIMIT 1`,
	);
	return row?.value == null ? undefined : Json.parse(JSON.parse(row.value));
}

/** All that holds now of one tool, by key. Reads each key once, however often its value changed. */
export function readToolStates(db: ReadDb, runId: RunId, tool: string): ToolStateValue[] {
	return valuesOf(
		all<ValueRow>(
			db,
			sql`WITH RECURSIVE keys (key) AS (
				SELECT min(key) FROM tool_state WHERE run_id = ${runId} AND tool = ${tool}
				UNION ALL
				SELECT (SELECT min(key) FROM tool_state WHERE run_id = ${runId} AND tool = ${tool} AND key > keys.key) FROM keys WHERE keys.key IS NOT NULL
			)
			SELECT ${tool} AS tool, key,
				(SELECT value FROM tool_state t WHERE run_id = ${runId} AND tool = ${tool} AND t.key = keys.key ORDER BY seq DESC LIMIT 1) AS value
			FROM keys WHERE key IS NOT NULL`,
		),
	);
}

/** What held of all tools of a run after event `seq`, by tool and key. */
export function toolStatesAt(db: ReadDb, runId: RunId, seq: number): ToolStateValue[] {
	return valuesOf(
		// With max(), SQLite takes the other columns from the row that has it.
		all<ValueRow>(
			db,
			sql`SELECT tool, key, value, max(seq) FROM tool_state WHERE run_id = ${runId} AND seq <= ${seq} GROUP BY tool, key ORDER BY tool, key`,
		),
	);
}

/** From event `seq` on the value holds; undefined removes it. */
export function writeToolState(db: WriteDb, at: { runId: RunId; tool: string; key: string; seq: number }, value: string | undefined): void {
	runOne(
		db,
		sql`INSERT INTO tool_state (run_id, tool, key, seq, value) VALUES (${at.runId}, ${at.tool}, ${at.key}, ${at.seq}, ${value ?? null})
		ON CONFLICT (run_id, tool, key, seq) DO UPDATE SET value = excluded.value`,
	);
}

/** Gives a run whose journal is a copy what tools noted in the copied part. */
export function copyToolState(db: WriteDb, from: RunId, toSeq: number, into: RunId): void {
	run(
		db,
		sql`INSERT INTO tool_state (run_id, tool, key, seq, value)
		SELECT ${into}, tool, key, seq, value FROM tool_state WHERE run_id = ${from} AND seq <= ${toSeq}`,
	);
}

function valuesOf(rows: readonly ValueRow[]): ToolStateValue[] {
	return rows.flatMap(({ tool, key, value }) => (value === null ? [] : [{ tool, key, value: Json.parse(JSON.parse(value)) }]));
}
