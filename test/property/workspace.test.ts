import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { onCrashPoint } from '../../src/base/crash-point.ts';
import { sha256 } from '../../src/base/sha256.ts';
import type { RestoreId } from '../../src/domain/ids.ts';
import { lastWorkspaceChanges, lastWorkspaceSeq } from '../../src/tools/workspace/change-store.ts';
import { applyEdits } from '../../src/tools/workspace/patch.ts';
import { openIn, temporaryFolder } from '../support/storage/folders.ts';
import { tries } from '../support/thorough.ts';
import { byStep, createHarness, type WorkspaceHarness, whole } from '../support/workspace/harness.ts';

const PATHS = ['a.md', 'notes/b.md', 'notes/deep/c.md', 'd'];

const step = fc.record({
	act: fc.constantFrom('write', 'write', 'append', 'delete', 'move', 'again', 'outside', 'outside', 'put back', 'restart'),
	path: fc.constantFrom(...PATHS),
	to: fc.constantFrom(...PATHS),
	/** Where the change is cut off, and whether somebody edits the file before it is taken up again. */
	cut: fc.constantFrom(undefined, undefined, undefined, 'workspace.intended', 'workspace.written', 'workspace.done'),
	editedBetween: fc.boolean(),
	pick: fc.nat(1000),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

class Cut extends Error {}

/** What should lie on the disk, kept beside it. */
class Expected {
	files = new Map<string, string>();
	/** Each content that ever was on the disk and that Hearth has replaced. */
	readonly replaced = new Set<string>();

	set(path: string, content: string | null, how: { replaces: boolean }): void {
		const old = this.files.get(path);
		if (how.replaces && old !== undefined) this.replaced.add(old);
		if (content === null) this.files.delete(path);
		else this.files.set(path, content);
	}
}

interface World {
	readonly folder: string;
	readonly db: WorkspaceHarness['db'];
	harness: WorkspaceHarness;
	readonly expected: Expected;
	lastKey: string | undefined;
	counts: Record<string, number>;
}

async function cutOff({ cut }: Step, act: () => Promise<unknown>): Promise<boolean> {
	const remove = onCrashPoint((name) => {
		if (name === cut) throw new Cut();
	});
	try {
		await act();
		return false;
	} catch (error) {
		if (!(error instanceof Cut)) throw error;
		return true;
	} finally {
		remove();
	}
}

async function change(world: World, each: Step, content: string | null, key: string): Promise<void> {
	const { expected, harness } = world;
	const { path, cut, editedBetween } = each;
	const before = expected.files.get(path);
	world.lastKey = key;
	if (!(await cutOff(each, () => harness.files.change(path, whole(content), byStep(key))))) {
		expected.set(path, content, { replaces: true });
		return;
	}
	world.counts.cut = (world.counts.cut ?? 0) + 1;
	if (cut !== 'workspace.intended') expected.set(path, content, { replaces: true });
	if (editedBetween && cut !== 'workspace.done') {
		harness.edit(path, `between ${key}`);
		expected.set(path, `between ${key}`, { replaces: false });
		world.counts.between = (world.counts.between ?? 0) + 1;
	}
	world.harness = createHarness(world.folder, world.db);
	await world.harness.files.settle();
	const isOurs = !editedBetween || cut === 'workspace.done';
	if (isOurs && cut === 'workspace.intended' && before !== (content ?? undefined)) expected.set(path, content, { replaces: true });
}

async function make(world: World, each: Step, serial: number): Promise<void> {
	const { expected } = world;
	const { act, path, to, pick } = each;
	const content = `content ${serial}`;
	const key = `key ${serial}`;
	const now = expected.files.get(path);
	world.counts[act] = (world.counts[act] ?? 0) + 1;
	switch (act) {
		case 'write':
			return change(world, each, content, key);
		case 'append':
			return change(world, each, `${now ?? ''}+${serial}`, key);
		case 'delete':
			if (now !== undefined) await change(world, each, null, key);
			return;
		case 'move':
			if (now === undefined || expected.files.has(to)) return;
			await world.harness.files.move(path, to, byStep(key));
			expected.set(to, now, { replaces: false });
			expected.set(path, null, { replaces: true });
			return;
		case 'again':
			// Whatever has become of the file since: it was done, or it was given up.
			if (world.lastKey === undefined) return;
			await world.harness.files.change(path, whole('never'), byStep(world.lastKey)).catch((error: unknown) => {
				expect(error).toMatchObject({ code: 'conflict' });
			});
			return;
		case 'outside':
			if (pick % 4 === 0) rmSync(world.harness.at(path), { force: true });
			else world.harness.edit(path, `outside ${serial}`);
			expected.set(path, pick % 4 === 0 ? null : `outside ${serial}`, { replaces: false });
			return;
		case 'put back': {
			const { files } = world.harness;
			const at = lastWorkspaceChanges(world.db.read, pick % (lastWorkspaceSeq(world.db.read) + 1));
			const wanted = at.map(({ path: each, after: hash }) => ({ path: each, hash }));
			const outcomes = await files.putBack(wanted, { restoreId: key as RestoreId, key });
			expect(outcomes.map(({ outcome }) => outcome)).not.toContain('failed');
			for (const { path: each, hash } of wanted) {
				const bytes = hash === null ? null : await world.harness.blobs.read(hash);
				expected.set(each, bytes ? Buffer.from(bytes).toString() : null, { replaces: true });
			}
			return;
		}
		case 'restart':
			world.harness = createHarness(world.folder, world.db);
			await world.harness.files.settle();
	}
}

test('R1 R2 R4 M3 whatever is written, edited outside, cut off and put back: the disk holds what it should, and nothing that was replaced is lost', async () => {
	const counts: Record<string, number> = {};
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
			const folder = temporaryFolder();
			const db = openIn(folder);
			const world: World = { folder, db, harness: createHarness(folder, db), expected: new Expected(), lastKey: undefined, counts };
			for (const [serial, each] of steps.entries()) {
				// A key of 'again' belongs to the path it was used with.
				await make(world, each.act === 'again' ? { ...each, path: pathOf(world) ?? each.path } : each, serial);
				expect(world.harness.all()).toEqual(Object.fromEntries([...world.expected.files].sort()));
			}
			expect(world.harness.rows().filter(({ status }) => status === 'intended')).toEqual([]);
			for (const content of world.expected.replaced) expect(await world.harness.blobs.read(sha256(content)), content).toBeDefined();
			db.close();
		}),
		{ numRuns: tries(40) },
	);
	for (const act of ['write', 'delete', 'move', 'again', 'outside', 'put back', 'restart', 'cut', 'between'])
		expect(counts[act], act).toBeGreaterThan(5);
});

