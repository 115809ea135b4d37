import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HearthError } from '../../src/domain/errors.ts';
import type { ChangeId, MemoryEntry } from '../../src/domain/memory.ts';
import { MemoryPath } from '../../src/domain/memory.ts';
import { byAgent, byOwner, type MemoryHarness, openMemory, ownersGrant, type Written, written } from '../support/memory.ts';
import { tries } from '../support/thorough.ts';

const FILES = ['MEMORY.md', 'memory/2026-11-29.md', 'memory/notes.md'];
const START =
	'# Mine\n\nA paragraph of mine.\n\n- first thing <!-- importance: 7 -->\n- second thing\n  - nested thing\n\n## Deeper\n\n- third thing\n';

/** `pick` chooses the file, the entry or the change, by remainder. */
const step = fc.record({
	act: fc.constantFrom('append', 'append', 'patch', 'remove', 'supersede', 'move', 'undo', 'undo', 'outside', 'outside', 'restart'),
	pick: fc.nat(1000),
	more: fc.nat(1000),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const WORDS = ['tea', 'cat', 'gate', 'code', 'Berlin', 'Miso', 'garden', 'piano', 'red', 'old'];

/** Never the same twice, and like the others in part. */
function sentence(serial: number): string {
	return `fact ${serial} of ${WORDS[serial % 10]} and ${WORDS[(serial * 7) % 9]} and ${WORDS[(serial * 3) % 8]}`;
}

const base = (key: string) => ({ grant: ownersGrant, key, provenance: key.endsWith('0') ? byAgent() : byOwner() });
const seen = ({ id, hash }: MemoryEntry) => ({ entryId: id, baseHash: hash });

/** What the files say, by entry. */
function saying(harness: MemoryHarness): Map<string, string> {
	return new Map(harness.entries().map(({ text, id }) => [text, id]));
}

async function tidy({ memory }: MemoryHarness): Promise<void> {
	await memory.settled();
	expect((await memory.verify()).problems).toEqual([]);
}

async function writeOnce(harness: MemoryHarness, { act, pick, more }: Step, serial: number): Promise<Written | undefined> {
	const { memory } = harness;
	const items = harness.entries().filter(({ kind, state }) => kind === 'item' && state === 'current');
	const entry = items[pick % Math.max(1, items.length)];
	const file = MemoryPath.parse(FILES[more % FILES.length]);
	const headingPath = more % 3 === 0 ? ['Mine', 'Deeper'] : [];
	const key = `key ${serial}`;
	if (act === 'append') return written(await memory.writer.append({ ...base(key), file, headingPath, text: sentence(serial) }));
	if (!entry) return undefined;
	if (act === 'patch') return written(await memory.writer.patch({ ...base(key), ...seen(entry), text: sentence(serial) }));
	if (act === 'supersede') return written(await memory.writer.supersede({ ...base(key), ...seen(entry), text: sentence(serial) }));
	if (act === 'remove') return written(await memory.writer.remove({ ...base(key), ...seen(entry) }));
	return written(await memory.writer.move({ ...base(key), ...seen(entry), file, headingPath }));
}

/** Whoever writes into a file without Hearth: puts a line in, takes one out or changes one. */
function editOutside(harness: MemoryHarness, { pick, more }: Step, serial: number): { lost: string[]; gained: string[]; file: string } {
	const file = FILES[pick % FILES.length] ?? 'MEMORY.md';
	const lines = harness.read(file).split('\n');
	const items = lines.flatMap((line, index) => (/^- fact \d/.test(line) ? [index] : []));
	const at = items[more % Math.max(1, items.length)];
	const line = `- ${sentence(serial)}`;
	if (at === undefined || more % 3 === 0) {
		harness.edit(file, `${harness.read(file)}\n${line}\n`);
		return { lost: [], gained: [sentence(serial)], file };
	}
	const lost = [lines[at]?.slice(2).replace(/ <!--.*/, '') ?? ''];
	lines.splice(at, 1, ...(more % 3 === 1 ? [] : [line]));
	harness.edit(file, lines.join('\n'));
	return { lost, gained: more % 3 === 1 ? [] : [sentence(serial)], file };
}

/** What refuses says so with one of these, and changes nothing. */
const REFUSALS = ['stale', 'conflict', 'invalid_input'];

async function refusable<T>(act: () => Promise<T>): Promise<T | undefined> {
	try {
		return await act();
	} catch (error) {
		if (error instanceof HearthError && REFUSALS.includes(error.code)) return undefined;
		throw error;
	}
}

function isHeading(text: string): boolean {
	return /^(Mine|Deeper|2026-11-29)$/.test(text);
}

/** Which texts the change took away and brought, from the history. */
function differenceOf({ memory }: MemoryHarness, changeId: ChangeId): { lost: string[]; gained: string[] } {
	const versions = memory.history({}, 500).filter((version) => version.changeId === changeId && version.before !== version.after);
	const texts = (side: 'before' | 'after') => versions.flatMap((version) => version[side] ?? []).filter((text) => !isHeading(text));
	return { lost: texts('before'), gained: texts('after') };
}

test('M3 M4 whatever is written, edited outside, undone and restarted: nothing else is lost, and disk, ledger and index agree', async () => {
	let undone = 0;
	let refused = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 18 }), async (steps) => {
			let harness = await openMemory();
			harness.edit('MEMORY.md', START);
			await harness.memory.reconcile();
			const receipts: Written[] = [];
			for (const [serial, one] of steps.entries()) {
				const before = saying(harness);
				let expected: { lost: string[]; gained: string[] } = { lost: [], gained: [] };
				if (one.act === 'outside') {
					const { file, ...edited } = editOutside(harness, one, serial);
					expected = edited;
					if (one.more % 2) await harness.memory.reconcile();
					else await harness.append(`after ${serial}`, { file });
					if (one.more % 2 === 0) expected.gained.push(`after ${serial}`);
				} else if (one.act === 'restart') {
					await harness.close();
					harness = await openMemory({ folder: harness.folder });
				} else if (one.act === 'undo') {
					const receipt = receipts[one.pick % Math.max(1, receipts.length)];
					const result = receipt && (await refusable(() => harness.undo(receipt.changeId)));
					if (result) {
						undone++;
						receipts.push(result);
						expected = differenceOf(harness, result.changeId);
					} else refused++;
				} else {
					const result = await refusable(() => writeOnce(harness, one, serial));
					if (result) {
						receipts.push(result);
						expected = differenceOf(harness, result.changeId);
					}
				}
				const after = saying(harness);
				const wanted = new Set([...before.keys(), ...expected.gained]);
				for (const text of expected.lost) if (!expected.gained.includes(text)) wanted.delete(text);
				expect([...after.keys()].filter((text) => !wanted.has(text))).toEqual([]);
				expect([...wanted].filter((text) => !after.has(text))).toEqual([]);
				// Who was not touched is who it was.
				for (const [text, id] of after)
					if (before.has(text) && !expected.gained.includes(text)) expect([text, id]).toEqual([text, before.get(text)]);
				await tidy(harness);
			}
			await harness.close();
		}),
		{ numRuns: tries(15) },
	);
	expect(undone).toBeGreaterThan(5);
	expect(refused).toBeGreaterThan(0);
}, 120_000);

test('M4 all that Hearth wrote, undone from the last to the first, leaves the files byte for byte as they were', async () => {
	let writes = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
			const harness = await openMemory();
			harness.edit('MEMORY.md', START);
			await harness.memory.reconcile();
			const before = saying(harness);
			const receipts: Written[] = [];
			for (const [serial, one] of steps.entries()) {
				if (['undo', 'outside', 'restart'].includes(one.act)) continue;
				const receipt = await refusable(() => writeOnce(harness, one, serial));
				if (receipt) receipts.push(receipt);
			}
			writes += receipts.length;
			for (const { changeId } of receipts.toReversed()) await harness.undo(changeId);
			expect(harness.read('MEMORY.md')).toBe(START);
			expect(harness.read('memory/notes.md')).toBe('');
			expect(harness.read('memory/2026-11-29.md')).toBe('');
			expect(saying(harness)).toEqual(before);
			await tidy(harness);
			await harness.close();
		}),
		{ numRuns: tries(15) },
	);
	expect(writes).toBeGreaterThan(20);
}, 120_000);
