import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextProposal, type ProposalEvent, type ProposalState } from '../../src/approvals/proposal-machine.ts';
import { HearthError } from '../../src/domain/errors.ts';

const hashes = fc.constantFrom('a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64));
const events: fc.Arbitrary<ProposalEvent> = fc.oneof(
	fc.record({ type: fc.constant('approve' as const), shownHash: hashes, inBatch: fc.boolean() }),
	fc.record({ type: fc.constant('open' as const), shownHash: hashes }),
	fc.record({ type: fc.constant('snooze' as const), until: fc.option(fc.integer({ min: 1, max: 9 })) }),
	fc.record({ type: fc.constant('wake' as const), now: fc.integer({ min: 1, max: 9 }) }),
	fc.record({ type: fc.constant('reject' as const), shownHash: hashes }),
	fc.record({ type: fc.constant('rebase' as const), shownHash: hashes }),
	fc.record({ type: fc.constant('target_seen' as const), stale: fc.boolean() }),
	fc.record({ type: fc.constant('done' as const), changed: fc.boolean() }),
	fc.constant({ type: 'undo' as const }),
	fc.constant({ type: 'refused' as const }),
);
const kinds = fc.constantFrom<ProposalState['kind']>('append', 'patch', 'supersede', 'forget', 'drift', 'notice', 'task');

function begin(kind: ProposalState['kind'], outside = false): ProposalState {
	return {
		kind,
		status: 'pending',
		shownHash: 'a'.repeat(64),
		stale: false,
		todo: null,
		changed: false,
		attempt: 0,
		outside,
		openedHash: null,
		snoozedUntil: null,
	};
}

/** All that happens, one after the other; what is refused changes nothing. */
function play(
	kind: ProposalState['kind'],
	all: readonly ProposalEvent[],
	look: (before: ProposalState, event: ProposalEvent, after: ProposalState) => void,
	outside = false,
) {
	let state = begin(kind, outside);
	for (const event of all) {
		const before = state;
		try {
			state = nextProposal(before, event);
		} catch (error) {
			if (!(error instanceof HearthError)) throw error;
		}
		look(before, event, state);
	}
}

test('B3 nothing but the owner’s decision that names the shown hash of what is not stale approves', () => {
	let approvals = 0;
	fc.assert(
		fc.property(kinds, fc.array(events, { maxLength: 40 }), (kind, all) => {
			play(kind, all, (before, event, after) => {
				if (after.status !== 'approved' || before.status === 'approved') return;
				approvals += 1;
				expect(event).toMatchObject({ type: 'approve', shownHash: before.shownHash });
				expect(before).toMatchObject({ status: 'pending', stale: false });
			});
		}),
		{ numRuns: 3000 },
	);
	expect(approvals).toBeGreaterThan(100);
});

test('B3 what is decided is not decided again, and each decision writes under a key of its own', () => {
	fc.assert(
		fc.property(kinds, fc.array(events, { maxLength: 40 }), (kind, all) => {
			const keys = new Set<number>();
			play(kind, all, (before, event, after) => {
				if (before.status !== 'pending' && (event.type === 'approve' || event.type === 'reject')) expect(after).toEqual(before);
				if (before.status === 'pending' && after.status !== 'pending') {
					expect(keys.has(after.attempt)).toBe(false);
					keys.add(after.attempt);
				}
			});
		}),
		{ numRuns: 500 },
	);
});

test('R1 memory is touched only for what a row says is to be done, and what waits has nothing to be done', () => {
	fc.assert(
		fc.property(kinds, fc.array(events, { maxLength: 40 }), (kind, all) => {
			play(kind, all, (before, event, after) => {
				if (after.status === 'pending') expect(after.todo).toBeNull();
				if (before.todo === null && after.todo === 'apply') expect(['approve', 'reject']).toContain(event.type);
				if (before.todo === null && after.todo === 'undo') expect(event.type).toBe('undo');
				if (after.todo === 'apply' && after.status === 'rejected') expect(kind).toBe('drift');
				if (kind === 'forget' && after.status === 'approved') expect(after.todo).not.toBe('undo');
			});
		}),
		{ numRuns: 500 },
	);
});

test('B3 bg-4 a batch approves nothing from outside that the owner had not open exactly so, and forgets nothing', () => {
	let inBatch = 0;
	fc.assert(
		fc.property(kinds, fc.boolean(), fc.array(events, { maxLength: 40 }), (kind, outside, all) => {
			let opened: string | undefined;
			play(
				kind,
				all,
				(before, event, after) => {
					const approved = after.status === 'approved' && before.status !== 'approved';
					if (approved && event.type === 'approve' && event.inBatch) {
						inBatch += 1;
						expect(kind).not.toBe('forget');
						if (outside) expect(opened).toBe(before.shownHash);
					}
					// What was open is told by the owner's view alone.
					if (event.type === 'open' && after.openedHash === event.shownHash && before.status === 'pending') opened = event.shownHash;
					expect(after.openedHash ?? undefined).toBe(opened);
				},
				outside,
			);
		}),
		{ numRuns: 2000 },
	);
	expect(inBatch).toBeGreaterThan(30);
});

test('bg-3 bg-4 what is put off waits, unchanged, until its time or the owner’s word, and a decision ends that', () => {
	fc.assert(
		fc.property(kinds, fc.array(events, { maxLength: 40 }), (kind, all) => {
			play(kind, all, (before, event, after) => {
				if (after.status !== 'pending' && before.status === 'pending') expect(after.snoozedUntil).toBeNull();
				if (event.type === 'snooze' || event.type === 'wake' || event.type === 'open') expect(after.status).toBe(before.status);
				if (before.snoozedUntil !== null && after.snoozedUntil === null) {
					const byTime = event.type === 'wake' && event.now >= before.snoozedUntil;
					expect(byTime || event.type === 'snooze' || after.status !== 'pending').toBe(true);
				}
			});
		}),
		{ numRuns: 500 },
	);
});
