import type { WorkUsage } from '../contract/methods/runs.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, run, sql } from '../db/sql.ts';
import type { Usage } from '../domain/model.ts';
import { RunKind } from '../domain/run.ts';
import type { Spent } from './holds.ts';

/** Rows of `spending`: what each kind of work used on each of the owner's local days. */

export function addSpending(tx: WriteDb, day: string, work: RunKind, usage: Usage): void {
	run(
		tx,
		sql`INSERT INTO spending (day, kind, input_tokens, output_tokens, cost_usd)
			VALUES (${day}, ${work}, ${usage.inputTokens}, ${usage.outputTokens}, ${usage.costUsd ?? 0})
			ON CONFLICT (day, kind) DO UPDATE SET input_tokens = input_tokens + excluded.input_tokens,
				output_tokens = output_tokens + excluded.output_tokens, cost_usd = cost_usd + excluded.cost_usd`,
	);
}

/** What all but the owner's chats used on this day. */
export function spentUnattended(db: ReadDb, day: string): Spent {
	const row = get<{ tokens: number; cost: number }>(
		db,
		sql`SELECT COALESCE(SUM(input_tokens + output_tokens), 0) AS tokens, COALESCE(SUM(cost_usd), 0) AS cost
			FROM spending WHERE day = ${day} AND kind <> 'chat'`,
	);
	return { tokens: row?.tokens ?? 0, costUsd: row?.cost ?? 0 };
}

/** Newest day first, of the newest `days` on which anything was used. */
export function readSpending(db: ReadDb, days: number): WorkUsage[] {
	const rows = all<{ day: string; kind: string; input_tokens: number; output_tokens: number; cost_usd: number }>(
		db,
		sql`SELECT * FROM spending WHERE day IN (SELECT DISTINCT day FROM spending ORDER BY day DESC LIMIT ${days}) ORDER BY day DESC, kind`,
	);
	return rows.map((row) => ({
		day: row.day,
		kind: RunKind.parse(row.kind),
		inputTokens: row.input_tokens,
		outputTokens: row.output_tokens,
		costUsd: row.cost_usd,
	}));
}
