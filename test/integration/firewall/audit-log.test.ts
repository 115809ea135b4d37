import { appendFileSync, copyFileSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connect } from '../../../src/db/driver.ts';
import { RunId } from '../../../src/domain/ids.ts';
import { exportLines, listRecords } from '../../../src/firewall/audit-query.ts';
import { findRecord } from '../../../src/firewall/audit-store.ts';
import { crossing, openLog } from '../../support/firewall/audit.ts';
import { temporaryFolder } from '../../support/sessions.ts';

const runId = RunId.parse('018f0000-0000-7000-8000-000000000001');

test('S1 a record is there with its transaction, or not at all, and follows the one before it', async () => {
	const { db, log, add } = openLog();
	add(crossing('workspace/a.md'), crossing('workspace/b.md', { runId, step: 3, callId: 'call 1' }));
	expect(() =>
		db.write((tx) => {
			log.append(tx, [crossing('workspace/never.md')]);
			throw new Error('the rest of it failed');
		}),
	).toThrow('the rest of it failed');
	await log.record([crossing('example.com', { sink: 'network' })]);
	const { records } = await listRecords(db.read, {}, { limit: 10 });
	expect(records.map(({ seq, detail }) => [seq, detail?.to])).toEqual([
		[3, 'example.com'],
		[2, 'workspace/b.md'],
		[1, 'workspace/a.md'],
	]);
	expect(records[1]?.previousHash).toBe(records[2]?.hash);
	expect(records[2]).toMatchObject({ previousHash: '0'.repeat(64), latencyMs: 1.23, textHash: 'a'.repeat(64) });
	// A model may call its calls anything.
	expect(records[1]?.callId).toMatch(/^[0-9a-f]{16}$/);
	expect(await log.verify()).toMatchObject({ whole: true, records: 3, forgotten: 0, breaks: [] });
});

test('S1 S3 what is told of a crossing is short, on one line, and without secrets or whole addresses', async () => {
	const { db, add } = openLog(temporaryFolder(), { redact: (text) => text.replaceAll('hunter2', '[secret removed: 0000]') });
	add(
		crossing(`two\nlines \u202ehidden ${'x'.repeat(600)}`, {
			detail: {
				from: 'with hunter2 in it \ud800',
				to: `two\nlines \u202ehidden ${'x'.repeat(600)}`,
				reason: 'r',
				sources: [{ kind: 'page', name: 'example.com/a', label: 'external', url: 'https://example.com/a?q=mine' }],
			},
		}),
	);
	const record = findRecord(db.read, 1);
	expect(record?.detail?.from).toBe('with [secret removed: 0000] in it \ufffd');
	expect(record?.detail?.to.length).toBe(500);
	expect(record?.detail?.to).toMatch(/^two lines hidden x+$/);
	expect(JSON.stringify(record)).not.toContain('q=mine');
});

test('S1 the database itself refuses to change or remove a record; a detail can only go', () => {
	const { db, add } = openLog();
	add(crossing('a'), crossing('b'));
	const change = (sql: string) => () => db.write((tx) => tx.prepare(sql).run());
	expect(change('DELETE FROM audit WHERE seq = 1')).toThrow('append-only');
	expect(change("UPDATE audit SET rule = 'other' WHERE seq = 1")).toThrow('append-only');
	expect(change('INSERT OR REPLACE INTO audit SELECT * FROM audit WHERE seq = 1')).toThrow('append-only');
	expect(change("UPDATE audit SET detail = '{}' WHERE seq = 1")).toThrow('only be forgotten');
	expect(change('UPDATE audit SET detail = NULL, detail_salt = NULL WHERE seq = 1')).not.toThrow();
});

test('S1 an end that is cut off, an older database and another log are found by the second record', async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'state.db');
	const first = openLog(folder);
	first.add(crossing('a'), crossing('b'));
	first.close();
	copyFileSync(file, join(folder, 'older.db'));
	const second = openLog(folder);
	expect(second.warning()).toBeUndefined();
	second.add(crossing('c'));
	second.close();
	const newest = readFileSync(file);

	copyFileSync(join(folder, 'older.db'), file);
	const look = openLog(folder, { settle: false });
	expect(look.warning()).toMatchObject({
		code: 'audit_broken',
		message: expect.stringMatching(/ends with record 2; on \S+ \S+ it had 3/),
	});
	expect(await look.log.verify()).toMatchObject({ whole: false, brokenAt: 2 });
	look.close();
	// A short look left it to be found again; a start that lasts writes it down.
	const third = openLog(folder);
	expect(third.warning()?.code).toBe('audit_broken');
	expect(findRecord(third.db.read, 3)).toMatchObject({ rule: 'audit.broken', decision: 'failed' });
	expect(await third.log.verify()).toMatchObject({ whole: false, breaks: [3] });
	third.close();
	const fourth = openLog(folder);
	expect(fourth.warning()).toBeUndefined();
	expect(await fourth.log.verify()).toMatchObject({ whole: true, records: 3, breaks: [3] });
	fourth.close();

	// The database that was there before is now the wrong one.
	for (const ending of ['-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
	copyFileSync(join(folder, 'older.db'), file);
	const cut = connect(file, { mustExist: true });
	cut.exec('DROP TRIGGER audit_no_delete; DELETE FROM audit');
	cut.close();
	const emptied = openLog(folder, { settle: false });
	expect((await emptied.log.verify()).problem).toContain('The log ends with record 0');
	emptied.close();
	expect(newest.length).toBeGreaterThan(0);
});

