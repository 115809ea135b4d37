import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { onCrashPoint } from '../../../src/base/crash-point.ts';
import type { RunId } from '../../../src/domain/ids.ts';
import type { MemoryEntry } from '../../../src/domain/memory.ts';
import type { ProposalOperation } from '../../../src/domain/proposal.ts';
import { append, fromOutside, openParts, RUN, toHold } from '../../support/memory-parts.ts';
import { fillDisk, freeDisk } from '../../support/run/disk.ts';
import { failureOf, temporaryFolder } from '../../support/storage/folders.ts';

const TUESDAYS = 'The bin is emptied on Tuesdays.';

const patch = (entry: MemoryEntry, text: string): ProposalOperation => ({
	kind: 'patch',
	file: entry.file,
	entryId: entry.id,
	baseHash: entry.hash,
	before: entry.text,
	text,
});

test('B2 what is held is not in memory: not in the file, not in the ledger, not found', async () => {
	const folder = temporaryFolder();
	const { memory, proposals, events } = await openParts(folder);
	const held = proposals.port.hold(toHold(append(TUESDAYS)));
	expect(held).toEqual({ outcome: 'held', proposalId: expect.any(String), reason: 'It has read a page.' });
	expect(existsSync(join(folder, 'MEMORY.md'))).toBe(false);
	expect(memory.entries({}, { offset: 0, limit: 10 }).total).toBe(0);
	expect((await memory.search({ query: 'bin', mode: 'hybrid', filter: {}, limit: 5 })).hits).toEqual([]);
	expect(proposals.decisions.list('pending', 10)).toMatchObject([
		{ id: held.proposalId, status: 'pending', label: 'external', stale: false },
	]);
	expect(proposals.decisions.counts()).toEqual({ actions: 0, proposals: 1, findings: 0 });
	expect(events).toContainEqual(
		expect.objectContaining({ type: 'proposal_changed', proposal: expect.objectContaining({ id: held.proposalId }) }),
	);
	expect(events).toContainEqual({ type: 'inbox_changed', counts: { actions: 0, proposals: 1, findings: 0 } });
});

test('B3 B4 M2 approved, it is in the file, and says for ever that it came from outside, who approved it and what they were shown', async () => {
	const folder = temporaryFolder();
	const { memory, proposals, entry } = await openParts(folder);
	const { proposalId } = proposals.port.hold(toHold(append(TUESDAYS, []), { runId: RUN }));
	const { shownHash } = proposals.decisions.get(proposalId);
	const decided = await proposals.decisions.approve(proposalId, shownHash, undefined);
	expect(decided).toMatchObject({
		status: 'approved',
		receipt: { outcome: 'written', kind: 'append', file: 'MEMORY.md' },
		decidedAt: expect.any(Number),
	});
	expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8')).toContain(TUESDAYS);
	expect(entry(TUESDAYS).provenance).toMatchObject({
		...fromOutside(),
		label: 'approved',
		origin: 'external',
		at: expect.any(Number),
		approval: { shownHash, proposalId, at: decided.decidedAt },
	});
	expect(entry(TUESDAYS).provenance.approval?.proposedText).toBeUndefined();
	expect((await memory.search({ query: 'bin', mode: 'keyword', filter: { origins: ['external'] }, limit: 5 })).hits).toHaveLength(1);
});

test('B4 an edit before the yes: the owner’s text is in memory, what was proposed stays in its provenance', async () => {
	const { proposals, entry } = await openParts(temporaryFolder());
	const { proposalId } = proposals.port.hold(toHold(append(TUESDAYS)));
	const { shownHash } = proposals.decisions.get(proposalId);
	await proposals.decisions.approve(proposalId, shownHash, 'The bin is emptied on Wednesdays.');
	const { provenance } = entry('The bin is emptied on Wednesdays.');
	expect(provenance).toMatchObject({ label: 'approved', origin: 'external', approval: { proposedText: TUESDAYS, shownHash } });
	// M2: nobody can tell it from one that the owner wrote alone, but for what is said here.
	expect(proposals.decisions.get(proposalId)).toMatchObject({ status: 'approved', operation: { text: TUESDAYS } });
});

