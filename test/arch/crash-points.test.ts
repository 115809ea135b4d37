import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CRASH_POINTS } from '../../src/base/crash-point.ts';

/** A place where the process can die has a name on both sides of everything that takes effect, so that tests can kill there. */

const root = join(import.meta.dirname, '../..');
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src', 'test', 'bench'], { cwd: root, encoding: 'utf8' })
	.trim()
	.split('\n')
	.filter((file) => file.endsWith('.ts'));
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const source = files.filter((file) => file.startsWith('src/')).sort();

/** Files of `src/` with a line that fits. */
const having = (pattern: RegExp) =>
	source.filter((file) =>
		read(file)
			.split('\n')
			.some((line) => pattern.test(line)),
	);

/** The crash points before and after each line that fits, as far as they stand in the same function. */
function around(file: string, pattern: RegExp): { before: boolean; after: boolean }[] {
	const lines = read(file).split('\n');
	return lines.flatMap((line, at) => {
		if (!pattern.test(line)) return [];
		let start = at;
		while (start > 0 && !/^(export |async |function |\t(async )?#?\w+(<[^>]*>)?\(.*\{$)/.test(lines[start] ?? '')) start -= 1;
		let end = at;
		const close = lines[start]?.startsWith('\t') ? '\t}' : '}';
		while (end < lines.length && lines[end] !== close) end += 1;
		const has = (from: number, to: number) => lines.slice(from, to).some((other) => other.includes('crashPoint('));
		return [{ before: has(start, at), after: has(at + 1, end + 1) }];
	});
}

describe('a crash point stands on both sides of', () => {
	test('every transaction: one function commits, and nothing begins one beside it but the lock, which writes nothing', () => {
		expect(having(/exec\('(COMMIT|BEGIN IMMEDIATE)'\)|\.transaction\(/)).toEqual(['src/app/lock.ts', 'src/db/transact.ts']);
		expect(around('src/db/transact.ts', /exec\('COMMIT'\)/)).toEqual([{ before: true, after: true }]);
	});

	test('every rename and removal that counts', () => {
		const renames = having(/\brename(Sync)?\(/);
		expect(renames).toEqual(['src/base/atomic-file.ts', 'src/base/move.ts']);
		expect(around('src/base/move.ts', /\brename(Sync)?\(/)).toEqual([
			{ before: true, after: true },
			{ before: true, after: true },
		]);
		for (const place of around('src/base/atomic-file.ts', /actAfterLook\(.*\(\) =>/)) expect(place.after).toBe(true);
		// Before the rename itself stands the point after the last look.
		expect(around('src/base/atomic-file.ts', /^\t\tact\(\);/)).toMatchObject([{ before: true }]);
	});

	test('every effect of a tool', () => {
		expect(having(/\bgate\.run\(/)).toEqual(['src/run/tool-step.ts']);
		expect(around('src/run/tool-step.ts', /\bgate\.run\(/)).toEqual([{ before: true, after: true }]);
	});
});

test('each crash point is passed somewhere, and killed at somewhere', () => {
	const passing = source.map(read).join('\n');
	const killing = files
		.filter((file) => /^(test\/(crash|soak|support)|bench)\//.test(file))
		.map(read)
		.join('\n');
	const everyPoint = /CRASH_POINTS\[|\.\.\.CRASH_POINTS|CRASH_POINTS\.(map|filter)/.test(killing);
	expect(CRASH_POINTS.filter((name) => !passing.includes(`crashPoint('${name}')`))).toEqual([]);
	expect(everyPoint ? [] : CRASH_POINTS.filter((name) => !killing.includes(`'${name}'`))).toEqual([]);
});
