import { expect, test } from 'vitest';
import { approvedProvenance, nextProposal, type ProposalState, shownHashOfProposal } from '../../../src/approvals/proposal-machine.ts';
import { type MemoryOperation, rebased } from '../../../src/approvals/rebase.ts';
import { TickId, WatchedItemId, WatchedSourceId } from '../../../src/domain/heartbeat.ts';
import type { EntryId } from '../../../src/domain/memory.ts';
import type { FindingInfo, Proposal, ProposalOperation } from '../../../src/domain/proposal.ts';

const HASH = 'a'.repeat(64);
const PENDING: ProposalState = {
	kind: 'append',
	status: 'pending',
	shownHash: HASH,
	stale: false,
	todo: null,
	changed: false,
	attempt: 0,
	outside: false,
	openedHash: null,
	snoozedUntil: null,
};
const OPERATION = {
	kind: 'append',
	file: 'MEMORY.md',
	headingPath: ['Home'],
	text: 'The bin is emptied on Tuesdays.',
} as MemoryOperation;
const SHOWN = {
	operation: OPERATION,
	label: 'external',
	rule: 'seen_external',
	reason: 'It read a page.',
	provenance: {
		author: 'agent',
		label: 'external',
		origin: 'external',
		sources: [{ kind: 'url', url: 'https://a.example/', fetchedAt: 1, fetchedHash: 'f', quote: 'Tuesdays', start: 0, end: 8 }],
		at: 1,
	},
} satisfies Pick<Proposal, 'operation' | 'label' | 'rule' | 'reason' | 'provenance'>;

const FINDING: FindingInfo = {
	sourceId: WatchedSourceId.parse('s1'),
	sourceTitle: 'Town news',
	tickId: TickId.parse('t1'),
	urgency: 'normal',
	quotes: [{ itemId: WatchedItemId.parse('i1'), start: 0, end: 8, quote: 'Tuesdays' }],
	conflicts: [],
	conflictsWith: [],
	flagged: 0,
};

test('B3 the hash covers operation, target, text, time, label, rule, sources, and of a finding its quotes, urgency and what it contradicts', () => {
	const shown = shownHashOfProposal(SHOWN);
	expect(shown).toMatch(/^[0-9a-f]{64}$/);
	expect(shownHashOfProposal(structuredClone(SHOWN))).toBe(shown);
	const others = [
		{ ...SHOWN, operation: { ...OPERATION, file: 'memory/a.md' } as ProposalOperation },
		{ ...SHOWN, operation: { ...OPERATION, text: 'The bin is emptied on Tuesdays!' } as ProposalOperation },
		{ ...SHOWN, operation: { ...OPERATION, headingPath: [] } as ProposalOperation },
		{ ...SHOWN, label: 'agent' as const },
		{ ...SHOWN, rule: 'other' },
		{ ...SHOWN, reason: 'Because.' },
		{ ...SHOWN, provenance: { ...SHOWN.provenance, sources: [] } },
		{ ...SHOWN, provenance: { ...SHOWN.provenance, author: 'heartbeat' as const } },
		{ ...SHOWN, finding: FINDING },
		{ ...SHOWN, finding: { ...FINDING, urgency: 'high' as const } },
		{ ...SHOWN, finding: { ...FINDING, quotes: [{ ...FINDING.quotes[0], start: 1 }] } as typeof FINDING },
		{ ...SHOWN, finding: { ...FINDING, against: 'h' } },
		{ ...SHOWN, operation: { kind: 'task', text: OPERATION.kind === 'append' ? OPERATION.text : '', dueAt: 1 } as ProposalOperation },
		{ ...SHOWN, operation: { kind: 'task', text: OPERATION.kind === 'append' ? OPERATION.text : '', dueAt: 2 } as ProposalOperation },
	];
	expect(new Set([SHOWN, ...others].map((other) => shownHashOfProposal(other))).size).toBe(others.length + 1);
});

test('B3 bg-5 a decision that names another hash, comes twice, or finds another target changes nothing', () => {
	const approve = { type: 'approve', shownHash: HASH } as const;
	expect(nextProposal(PENDING, approve)).toMatchObject({ status: 'approved', todo: 'apply', attempt: 1 });
	const refused = (state: ProposalState, event: Parameters<typeof nextProposal>[1], code: string): void =>
		expect(() => nextProposal(state, event)).toThrow(expect.objectContaining({ code }));
	refused(PENDING, { type: 'approve', shownHash: 'b'.repeat(64) }, 'stale');
	refused(PENDING, { type: 'reject', shownHash: 'b'.repeat(64) }, 'stale');
	refused({ ...PENDING, stale: true }, approve, 'stale');
	refused({ ...PENDING, status: 'approved' }, approve, 'conflict');
	refused({ ...PENDING, status: 'rejected' }, { type: 'reject', shownHash: HASH }, 'conflict');
	refused({ ...PENDING, status: 'approved' }, { type: 'rebase', shownHash: HASH }, 'conflict');
	refused(PENDING, { type: 'undo' }, 'conflict');
	refused({ ...PENDING, status: 'approved', todo: 'apply' }, { type: 'undo' }, 'conflict');
	refused({ ...PENDING, kind: 'forget', status: 'approved', changed: true }, { type: 'undo' }, 'conflict');
});