test('B3 a decision on something else than what waits, or a second one, does nothing', async () => {
	const folder = temporaryFolder();
	const { proposals } = await openParts(folder);
	const { proposalId } = proposals.port.hold(toHold(append(TUESDAYS)));
	const { shownHash } = proposals.decisions.get(proposalId);
	expect((await failureOf(() => proposals.decisions.approve(proposalId, 'f'.repeat(64), undefined))).code).toBe('stale');
	expect((await failureOf(() => proposals.decisions.reject(proposalId, 'f'.repeat(64), undefined))).code).toBe('stale');
	expect(existsSync(join(folder, 'MEMORY.md'))).toBe(false);
	// Two views at once: one yes counts, and the text is there once.
	const both = await Promise.allSettled([1, 2].map(() => proposals.decisions.approve(proposalId, shownHash, undefined)));
	expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
	expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8').split(TUESDAYS)).toHaveLength(2);
	expect((await failureOf(() => proposals.decisions.reject(proposalId, shownHash, undefined))).code).toBe('conflict');
	expect((await failureOf(() => proposals.decisions.get('gone' as typeof proposalId))).code).toBe('not_found');
});

test('B3 a no leaves memory as it is, keeps the owner’s words, and can be taken back', async () => {
	const folder = temporaryFolder();
	const { proposals } = await openParts(folder);
	const { proposalId } = proposals.port.hold(toHold(append(TUESDAYS)));
	const { shownHash } = proposals.decisions.get(proposalId);
	expect(await proposals.decisions.reject(proposalId, shownHash, 'Not ours.')).toMatchObject({
		status: 'rejected',
		rejection: 'Not ours.',
	});
	expect(existsSync(join(folder, 'MEMORY.md'))).toBe(false);
	expect(proposals.decisions.list('decided', 10)).toHaveLength(1);
	const waiting = await proposals.decisions.undo(proposalId);
	expect(waiting).toMatchObject({ status: 'pending', shownHash });
	expect(waiting.rejection).toBeUndefined();
	expect(waiting.decidedAt).toBeUndefined();
});

test('M4 B3 undo of a yes takes the text out again, and it waits as before; a second yes writes it again, once', async () => {
	const folder = temporaryFolder();
	const { proposals } = await openParts(folder);
	const text = () => readFileSync(join(folder, 'MEMORY.md'), 'utf8');
	const { proposalId } = proposals.port.hold(toHold(append(TUESDAYS)));
	const { shownHash } = proposals.decisions.get(proposalId);
	await proposals.decisions.approve(proposalId, shownHash, undefined);
	expect(await proposals.decisions.undo(proposalId)).toMatchObject({ status: 'pending', stale: false });
	expect(text()).not.toContain(TUESDAYS);
	expect((await failureOf(() => proposals.decisions.undo(proposalId))).code).toBe('conflict');
	expect(await proposals.decisions.approve(proposalId, shownHash, undefined)).toMatchObject({ receipt: { repeated: false } });
	expect(text().split(TUESDAYS)).toHaveLength(2);
});

test('bg-5 B3 the target changed meanwhile: the proposal says so, nothing is applied, a rebase shows the new target and gets a new hash', async () => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'MEMORY.md'), '- The bin is emptied on Mondays.\n- Tea, not coffee.\n');
	const { memory, proposals, entry, events } = await openParts(folder);
	const { proposalId } = proposals.port.hold(toHold(patch(entry('The bin is emptied on Mondays.'), TUESDAYS)));
	const { shownHash } = proposals.decisions.get(proposalId);
	events.length = 0;
	writeFileSync(join(folder, 'MEMORY.md'), '- The bin is emptied on Mondays and Fridays.\n- Tea, not coffee.\n');
	// Also before Hearth has looked at the file.
	expect((await failureOf(() => proposals.decisions.approve(proposalId, shownHash, undefined))).code).toBe('stale');
	await memory.reconcile();
	expect(proposals.decisions.get(proposalId)).toMatchObject({ status: 'pending', stale: true });
	expect(events).toContainEqual(expect.objectContaining({ type: 'proposal_changed', proposal: expect.objectContaining({ stale: true }) }));
	expect((await failureOf(() => proposals.decisions.approve(proposalId, shownHash, undefined))).code).toBe('stale');
	expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8')).toBe('- The bin is emptied on Mondays and Fridays.\n- Tea, not coffee.\n');

	const rebased = proposals.decisions.rebase(proposalId);
	expect(rebased).toMatchObject({
		stale: false,
		status: 'pending',
		operation: { before: 'The bin is emptied on Mondays and Fridays.', text: TUESDAYS },
	});
	expect(rebased.shownHash).not.toBe(shownHash);
	expect((await failureOf(() => proposals.decisions.approve(proposalId, shownHash, undefined))).code).toBe('stale');
	await proposals.decisions.approve(proposalId, rebased.shownHash, undefined);
	expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8')).toBe(`- ${TUESDAYS}\n- Tea, not coffee.\n`);
});

