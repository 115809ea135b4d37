import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextProposal, type ProposalEvent, type ProposalState } from '../../src/approvals/proposal-machine.ts';
import { HearthError } from '../../src/domain/errors.ts';

const hashes = fc.constantFrom('a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64));
const events: fc.Arbitrary<ProposalEvent> = fc.oneof(
	fc.record({ type: fc.constant('approve' as const), shownHash: hashes }),
	fc.record({ type: fc.constant('reject' as const), shownHash: hashes }),
	fc.record({ type: fc.constant('rebase' as const), shownHash: hashes }),
	fc.record({ type: fc.constant('target_seen' as const), stale: fc.boolean() }),
	fc.record({ type: fc.constant('done' as const), changed: fc.boolean() }),
	fc.constant({ type: 'undo' as const }),
	fc.constant({ type: 'refused' as const }),
);
const kinds = fc.constantFrom<ProposalState['kind']>('append', 'patch', 'supersede', 'forget', 'drift');

function begin(kind: ProposalState['kind']): ProposalState {
	return {
		kind,
		status: 'pending',
		shownHash: 'a'.repeat(64),
		stale: false,
		todo: null,
		changed: false,
		attempt: 0,
		outside: false,
		openedHash: null,
		snoozedUntil: null,
	};
}

/** All that happens, one after the other; what is refused changes nothing. */
function play(
	kind: ProposalState['kind'],
	all: readonly ProposalEvent[],
	look: (before: ProposalState, event: ProposalEvent, after: ProposalState) => void,
) {
	let state = begin(kind);
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
				expect(event).toEqual({ type: 'approve', shownHash: before.shownHash });
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
