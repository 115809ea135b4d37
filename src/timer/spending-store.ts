import type { SpendingDay } from '../contract/methods/spending.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, run, sql } from '../db/sql.ts';
import type { Usage } from '../domain/model.ts';
import { SPENDING_KINDS, SpendingKind, type Spent } from '../domain/spending.ts';

/** Rows of `spending`: what each kind of work used on each of the owner's local days. */

interface SpendingRow {
	day: string;
	kind: string;
	input_tokens: number;
	output_tokens: number;
	cost_usd: number;
	unpriced_tokens: number;
	estimated_tokens: number;
}

/** `keepFrom`: the first day that is kept; what is older goes as a new day's first row comes. */
export function addSpending(tx: WriteDb, day: string, kind: SpendingKind, usage: Usage, keepFrom: string): void {
	const isNew = run(tx, sql`INSERT INTO spending (day, kind) VALUES (${day}, ${kind}) ON CONFLICT (day, kind) DO NOTHING`) > 0;
	if (isNew) run(tx, sql`DELETE FROM spending WHERE day < ${keepFrom}`);
	run(
		tx,
		sql`UPDATE spending SET input_tokens = input_tokens + ${usage.inputTokens}, output_tokens = output_tokens + ${usage.outputTokens},
				cost_usd = cost_usd + ${usage.costUsd ?? 0}, unpriced_tokens = unpriced_tokens + ${usage.unpricedTokens ?? 0},
				estimated_tokens = estimated_tokens + ${usage.estimatedTokens ?? 0}
			WHERE day = ${day} AND kind = ${kind}`,
	);
}

/** What was used on this day; kinds that used nothing are not in it. */
export function spentOn(db: ReadDb, day: string): Map<SpendingKind, Spent> {
	const rows = all<SpendingRow>(db, sql`SELECT * FROM spending WHERE day = ${day}`);
	return new Map(rows.map((row) => [SpendingKind.parse(row.kind), spentOf(row)]));
}

/** Newest day first, days from `from` on which anything was used, each with its kinds in their own order. */
export function readSpending(db: ReadDb, from: string): SpendingDay[] {
	const rows = all<SpendingRow>(db, sql`SELECT * FROM spending WHERE day >= ${from} ORDER BY day DESC`);
	const days = new Map<string, SpendingDay['kinds'][number][]>();
	for (const row of rows) {
		const used = {
			kind: SpendingKind.parse(row.kind),
			inputTokens: row.input_tokens,
			outputTokens: row.output_tokens,
			costUsd: row.cost_usd,
			unpricedTokens: row.unpriced_tokens,
			estimatedTokens: row.estimated_tokens,
		};
		days.set(row.day, [...(days.get(row.day) ?? []), used]);
	}
	const place = ({ kind }: { kind: SpendingKind }): number => SPENDING_KINDS.indexOf(kind);
	return [...days].map(([day, kinds]) => ({ day, kinds: kinds.sort((a, b) => place(a) - place(b)) }));
}

function spentOf(row: SpendingRow): Spent {
	return {
		tokens: row.input_tokens + row.output_tokens,
		costUsd: row.cost_usd,
		unpricedTokens: row.unpriced_tokens,
		estimatedTokens: row.estimated_tokens,
	};
}