test('bg-5 the target is gone: stale; the rebase adds the text instead', async () => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'MEMORY.md'), '# Home\n\n- The bin is emptied on Mondays.\n- Tea, not coffee.\n');
	const { memory, proposals, entry } = await openParts(folder);
	const { proposalId } = proposals.port.hold(toHold(patch(entry('The bin is emptied on Mondays.'), TUESDAYS)));
	writeFileSync(join(folder, 'MEMORY.md'), '# Home\n\n- Tea, not coffee.\n');
	await memory.reconcile();
	expect(proposals.decisions.get(proposalId).stale).toBe(true);
	const rebased = proposals.decisions.rebase(proposalId);
	expect(rebased.operation).toEqual({ kind: 'append', file: 'MEMORY.md', headingPath: ['Home'], text: TUESDAYS });
	await proposals.decisions.approve(proposalId, rebased.shownHash, undefined);
	expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8')).toBe(`# Home\n\n- Tea, not coffee.\n- ${TUESDAYS}\n`);
});

test('mem-8 an approved successor: the old entry counts as past, and a second proposal on it is stale', async () => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'MEMORY.md'), '- The bin is emptied on Mondays.\n');
	const { proposals, entry } = await openParts(folder);
	const old = entry('The bin is emptied on Mondays.');
	const supersede = (text: string): ProposalOperation => ({
		...(patch(old, text) as Extract<ProposalOperation, { kind: 'patch' }>),
		kind: 'supersede',
	});
	const first = proposals.port.hold(toHold(supersede(TUESDAYS)));
	const second = proposals.port.hold(toHold(supersede('The bin is emptied on Sundays.')));
	await proposals.decisions.approve(first.proposalId, proposals.decisions.get(first.proposalId).shownHash, undefined);
	expect(entry(old.text)).toMatchObject({ state: 'superseded', supersededBy: entry(TUESDAYS).id });
	const waiting = proposals.decisions.get(second.proposalId);
	expect(waiting.stale).toBe(true);
	expect(proposals.decisions.rebase(second.proposalId).operation).toMatchObject({ entryId: entry(TUESDAYS).id, before: TUESDAYS });
});

test('bg-4 the same again folds into what waits, but not into what is trusted more; another that says the same is counted', async () => {
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'memory.txt'), '');
	const { memory, proposals } = await openParts(folder);
	const { port, decisions } = proposals;
	const first = port.hold(toHold(append(TUESDAYS), { label: 'workspace' }));
	expect(port.hold(toHold(append(`  ${TUESDAYS.replace(' ', '  ')}`), { label: 'workspace', runId: 'other' as RunId }))).toEqual(first);
	const worse = port.hold(toHold(append(TUESDAYS), { label: 'external' }));
	expect(worse.proposalId).not.toBe(first.proposalId);
	expect(port.hold(toHold(append(TUESDAYS), { label: 'external' }))).toEqual(worse);
	// Elsewhere it is another wish.
	const elsewhere = port.hold(toHold(append(TUESDAYS, ['Home'])));
	expect(decisions.list('pending', 10).map(({ id, duplicates }) => [id, duplicates])).toEqual([
		[first.proposalId, 3],
		[worse.proposalId, 3],
		[elsewhere.proposalId, 2],
	]);
	await decisions.approve(first.proposalId, decisions.get(first.proposalId).shownHash, undefined);
	expect(memory.entries({}, { offset: 0, limit: 10 }).total).toBe(1);
	expect(decisions.get(worse.proposalId).duplicates).toBe(3);
});

