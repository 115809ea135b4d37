import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../src/base/sha256.ts';
import { all, sql } from '../../src/db/sql.ts';
import type { MemoryEntry } from '../../src/domain/memory.ts';
import { getChange } from '../../src/memory/change-store.ts';
import { knownFiles } from '../../src/memory/file-store.ts';
import { applyHunks } from '../../src/memory/hunks.ts';
import { identify } from '../../src/memory/identity.ts';
import { setProvenance } from '../../src/memory/ledger-store.ts';
import { parseMarkdown } from '../../src/memory/markdown/parse.ts';
import { markdownCorpus } from '../support/markdown-corpus.ts';
import { type Ledger, openLedger } from '../support/memory/ledger.ts';
import { tries } from '../support/thorough.ts';

const NAMES = ['MEMORY.md', 'memory/2026-11-29.md', 'memory/a.md', 'memory/A.md', 'memory/deep/b.md'];
const corpus = markdownCorpus(400).filter(({ source }) => source.length < 8_000 && source.length > 100);

/** What somebody does to the files with another program; numbers choose the file, the line and the words. */
const edit = fc.record({
	what: fc.constantFrom(
		'line_out',
		'line_in',
		'line_twice',
		'word',
		'swap',
		'move',
		'rename',
		'remove',
		'replace',
		'crlf',
		'cut_and_paste',
	),
	file: fc.nat(NAMES.length - 1),
	to: fc.nat(NAMES.length - 1),
	line: fc.nat(500),
	other: fc.nat(500),
	source: fc.nat(corpus.length - 1),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

function apply(folder: string, { what, file, to, line, other, source }: Edit): void {
	const path = join(folder, NAMES[file] ?? '');
	const target = join(folder, NAMES[to] ?? '');
	const save = (place: string, text: string): void => {
		mkdirSync(dirname(place), { recursive: true });
		writeFileSync(place, text);
	};
	const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
	const lines = text.split('\n');
	const at = line % lines.length;
	const second = other % lines.length;
	const here = lines[at] ?? '';
	if (what === 'replace' || text === '') {
		save(path, corpus[source]?.source ?? '');
		return;
	}
	if (what === 'rename' || what === 'remove') {
		mkdirSync(dirname(target), { recursive: true });
		if (what === 'rename') renameSync(path, target);
		else rmSync(path);
		return;
	}
	if (what === 'line_out') lines.splice(at, 1);
	if (what === 'line_in') lines.splice(at, 0, `- a new line, number ${other}`);
	if (what === 'line_twice') lines.splice(at, 0, here);
	if (what === 'word') lines[at] = here.replace(/\p{L}+/u, `word${other}`);
	if (what === 'swap') [lines[at], lines[second]] = [lines[second] ?? '', here];
	if (what === 'move') lines.splice(second, 0, ...lines.splice(at, 1));
	if (what === 'cut_and_paste' && path !== target) {
		lines.splice(at, 1);
		save(target, `${existsSync(target) ? readFileSync(target, 'utf8') : ''}\n${here}\n`);
	}
	save(path, what === 'crlf' ? otherLineEnds(text) : lines.join('\n'));
}

function otherLineEnds(text: string): string {
	return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text.replaceAll('\n', '\r\n');
}

/** M1: what the ledger says is what the files say, entry by entry. */
function checkAgainstDisk(ledger: Ledger): void {
	const there = NAMES.filter((name) => existsSync(join(ledger.folder, name)));
	expect(
		knownFiles(ledger.db.read)
			.map(({ path }) => path as string)
			.toSorted(),
	).toEqual(there.toSorted());
	const inLedger = ledger
		.live()
		.map(({ file, hash, kind, text, headingPath, lineStart, lineEnd }) => ({ file, hash, kind, text, headingPath, lineStart, lineEnd }));
	const onDisk = knownFiles(ledger.db.read).flatMap(({ path }) =>
		identify(parseMarkdown(readFileSync(join(ledger.folder, path), 'utf8')).entries).map(
			({ hash, kind, text, headingPath, lineStart, lineEnd }) => ({ file: path, hash, kind, text, headingPath, lineStart, lineEnd }),
		),
	);
	expect(inLedger).toEqual(onDisk);
}

/** M2 mem-1: what says the same as before, and is the only one that does, is the entry it was, from where it was. */
function checkUntouched(before: readonly MemoryEntry[], after: readonly MemoryEntry[]): number {
	const only = (entries: readonly MemoryEntry[]) => {
		const counts = new Map<string, MemoryEntry[]>();
		for (const entry of entries) counts.set(entry.hash, [...(counts.get(entry.hash) ?? []), entry]);
		return new Map([...counts].flatMap(([hash, [entry, ...more]]) => (entry && more.length === 0 ? [[hash, entry] as const] : [])));
	};
	const now = only(after);
	let untouched = 0;
	for (const [hash, entry] of only(before)) {
		const same = now.get(hash);
		if (!same) continue;
		untouched += 1;
		expect({ id: same.id, provenance: same.provenance }).toEqual({ id: entry.id, provenance: entry.provenance });
	}
	return untouched;
}

/** M4: each change tells what it did, to the letter. */
function checkChanges(ledger: Ledger, contents: Map<string, string>, from: number): number {
	const rows = all<{ id: never; seq: number }>(
		ledger.db.read,
		sql`SELECT id, seq FROM memory_changes WHERE seq > ${from} AND file <> '' ORDER BY seq`,
	);
	for (const { id } of rows) {
		const { file, beforeHash, afterHash, hunks, provenance, kind } = getChange(ledger.db.read, id);
		const before = contents.get(file) ?? '';
		expect(sha256(before)).toBe(beforeHash);
		const after = applyHunks(before, hunks);
		expect(sha256(after)).toBe(afterHash);
		expect([kind, provenance.author, provenance.label]).toEqual(['file_edit', 'file_edit', 'owner']);
		contents.set(file, after);
	}
	return rows.at(-1)?.seq ?? from;
}

test('mem-1 M1 M2 whatever is done to the files outside: the ledger says what they say, and what was not touched stays who it is', async () => {
	let untouched = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }), async (rounds) => {
			const ledger = openLedger();
			try {
				await ledger.reconciler.look();
				for (const [index, name] of NAMES.slice(0, 3).entries())
					ledger.write(name, corpus[((rounds[0]?.[0]?.source ?? 0) + index) % corpus.length]?.source ?? '');
				await ledger.reconciler.look();
				ledger.db.write((tx) => {
					for (const { id, provenance } of ledger.live())
						setProvenance(tx, id, { ...provenance, author: 'agent', label: 'approved', origin: 'external', reason: `of ${id}` });
				});
				const contents = new Map<string, string>();
				let seq = checkChanges(ledger, contents, 0);
				for (const edits of rounds) {
					const before = ledger.live();
					for (const one of edits) apply(ledger.folder, one);
					await ledger.reconciler.look();
					checkAgainstDisk(ledger);
					untouched += checkUntouched(before, ledger.live());
					seq = checkChanges(ledger, contents, seq);
					expect(await ledger.reconciler.look()).toEqual([]);
				}
			} finally {
				ledger.close();
				rmSync(ledger.folder, { recursive: true, force: true });
			}
		}),
		{ numRuns: tries(30) },
	);
	expect(untouched).toBeGreaterThan(500);
}, 180_000);