function pathOf({ harness, lastKey }: World): string | undefined {
	if (lastKey === undefined) return undefined;
	const row = harness.db.read.prepare('SELECT path FROM workspace_changes WHERE step_key LIKE ?').get(`${lastKey}:%`) as
		| { path: string }
		| undefined;
	return row?.path;
}

test('what no edit touches stays byte for byte, whatever line ends there are', () => {
	const piece = fc.constantFrom('a', 'b', '\n', '\r\n', '\r', 'ü', '😀', ' ');
	fc.assert(
		fc.property(
			fc.array(piece, { maxLength: 30 }),
			fc.array(piece, { maxLength: 30 }),
			fc.string({ unit: piece, maxLength: 6 }),
			(head, tail, replace) => {
				const [before, after] = [head.join(''), tail.join('')];
				const source = `${before}[here]${after}`;
				const patched = applyEdits(source, [{ find: '[here]', replace }]);
				if (!patched.ok) throw new Error(patched.problem);
				expect(patched.text.startsWith(before)).toBe(true);
				expect(patched.text.endsWith(after)).toBe(true);
				const middle = patched.text.slice(before.length, patched.text.length - after.length);
				expect(middle.replaceAll('\r', '')).toBe(replace.replaceAll('\r', ''));
			},
		),
	);
});