test('bg-4 one run may have twenty waiting; more are refused in words that the model can read', async () => {
	const { proposals } = await openParts(temporaryFolder());
	const { port, decisions } = proposals;
	for (let index = 0; index < 20; index++) port.hold(toHold(append(`Fact ${index}.`), { runId: RUN }));
	const refused = await failureOf(() => port.hold(toHold(append('One more.'), { runId: RUN })));
	expect(refused.code).toBe('tool_denied');
	expect(refused.message).toContain('20 changes');
	port.hold(toHold(append('One more.'), { runId: 'run-2' as RunId }));
	const [first] = decisions.list('pending', 1);
	if (first) await decisions.reject(first.id, first.shownHash, undefined);
	port.hold(toHold(append('Now there is room.'), { runId: RUN }));
	expect(decisions.counts().proposals).toBe(21);
});

test('R2 the same step never waits twice, also after it was decided', async () => {
	const { proposals } = await openParts(temporaryFolder());
	const request = toHold(append(TUESDAYS), { stepKey: 'run:3:call' });
	const first = proposals.port.hold(request);
	expect(proposals.port.hold(request)).toEqual(first);
	await proposals.decisions.reject(first.proposalId, proposals.decisions.get(first.proposalId).shownHash, undefined);
	expect(proposals.port.hold(request)).toEqual(first);
	expect(proposals.decisions.counts().proposals).toBe(0);
});

test('bg-3 R3 what waits is there after a restart, with the same hash', async () => {
	const folder = temporaryFolder();
	const one = await openParts(folder);
	const { proposalId } = one.proposals.port.hold(toHold(append(TUESDAYS)));
	const { shownHash } = one.proposals.decisions.get(proposalId);
	await one.close();
	one.db.close();
	const two = await openParts(folder);
	expect(two.proposals.decisions.get(proposalId)).toMatchObject({ shownHash, status: 'pending' });
	await two.proposals.decisions.approve(proposalId, shownHash, undefined);
	expect(two.entry(TUESDAYS).provenance.approval?.shownHash).toBe(shownHash);
});

test('bg-2 B2 what a program wrote into memory waits: not recalled; a yes keeps it as approved outside text, a no puts back what was', async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'MEMORY.md');
	writeFileSync(file, '- Tea, not coffee.\n- The door code is 4711.\n');
	const { memory, proposals, entry } = await openParts(folder);
	await memory.watchProgram(RUN, 'shell', async () => writeFileSync(file, `- Tea, not coffee.\n- The door code is 9999.\n- ${TUESDAYS}\n`));
	const waiting = proposals.decisions.list('pending', 10);
	expect(waiting.map(({ operation }) => operation.kind)).toEqual(['drift', 'drift']);
	expect(entry(TUESDAYS).state).toBe('quarantined');
	const by = (text: string) => {
		const found = waiting.find(({ operation }) => operation.kind === 'drift' && operation.text === text);
		if (!found) throw new Error(`nothing waits that says “${text}”`);
		return found;
	};
	expect(by(TUESDAYS)).toMatchObject({ label: 'external', runId: RUN, stale: false, provenance: { author: 'tool' } });
	await proposals.decisions.approve(by(TUESDAYS).id, by(TUESDAYS).shownHash, undefined);
	expect(entry(TUESDAYS)).toMatchObject({
		state: 'current',
		provenance: { author: 'tool', label: 'approved', approval: { proposalId: by(TUESDAYS).id } },
	});
	const code = by('The door code is 9999.');
	await proposals.decisions.reject(code.id, code.shownHash, undefined);
	expect(readFileSync(file, 'utf8')).toBe(`- Tea, not coffee.\n- The door code is 4711.\n- ${TUESDAYS}\n`);
	expect(entry('The door code is 4711.').state).toBe('current');
	expect(proposals.decisions.counts().proposals).toBe(0);
});

