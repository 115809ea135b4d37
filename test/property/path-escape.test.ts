import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { openIn, temporaryFolder } from '../support/storage/folders.ts';
import { createHarness, type WorkspaceHarness } from '../support/workspace/harness.ts';

/** Files that no call may read or change: each text, and each name, says so. */
const CANARY = 'CANARY';

interface World extends WorkspaceHarness {
	readonly base: string;
	readonly open: string;
	readonly readable: string;
	/** Everything outside of what is open, by path. */
	outside(): Record<string, string>;
}

/** A profile in a granted folder, another one for reading only, a tree of canaries beside them, and links of all kinds between. */
function makeWorld(): World {
	const base = temporaryFolder();
	const at = (...names: string[]) => join(base, ...names);
	const profile = at('open', 'hearth');
	for (const folder of ['open/hearth/workspace/a/b', 'open/a/b', 'open/.ssh', 'readable/a', 'outside/a/b'])
		mkdirSync(at(folder), { recursive: true });
	for (const place of ['outside', 'outside/a', 'outside/a/b', 'open/hearth', 'open/.ssh', '.'])
		for (const name of ['a.md', `${CANARY}.md`, 'café.md']) writeFileSync(at(place, name), `${CANARY} of ${place}/${name}`);
	const db = openIn(profile);
	const grants = [
		{ path: at('open'), access: 'write' as const, mine: false },
		{ path: at('readable'), access: 'read' as const, mine: false },
	];
	const harness = createHarness(profile, db, grants);
	for (const root of [join(profile, 'workspace'), at('open'), at('readable')]) {
		writeFileSync(join(root, 'a.md'), 'inside');
		for (const [name, target] of LINKS) symlinkSync(target.replace('BASE', base), join(root, name));
		linkSync(at('outside', 'a.md'), join(root, 'hard.md'));
	}
	const outside = () => ({
		...allFiles(at('outside')),
		...allFiles(at('readable')),
		...allFiles(at('open/.ssh')),
		...Object.fromEntries(
			Object.entries(allFiles(profile, ['workspace', 'blobs', 'Trash'])).filter(([path]) => !path.includes('state.db')),
		),
		...Object.fromEntries(readdirSync(base).map((name) => [name, 'there'])),
	});
	return { ...harness, base, open: at('open'), readable: at('readable'), outside };
}

const LINKS = [
	['up', '..'],
	['out', 'BASE/outside'],
	['file', 'BASE/outside/a.md'],
	['root', '/'],
	['profile', 'BASE/open/hearth'],
	['keys', 'BASE/open/.ssh'],
	['loop', 'loop'],
	['nowhere', 'BASE/outside/new.md'],
	['twice', 'up'],
] as const;

function allFiles(folder: string, but: readonly string[] = []): Record<string, string> {
	const found: Record<string, string> = {};
	for (const name of readdirSync(folder)) {
		if (but.includes(name)) continue;
		const path = join(folder, name);
		const { size, mtimeMs, ino } = lstatSync(path);
		if (lstatSync(path).isDirectory()) Object.assign(found, allFiles(path), { [path]: 'folder' });
		else found[path] = lstatSync(path).isFile() ? `${readFileSync(path, 'utf8')} ${size} ${mtimeMs} ${ino}` : `link ${ino}`;
	}
	return found;
}

const NAMES = [
	...LINKS.map(([name]) => name),
	...[
		'a',
		'b',
		'A',
		'a.md',
		'A.MD',
		'hard.md',
		`${CANARY}.md`,
		'cafe\u0301.md',
		'café.md',
		'new.md',
		'outside',
		'open',
		'hearth',
		'workspace',
		'state.db',
		'.ssh',
	],
	...[
		'..',
		'.',
		'',
		'...',
		'‥',
		'%2e%2e',
		'..\\',
		'..;',
		'con',
		'a.md:stream',
		'a.md::$DATA',
		'a.md.',
		'a.md ',
		'PROGRA~1',
		'a／b',
		'a\0b',
		'a\nb',
		'\u202Ea',
		'~',
	],
];
const STARTS = [
	'',
	'',
	'',
	'/',
	'//',
	'OPEN/',
	'OPEN/',
	'READABLE/',
	'BASE/',
	'BASE/outside/',
	'~/',
	'\\\\?\\C:\\',
	'C:\\',
	'file:///',
	'/proc/self/root/BASE/',
	'/proc/self/cwd/',
	'/dev/fd/',
];

const PATH = fc
	.tuple(fc.constantFrom(...STARTS), fc.array(fc.constantFrom(...NAMES), { minLength: 0, maxLength: 5 }))
	.map(([start, names]) => `${start}${names.join('/')}`)
	.filter((path) => path.trim() !== '');