test('a rejection does nothing to memory, but puts back what a program wrote, unless somebody changed that since', () => {
	const reject = { type: 'reject', shownHash: HASH } as const;
	expect(nextProposal(PENDING, reject)).toMatchObject({ status: 'rejected', todo: null });
	expect(nextProposal({ ...PENDING, kind: 'drift' }, reject)).toMatchObject({ status: 'rejected', todo: 'apply' });
	expect(nextProposal({ ...PENDING, kind: 'drift', stale: true }, reject)).toMatchObject({ status: 'rejected', todo: null });
});

test('B4 approved outside text is `approved` and external for ever; an edit keeps what was proposed; nothing else is lowered', () => {
	const proposal = { ...SHOWN, id: 'p' as Proposal['id'], shownHash: HASH };
	expect(approvedProvenance(proposal, 7, undefined)).toEqual({
		...SHOWN.provenance,
		label: 'approved',
		origin: 'external',
		at: 7,
		approval: { at: 7, shownHash: HASH, proposalId: 'p' },
	});
	expect(approvedProvenance(proposal, 7, 'On Wednesdays.').approval?.proposedText).toBe('The bin is emptied on Tuesdays.');
	const mixed = { ...proposal, label: 'workspace', provenance: { ...SHOWN.provenance, label: 'agent', origin: 'agent' } } as const;
	expect(approvedProvenance(mixed, 7, undefined)).toMatchObject({ label: 'workspace', origin: 'workspace' });
	// What the model says of its own text does not count against what it could see, nor the other way round.
	expect(approvedProvenance({ ...mixed, label: 'agent', provenance: SHOWN.provenance }, 7, undefined)).toMatchObject({
		label: 'approved',
		origin: 'external',
	});
});

const PATCH = { kind: 'patch', file: 'MEMORY.md', entryId: 'e1', baseHash: 'h1', before: 'old', text: 'new' } as MemoryOperation;

test('bg-5 a rebase points at the target as it is, at what followed it, or at its heading', () => {
	const target = (id: string, more = {}) =>
		({
			entryId: id as EntryId,
			file: 'memory/moved.md',
			headingPath: ['Home'],
			text: `text of ${id}`,
			hash: `hash of ${id}`,
			live: true,
			quarantined: false,
			supersededBy: null,
			...more,
		}) as NonNullable<ReturnType<Parameters<typeof rebased>[1]>>;
	expect(rebased(PATCH, (id) => target(id))).toEqual({
		...PATCH,
		file: 'memory/moved.md',
		before: 'text of e1',
		baseHash: 'hash of e1',
	});
	const chain = (id: string) => target(id, id === 'e1' ? { supersededBy: 'e2' } : {});
	expect(rebased(PATCH, chain)).toMatchObject({ entryId: 'e2', before: 'text of e2' });
	// A ring, which no writer makes, ends too.
	expect(rebased(PATCH, (id) => target(id, { supersededBy: id === 'e1' ? 'e2' : 'e1' }))).toMatchObject({ kind: 'patch' });
	expect(rebased(PATCH, (id) => target(id, { live: false }))).toEqual({
		kind: 'append',
		file: 'MEMORY.md',
		headingPath: ['Home'],
		text: 'new',
	});
	expect(rebased(PATCH, () => undefined)).toMatchObject({ kind: 'append', headingPath: [] });
	const forget = { kind: 'forget', file: 'MEMORY.md', entryId: 'e1', baseHash: 'h1', before: 'old' } as MemoryOperation;
	expect(rebased(forget, chain)).toMatchObject({ kind: 'forget', entryId: 'e1', before: 'text of e1' });
	expect(() => rebased(forget, () => undefined)).toThrow(expect.objectContaining({ code: 'conflict' }));
	const drift = { kind: 'drift', file: 'MEMORY.md', changeId: 'c', entryId: 'e1', before: null, text: 'x' } as MemoryOperation;
	expect(rebased(drift, (id) => target(id, { quarantined: true }))).toMatchObject({ text: 'text of e1' });
	expect(() => rebased(drift, (id) => target(id))).toThrow(expect.objectContaining({ code: 'conflict' }));
});