test('bg-2 drift that the owner changed since is stale: neither a yes nor a no touches what they wrote', async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'MEMORY.md');
	writeFileSync(file, '- The door code is 4711.\n');
	const { memory, proposals } = await openParts(folder);
	await memory.watchProgram(RUN, 'shell', async () => writeFileSync(file, '- The door code is 9999.\n'));
	const [drift] = proposals.decisions.list('pending', 10);
	if (!drift) throw new Error('nothing waits');
	writeFileSync(file, '- The door code is 1234.\n');
	await memory.reconcile();
	expect(proposals.decisions.get(drift.id).stale).toBe(true);
	expect((await failureOf(() => proposals.decisions.approve(drift.id, drift.shownHash, undefined))).code).toBe('stale');
	expect(await proposals.decisions.reject(drift.id, drift.shownHash, undefined)).toMatchObject({ status: 'rejected' });
	expect(readFileSync(file, 'utf8')).toBe('- The door code is 1234.\n');
});

test('bg-2 M4 a decision on a program’s text can be taken back: it is in quarantine again, and waits', async () => {
	const folder = temporaryFolder();
	const file = join(folder, 'MEMORY.md');
	writeFileSync(file, '- Tea, not coffee.\n');
	const { memory, proposals, entry } = await openParts(folder);
	await memory.watchProgram(RUN, 'shell', async () => writeFileSync(file, '- Coffee, not tea.\n'));
	const [drift] = proposals.decisions.list('pending', 10);
	if (!drift) throw new Error('nothing waits');
	await proposals.decisions.reject(drift.id, drift.shownHash, undefined);
	expect(readFileSync(file, 'utf8')).toBe('- Tea, not coffee.\n');
	expect(await proposals.decisions.undo(drift.id)).toMatchObject({ status: 'pending', stale: false });
	expect(readFileSync(file, 'utf8')).toBe('- Coffee, not tea.\n');
	expect(entry('Coffee, not tea.').state).toBe('quarantined');
	await proposals.decisions.approve(drift.id, drift.shownHash, undefined);
	expect(entry('Coffee, not tea.').state).toBe('current');
	expect(await proposals.decisions.undo(drift.id)).toMatchObject({ status: 'pending' });
	expect(entry('Coffee, not tea.').state).toBe('quarantined');
});

test('S5 a yes that memory refuses leaves it waiting, and memory as it was', async () => {
	const folder = temporaryFolder();
	const { proposals } = await openParts(folder);
	const { proposalId } = proposals.port.hold(toHold(append('x')));
	const { shownHash } = proposals.decisions.get(proposalId);
	writeFileSync(join(folder, 'MEMORY.md'), 'y'.repeat(2_000_001));
	expect((await failureOf(() => proposals.decisions.approve(proposalId, shownHash, undefined))).code).toBe('file_too_large');
	expect(proposals.decisions.get(proposalId)).toMatchObject({ status: 'pending', shownHash });
	writeFileSync(join(folder, 'MEMORY.md'), '');
	await proposals.decisions.approve(proposalId, shownHash, undefined);
	expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8')).toBe('- x\n');
});

test('R1 dur-2 the disk is full when the file has it and the ledger does not: it counts as decided, and is brought to its end in the same life', async () => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
	onTestFinished(() => void vi.useRealTimers());
	const folder = temporaryFolder();
	writeFileSync(join(folder, 'MEMORY.md'), '- Tea\n');
	const { proposals, entry, db } = await openParts(folder);
	const { proposalId } = proposals.port.hold(toHold(patch(entry('Tea'), 'Coffee '.repeat(3_000).trim())));
	const { shownHash } = proposals.decisions.get(proposalId);
	const stop = onCrashPoint((name) => {
		if (name !== 'memory.written') return;
		stop();
		// Room for a line, not for the text.
		fillDisk(db, 12);
	});
	onTestFinished(stop);
	expect((await failureOf(() => proposals.decisions.approve(proposalId, shownHash, undefined))).code).toBe('disk_full');
	expect(proposals.decisions.get(proposalId)).toMatchObject({ status: 'approved' });
	freeDisk(db);
	await vi.advanceTimersByTimeAsync(30_000);
	await vi.waitFor(() => expect(proposals.decisions.get(proposalId).receipt).toMatchObject({ outcome: 'written', kind: 'patch' }));
	expect(readFileSync(join(folder, 'MEMORY.md'), 'utf8').split('- Coffee')).toHaveLength(2);
	expect(await proposals.decisions.undo(proposalId)).toMatchObject({ status: 'pending', stale: false });
});
