import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const tracked = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const product = tracked.filter((file) => /^(src|electron|renderer)\/.*\.(ts|tsx|mjs|css)$/.test(file));
const read = (file: string) => readFileSync(join(root, file), 'utf8');

test('no file of the product is longer than 300 lines', () => {
	const long = product
		.filter((file) => /\.(ts|tsx|mjs)$/.test(file))
		.map((file) => ({ file, lines: read(file).trimEnd().split('\n').length }))
		.filter(({ lines }) => lines > 300);
	expect(long).toEqual([]);
});

test('the top level holds only what is agreed', () => {
	const allowed = new Set(
		'package.json package-lock.json tsconfig.json electron renderer src assets forge.config.ts test bench docs .ci README.md ARCHITECTURE.md CONTRIBUTING.md CHANGELOG.md LICENSE'.split(
			' ',
		),
	);
	const names = new Set(tracked.map((file) => file.split('/')[0] ?? file));
	const strangers = [...names].filter((name) => !allowed.has(name) && !name.startsWith('.'));
	expect(strangers).toEqual([]);
});

test('each dependency has an exact version', () => {
	const pack = JSON.parse(read('package.json')) as Record<string, Record<string, string>>;
	const loose = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
		Object.entries(pack[kind] ?? {}).filter(([, version]) => !/^(npm:(@[^@]+\/)?[^@]+@)?\d+\.\d+\.\d+$/.test(version)),
	);
	expect(loose).toEqual([]);
});

test('no test is skipped, focused or promised, and nothing is left for later in the code', () => {
	const pattern = /\b(?:it|test|describe)\.(?:only|skip|todo)\(|\bTO(?:DO)\b|\bFIX(?:ME)\b/;
	const hits = tracked.filter((file) => /\.(ts|tsx|mjs)$/.test(file) && pattern.test(read(file)));
	expect(hits).toEqual([]);
});

test('each migration has a test of its own', () => {
	const migrations = tracked.flatMap((file) => /^src\/db\/migrations\/(\d{4})-/.exec(file)?.[1] ?? []);
	const tests = tracked.flatMap((file) => /^test\/migrations\/(\d{4})/.exec(file)?.[1] ?? []);
	expect(migrations.filter((number) => !tests.includes(number))).toEqual([]);
});
