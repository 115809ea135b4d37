import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/base/clock.ts';
import { newId } from '../src/base/ids.ts';
import { silentLogger } from '../src/base/logger.ts';
import { openStateDb } from '../src/db/open.ts';
import { run as change, sql } from '../src/db/sql.ts';
import type { AuditEntry } from '../src/domain/audit.ts';
import type { RunId } from '../src/domain/ids.ts';
import { newAuditEntry } from '../src/firewall/audit-entries.ts';
import { createAuditLog } from '../src/firewall/audit-log.ts';
import { type AuditQuery, listRecords } from '../src/firewall/audit-query.ts';
import { createRedactor } from '../src/firewall/redact.ts';
import { quantile } from './numbers.ts';

/**
 * What the audit log costs: a record in the transaction of a step, on a real state.db that syncs, early and with a long log; a check of all of
 * it, and how long that holds up everything else; a page of it through each kind of filter. Records name eight sources each.
 */

const TIMES = 300;
const BATCH = 500;

export async function run(args: string[]): Promise<Record<string, number>> {
	const { values } = parseArgs({ args, options: { records: { type: 'string', default: '200000' } } });
	const records = Number(values.records);
	const folder = mkdtempSync(join(tmpdir(), 'hearth-bench-audit-'));
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	const log = createAuditLog({
		db,
		headFile: join(folder, 'audit-head'),
		clock: systemClock,
		logger: silentLogger,
		redactor: createRedactor(randomBytes(32)),
		warn: () => {},
		grew: () => {},
	});
	log.begin({ settle: true });
	try {
		db.write((tx) => tx.exec('CREATE TABLE steps (id INTEGER PRIMARY KEY, event TEXT NOT NULL) STRICT'));
		const bare = steps(db, () => {});
		const early = steps(db, (tx) => log.append(tx, [entry(0)]));
		for (let done = 0; done < records; done += BATCH)
			db.write((tx) =>
				log.append(
					tx,
					Array.from({ length: BATCH }, (_, index) => entry(done + index)),
				),
			);
		const late = steps(db, (tx) => log.append(tx, [entry(0)]));
		const delay = monitorEventLoopDelay({ resolution: 5 });
		delay.enable();
		const began = performance.now();
		const check = await log.verify();
		const verified = performance.now() - began;
		delay.disable();
		if (!check.whole) throw new Error(check.problem);
		const listed: number[] = [];
		const slowest: Record<string, number> = {};
		for (const [name, query] of Object.entries(QUERIES)) {
			const times: number[] = [];
			for (let turn = 0; turn < 10; turn++) {
				const started = performance.now();
				await listRecords(db.read, query, { before: turn === 0 ? undefined : Math.ceil((check.records * turn) / 10), limit: 200 });
				times.push(performance.now() - started);
			}
			slowest[`list_${name}_max_ms`] = rounded(Math.max(...times));
			listed.push(...times);
		}
		log.close();
		db.leaveNothing();
		return {
			records: check.records,
			step_p50_ms: rounded(quantile(bare.whole, 0.5)),
			added_p50_ms: rounded(quantile(late.added, 0.5)),
			added_p95_ms: rounded(quantile(late.added, 0.95)),
			added_p95_ms_short_log: rounded(quantile(early.added, 0.95)),
			step_with_record_p50_ms: rounded(quantile(late.whole, 0.5)),
			verify_ms_per_10000: rounded((verified / check.records) * 10_000),
			verify_longest_pause_ms: rounded(delay.max / 1e6),
			list_p95_ms: rounded(quantile(listed, 0.95)),
			...slowest,
			bytes_per_record: Math.round(statSync(db.file).size / check.records),
		};
	} finally {
		db.close();
		rmSync(folder, { recursive: true, force: true });
	}
}

/** Journal-like transactions, each synced: how long they took, and how much of it was the record. */
function steps(db: ReturnType<typeof openStateDb>, record: (tx: Parameters<Parameters<typeof db.write>[0]>[0]) => void) {
	const [whole, added]: [number[], number[]] = [[], []];
	const event = JSON.stringify({ type: 'tool_finished', text: 'x'.repeat(600) });
	for (let turn = 0; turn < TIMES; turn++) {
		const began = performance.now();
		db.write((tx) => {
			change(tx, sql`INSERT INTO steps (event) VALUES (${event})`);
			const before = performance.now();
			record(tx);
			added.push(performance.now() - before);
		});
		whole.push(performance.now() - began);
	}
	return { whole, added };
}

const RUN = newId<RunId>();
const QUERIES: Record<string, AuditQuery> = {
	newest: {},
	decision: { decisions: ['refused'] },
	run: { runId: RUN },
	text: { text: 'page-777.example' },
	nothing: { text: 'nowhere to be found' },
};

function entry(number: number): AuditEntry {
	return newAuditEntry({
		sink: number % 3 === 0 ? 'network' : 'file',
		decision: number % 1_000 === 0 ? 'refused' : 'allowed',
		rule: 'workspace.own',
		label: number % 5 === 0 ? 'external' : 'agent',
		textHash: 'a'.repeat(64),
		latencyMs: 0.4,
		runId: number % 2_000 === 0 ? RUN : newId<RunId>(),
		step: number % 40,
		callId: `call ${number}`,
		detail: {
			from: `page-${number}.example/about and 7 more`,
			to: `workspace/notes/${number}.md`,
			reason: 'It lies in workspace/, where steps that read nothing from outside may write.',
			tool: 'write_file',
			sources: Array.from({ length: 8 }, (_, index) => ({
				kind: index === 0 ? ('page' as const) : ('file' as const),
				name: index === 0 ? `page-${number}.example/about` : `workspace/notes/source-${index}.md`,
				label: 'workspace' as const,
				hash: 'b'.repeat(64),
			})),
		},
	});
}

function rounded(value: number): number {
	return Math.round(value * 100) / 100;
}