test('S1 a second record that is gone, or whose last line a crash cut in two, is told from one that fits', async () => {
	const folder = temporaryFolder();
	const first = openLog(folder);
	first.add(crossing('a'));
	first.close();
	appendFileSync(first.headFile, '{"seq":2,"ha');
	const second = openLog(folder);
	expect(second.warning()).toBeUndefined();
	second.add(crossing('b'));
	second.close();
	rmSync(first.headFile);
	const third = openLog(folder, { settle: false });
	expect(third.warning()?.message).toContain('audit-head is missing');
	expect(existsSync(first.headFile)).toBe(false);
});

test('S1 a start right after a crash finds a log that is longer than its second record, and calls it whole', async () => {
	const folder = temporaryFolder();
	const first = openLog(folder);
	const before = readFileSync(first.headFile, 'utf8');
	expect(before).toContain('"seq":0');
	first.add(crossing('a'), crossing('b'));
	first.die();
	expect(readFileSync(first.headFile, 'utf8')).toBe(before);
	const next = openLog(folder);
	expect(next.warning()).toBeUndefined();
	expect(await next.log.verify()).toMatchObject({ whole: true, records: 2 });
});

test('S1 views and the second record are told within a second of a commit', async () => {
	const { add, told, headFile } = openLog();
	add(crossing('a'), crossing('b'));
	await expect.poll(told).toBe(2);
	expect(readFileSync(headFile, 'utf8')).toContain('"seq":2');
});

test('S1 records are found by names, rule and hash, and by what they are', async () => {
	const { db, add } = openLog();
	for (let n = 1; n <= 40; n++)
		add(
			crossing(n === 7 ? 'workspace/100% "Äpfel".md' : `workspace/${n}.md`, {
				...(n % 10 === 0 && { decision: 'refused' as const, label: 'agent' as const }),
				...(n === 12 && { runId, step: 2, sink: 'network' as const, rule: 'net.metadata' }),
			}),
		);
	const seqs = async (query: Parameters<typeof listRecords>[1], page: { before?: number; limit: number } = { limit: 100 }) =>
		(await listRecords(db.read, query, page)).records.map(({ seq }) => seq);
	expect(await seqs({ decisions: ['refused'] })).toEqual([40, 30, 20, 10]);
	expect(await seqs({ decisions: ['refused'], labels: ['external'] })).toEqual([]);
	expect(await seqs({ sinks: ['network'] })).toEqual([12]);
	expect(await seqs({ runId })).toEqual([12]);
	expect(await seqs({ text: '100% "äpfel' })).toEqual([]);
	expect(await seqs({ text: '100% "Äp' })).toEqual([7]);
	expect(await seqs({ text: 'METADATA' })).toEqual([12]);
	expect(await seqs({ text: findRecord(db.read, 9)?.hash.slice(10, 30) ?? '' })).toEqual([9]);
	// The names of JSON's own members are no text.
	expect(await seqs({ text: 'reason' })).toEqual([]);
	expect(await seqs({ since: 2_000 })).toEqual([]);
	expect(await seqs({ until: 2_000 }, { before: 3, limit: 100 })).toEqual([2, 1]);
	expect(await listRecords(db.read, {}, { limit: 40 })).toMatchObject({ hasMore: false });
	expect(await listRecords(db.read, {}, { limit: 39 })).toMatchObject({ hasMore: true });
});

test('S1 an export holds every record once, however many parts it comes in', async () => {
	const { db, add } = openLog();
	for (let n = 1; n <= 25; n++) add(crossing(`${n}`));
	const lines: string[] = [];
	for (let after = 0, more = true; more; ) {
		const part = await exportLines(db.read, {}, { after, limit: 10 });
		lines.push(...part.text.trim().split('\n'));
		more = part.next !== undefined;
		after = part.next ?? 0;
	}
	expect(lines.map((line) => (JSON.parse(line) as { seq: number }).seq)).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
});

test('S1 what could not be written waits, and is written with the next that can be', async () => {
	const { db, log } = openLog();
	const write = db.write.bind(db);
	db.write((tx) => tx.exec("CREATE TRIGGER no_room BEFORE INSERT ON audit BEGIN SELECT RAISE(FAIL, 'no room'); END"));
	await log.record([crossing('first')]);
	await log.record([crossing('second')]);
	expect((await listRecords(db.read, {}, { limit: 5 })).records).toEqual([]);
	write((tx) => tx.exec('DROP TRIGGER no_room'));
	await expect
		.poll(async () => (await listRecords(db.read, {}, { limit: 5 })).records.map(({ detail }) => detail?.to))
		.toEqual(['second', 'first']);
});
