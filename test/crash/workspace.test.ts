import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { programOf } from '../support/program.ts';
import { temporaryFolder } from '../support/storage/folders.ts';
import { stride } from '../support/thorough.ts';
import { DONE, makeCalls, putAllBack, WORK, type WorkspaceLife } from '../support/workspace/child.ts';
import { openWorkspace, type WorkspaceHarness } from '../support/workspace/harness.ts';

const CHILD = programOf(fileURLToPath(new URL('../support/workspace/child.ts', import.meta.url)));

/** Whether it was killed. */
async function live(life: WorkspaceLife): Promise<boolean> {
	const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(life)], { stdio: ['ignore', 'ignore', 'inherit'] });
	const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
	if (signal === null) expect(code).toBe(0);
	return signal === 'SIGKILL';
}

async function killedAt(folder: string, at: CrashPointName, nth: number): Promise<void> {
	expect(await live({ folder, die: { at, nth } })).toBe(true);
}

/** Each change once, none under way, all contents that the ledger names kept, nothing half written. */
async function isWhole({ rows, blobs, at }: WorkspaceHarness, expected: number): Promise<void> {
	const changes = rows();
	expect(changes.map(({ status }) => status)).toEqual(changes.map(() => 'done'));
	expect(changes).toHaveLength(expected);
	for (const hash of changes.flatMap(({ before, after }) => [before, after]))
		if (hash !== null) expect(await blobs.read(hash)).toBeDefined();
	expect(readdirSync(at(''), { recursive: true }).filter((name) => String(name).endsWith('.tmp'))).toEqual([]);
}

/** A move is two changes; then there are three files whose first change is taken back, and one that is as it was. */
const CHANGES = WORK.length + 1;
const PUT_BACK = 2;

for (const at of ['workspace.intended', 'workspace.written', 'workspace.done', 'file.written', 'file.removed'] as const) {
	test(`R1 R2 R4 killed each time ${at} is passed and taken up again: each change is made exactly once, a restore too`, async () => {
		const liveOn = async (nth: number): Promise<boolean> => {
			const folder = temporaryFolder();
			const killed = await live({ folder, die: { at, nth } });
			const harness = openWorkspace(folder);
			await harness.files.settle();
			expect((await makeCalls(harness)).map(({ isError }) => isError)).toEqual(WORK.map(() => false));
			const isRestoring = harness.files.changes({}).some(({ restoreId }) => restoreId !== undefined);
			if (!isRestoring) {
				expect(harness.all()).toEqual(DONE);
				await isWhole(harness, CHANGES);
			}
			await putAllBack(harness.files);
			expect(harness.all()).toEqual({});
			await isWhole(harness, CHANGES + PUT_BACK);
			return !killed;
		};
		let survived = false;
		let nth = 1;
		const every = stride(1);
		for (; nth <= 80 && !survived; nth += 2 * every) survived = (await Promise.all([liveOn(nth), liveOn(nth + every)])).includes(true);
		expect(survived).toBe(true);
	}, 300_000);
}

test.each(['workspace.intended', 'file.written', 'file.renamed', 'workspace.written'] as const)(
	'M3 killed at %s, and the owner edits the file before the call is made again: theirs is never overwritten',
	async (at) => {
		const folder = temporaryFolder();
		// The third call patches notes/plan.md; each call keeps its content in blobs/ by such a write before.
		const nth = at.startsWith('file.') ? 6 : 3;
		await killedAt(folder, at, nth);
		const harness = openWorkspace(folder);
		expect(harness.rows().at(-1)).toMatchObject({ path: 'notes/plan.md', status: 'intended' });
		harness.edit('notes/plan.md', 'edited by the owner\n');
		await harness.files.settle();
		for (let tries = 0; tries < 2; tries++) {
			const [, , third] = await makeCalls(harness, 3);
			expect(third).toMatchObject({ isError: true, text: expect.stringContaining('changed by somebody else meanwhile') });
		}
		expect(harness.text('notes/plan.md')).toBe('edited by the owner\n');
		expect(harness.rows().map(({ status }) => status)).toEqual(['done', 'done', 'given_up']);
	},
);

test('M3 killed before a file was deleted, and the owner deleted it and made it anew: theirs stays', async () => {
	const folder = temporaryFolder();
	await killedAt(folder, 'workspace.intended', CHANGES);
	const harness = openWorkspace(folder);
	expect(harness.rows().at(-1)).toMatchObject({ path: 'notes/old.md', after: null, status: 'intended' });
	harness.edit('notes/old.md', 'mine now\n');
	await harness.files.settle();
	expect(harness.text('notes/old.md')).toBe('mine now\n');
	expect(harness.rows().at(-1)).toMatchObject({ status: 'given_up' });
});

test('dur-4 killed with an intent, and its content is gone from blobs/: the file stays as it is', async () => {
	const folder = temporaryFolder();
	await killedAt(folder, 'workspace.intended', 3);
	rmSync(join(folder, 'blobs'), { recursive: true });
	const harness = openWorkspace(folder);
	await harness.files.settle();
	expect(harness.text('notes/plan.md')).toBe('one\ntwo\n');
	expect(harness.rows().map(({ status }) => status)).toEqual(['done', 'done', 'given_up']);
});
