import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { silentLogger } from '../../src/base/logger.ts';
import type { ReadDb } from '../../src/db/brands.ts';
import { RunId } from '../../src/domain/ids.ts';
import { forgetDetails } from '../../src/firewall/audit-forget.ts';
import { AuditHead } from '../../src/firewall/audit-head.ts';
import { newestLink } from '../../src/firewall/audit-store.ts';
import { verifyChain } from '../../src/firewall/audit-verify.ts';
import { crossing, openLog } from '../support/firewall/audit.ts';

/** What somebody with the file can do: there are no triggers for them. */
const TRIGGERS = ['audit_no_delete', 'audit_no_replace', 'audit_no_update', 'audit_detail_only_goes'];
const COLUMNS = ['seq', 'at', 'sink', 'decision', 'rule', 'label', 'run_id', 'record', 'detail', 'detail_salt', 'previous_hash', 'hash'];
const RECORDS = 12;

type Attack =
	| { kind: 'column'; column: string; seq: number; how: number; noise: string }
	| { kind: 'delete'; seq: number }
	| { kind: 'swap'; a: number; b: number; columns: string[] }
	| { kind: 'insert'; at: number; copyOf: number }
	| { kind: 'blank'; seq: number }
	| { kind: 'cut'; from: number };

const seqs = fc.integer({ min: 1, max: RECORDS });
const attacks: fc.Arbitrary<Attack> = fc.oneof(
	fc.record({
		kind: fc.constant('column' as const),
		column: fc.constantFrom(...COLUMNS),
		seq: seqs,
		how: fc.nat(3),
		noise: fc.string({ minLength: 1, maxLength: 4 }),
	}),
	fc.record({ kind: fc.constant('delete' as const), seq: seqs }),
	fc.record({ kind: fc.constant('swap' as const), a: seqs, b: seqs, columns: fc.subarray(COLUMNS.slice(1), { minLength: 1 }) }),
	fc.record({ kind: fc.constant('insert' as const), at: fc.integer({ min: -3, max: RECORDS + 3 }), copyOf: seqs }),
	fc.record({ kind: fc.constant('blank' as const), seq: seqs }),
	fc.record({ kind: fc.constant('cut' as const), from: seqs }),
);

const everything = (db: Database.Database) => JSON.stringify(db.prepare('SELECT * FROM audit ORDER BY seq').all());

/** Carries it out. What the database itself refuses is no attack. */
function attack(db: Database.Database, given: Attack): void {
	switch (given.kind) {
		case 'column':
			mutate(db, given);
			return;
		case 'delete':
			db.prepare('DELETE FROM audit WHERE seq = ?').run(given.seq);
			return;
		case 'cut':
			db.prepare('DELETE FROM audit WHERE seq >= ?').run(given.from);
			return;
		case 'blank':
			db.prepare('UPDATE audit SET detail = NULL, detail_salt = NULL WHERE seq = ?').run(given.seq);
			return;
		case 'insert':
			db.prepare(
				`INSERT OR IGNORE INTO audit SELECT ?, at, sink, decision, rule, label, run_id, record, detail, detail_salt, previous_hash, hash || ? FROM audit WHERE seq = ?`,
			).run(given.at, 'x', given.copyOf);
			return;
		default: {
			const read = (seq: number) => db.prepare('SELECT * FROM audit WHERE seq = ?').get(seq) as Record<string, unknown>;
			const [a, b] = [read(given.a), read(given.b)];
			db.exec('UPDATE audit SET hash = hash || seq');
			for (const [seq, row, other] of [
				[given.a, a, b],
				[given.b, b, a],
			] as const) {
				const values = COLUMNS.slice(1).map((column) => (given.columns.includes(column) ? other[column] : row[column]));
				db.prepare(
					`UPDATE audit SET ${COLUMNS.slice(1)
						.map((column) => `${column} = ?`)
						.join(', ')} WHERE seq = ?`,
				).run(...values, seq);
			}
			db.exec('UPDATE audit SET hash = substr(hash, 1, 64)');
		}
	}
}

function mutate(db: Database.Database, { column, seq, how, noise }: Extract<Attack, { kind: 'column' }>): void {
	const old = db.prepare(`SELECT ${column} FROM audit WHERE seq = ?`).pluck().get(seq);
	const value =
		old === null
			? noise
			: typeof old === 'number'
				? old + 100 + how
				: Buffer.isBuffer(old)
					? Buffer.concat([old.subarray(how), Buffer.from(noise)])
					: [`${old as string}${noise}`, ` ${old as string}`, noise, (old as string).slice(0, -1)][how];
	db.prepare(`UPDATE OR IGNORE audit SET ${column} = ? WHERE seq = ?`).run(
		column === 'detail_salt' ? Buffer.from(value as string) : value,
		seq,
	);
}

/** A log of a life that is over, with something forgotten in it. */
function writtenLog(): { db: Buffer; headFile: string } {
	const runId = RunId.parse('018f0000-0000-7000-8000-000000000001');
	const { db, log, add, close, headFile } = openLog();
	for (let n = 1; n < RECORDS - 1; n++) add(crossing(`workspace/${n}.md`, n % 2 === 0 ? { runId, step: n, callId: 'call' } : {}));
	db.write((tx) => forgetDetails(tx, [2, 3], log.append));
	add(crossing('workspace/last.md'));
	expect(newestLink(db.read).seq).toBe(RECORDS);
	const bytes = db.read.serialize();
	// A database in memory has no write-ahead log.
	bytes.fill(1, 18, 20);
	close();
	return { db: bytes, headFile };
}

test('S1 any change to what is stored of the audit log is found', async () => {
	const written = writtenLog();
	const head = new AuditHead(written.headFile, silentLogger);
	const found = { changed: 0, same: 0 };
	await fc.assert(
		fc.asyncProperty(attacks, async (given) => {
			const db = new Database(written.db);
			const verify = () => verifyChain(db as unknown as ReadDb, head, { now: 1 });
			expect(await verify()).toMatchObject({ whole: true, records: RECORDS, forgotten: 2 });
			const before = everything(db);
			const triggers = TRIGGERS.map((name) => db.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').pluck().get(name) as string);
			for (const name of TRIGGERS) db.exec(`DROP TRIGGER ${name}`);
			expect(await verify()).toMatchObject({ whole: false });
			attack(db, given);
			// They put everything else back as it was.
			for (const sql of triggers) db.exec(sql);
			const changed = everything(db) !== before;
			const check = await verify();
			db.close();
			found[changed ? 'changed' : 'same'] += 1;
			expect({ given, whole: check.whole }).toEqual({ given, whole: !changed });
			expect(check.problem === undefined).toBe(!changed);
		}),
		{ numRuns: 400 },
	);
	expect(found.changed).toBeGreaterThan(200);
});