const CALL = fc.oneof(
	fc.record({ tool: fc.constant('read_file'), args: fc.record({ path: PATH }) }),
	fc.record({ tool: fc.constant('list_files'), args: fc.record({ folder: PATH, depth: fc.constant(20) }) }),
	fc.record({ tool: fc.constant('search_files'), args: fc.record({ folder: PATH, query: fc.constant(CANARY.toLowerCase()) }) }),
	fc.record({
		tool: fc.constant('write_file'),
		args: fc.record({ path: PATH, content: fc.constant('mine'), mode: fc.constantFrom('replace', 'append', 'create') }),
	}),
	fc.record({
		tool: fc.constant('patch_file'),
		args: fc.record({ path: PATH, edits: fc.constant([{ find: CANARY, replace: 'mine' }]) }),
	}),
	fc.record({ tool: fc.constant('move_file'), args: fc.record({ from: PATH, to: PATH }) }),
	fc.record({ tool: fc.constant('delete_file'), args: fc.record({ path: PATH }) }),
);

/** As the gate does: what lies in no granted folder, or may only be read, is asked about, and nobody says yes here. */
async function judged({ touches, call, readable }: World, tool: string, args: Record<string, unknown>): Promise<string> {
	try {
		const touched = await touches(tool, args);
		const isOpen = touched.every(
			(touch) => touch.sink === 'file' && touch.root !== undefined && (touch.access === 'read' || touch.root !== readable),
		);
		if (!isOpen) return '';
		const { text } = await call(tool, args);
		return tool === 'search_files' ? text.replace(/^No file holds .*$/m, '') : text;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

/** Names of files that calls made: where files may be made, none was called so before. */
function made({ open }: World): string[] {
	const paths = [...Object.keys(allFiles(open, ['hearth', '.ssh'])), ...Object.keys(allFiles(join(open, 'hearth', 'workspace')))];
	return paths.map((path) => path.split('/').at(-1) ?? '').filter((name) => name.includes(CANARY));
}

test('S2 no path, however it is written, reads or changes anything outside of workspace/ and the granted folders', async () => {
	const world = makeWorld();
	const before = world.outside();
	const placed = (path: unknown): unknown =>
		typeof path === 'string' ? path.replace('OPEN', world.open).replace('READABLE', world.readable).replace('BASE', world.base) : path;
	let ran = 0;
	await fc.assert(
		fc.asyncProperty(CALL, async ({ tool, args }) => {
			const given = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, placed(value)]));
			const said = await judged(world, tool, given);
			// What a model wrote itself it knows, also a part of a path that is told in another way, or that an earlier call made a file of.
			const paths = [...Object.values(given).filter((value) => typeof value === 'string'), ...made(world)];
			const own = paths.flatMap((path) => [path, ...path.split('/').filter((name) => name.includes(CANARY))]);
			const told = own.reduce((text, value) => text.replaceAll(value, ''), said);
			if (told.includes(CANARY)) throw new Error(`${tool} ${JSON.stringify(given)} tells: ${told}`);
			if (said !== '') ran += 1;
		}),
		{ numRuns: 600, examples: [[{ tool: 'move_file', args: { from: `${CANARY}.md/.`, to: 'state.db' } }]] },
	);
	expect(world.outside()).toEqual(before);
	expect(ran).toBeGreaterThan(100);
}, 60_000);

test('S2 a folder that is swapped for a link again and again while calls are made leads nowhere else', async () => {
	const world = makeWorld();
	mkdirSync(join(world.open, 'race'));
	writeFileSync(join(world.open, 'race', 'a.md'), 'inside');
	const before = world.outside();
	const { Worker } = await import('node:worker_threads');
	const swapping = new Worker(
		`const { renameSync, symlinkSync, unlinkSync } = require('node:fs');
		const { workerData: [race, away, out] } = require('node:worker_threads');
		const until = Date.now() + 1500;
		let swaps = 0;
		while (Date.now() < until) {
			// Another place each time: a call may have made the folder anew meanwhile, which then stays.
			try { renameSync(race, away + swaps); symlinkSync(out, race); unlinkSync(race); renameSync(away + swaps++, race); } catch {}
		}
		require('node:worker_threads').parentPort.postMessage(swaps);`,
		{ eval: true, workerData: [join(world.open, 'race'), join(world.open, 'away'), join(world.base, 'outside')] },
	);
	onTestFinished(async () => void (await swapping.terminate()));
	let swaps: number | undefined;
	swapping.on('message', (count: number) => {
		swaps = count;
	});
	const path = join(world.open, 'race', 'a.md');
	const said: string[] = [];
	for (let round = 0; swaps === undefined; round++) {
		said.push(await judged(world, 'read_file', { path }));
		said.push(await judged(world, 'list_files', { folder: join(world.open, 'race') }));
		said.push(await judged(world, 'write_file', { path: join(world.open, 'race', `${round % 5}.md`), content: `mine ${round}` }));
		said.push(await judged(world, 'delete_file', { path: join(world.open, 'race', `${round % 5}.md`) }));
	}
	expect(swaps).toBeGreaterThan(10);
	for (const text of said) expect(text).not.toContain(CANARY);
	expect(said.filter((text) => text.includes('inside')).length).toBeGreaterThan(0);
	expect(world.outside()).toEqual(before);
}, 30_000);
