import { describe, expect, test } from 'vitest';
import { choicesFor, dueAtFor } from '../../../renderer/inbox/choices.ts';
import { choicesIn, EVERYTHING, OWN, passes } from '../../../renderer/inbox/filter.ts';
import { type GroupBy, rowsOf } from '../../../renderer/inbox/list-rows.ts';
import { allToggled, batchOf, NOTHING, ranged, toggled } from '../../../renderer/inbox/selection.ts';
import { snoozeUntil, timeOf } from '../../../renderer/inbox/snooze-times.ts';
import { listOf, type ProposalList, withChanges } from '../../../renderer/shell/proposal-lists.ts';
import { type FindingInfo, Proposal, type ProposalOperation } from '../../../src/domain/proposal.ts';

const notice: ProposalOperation = { kind: 'notice', text: 'The pool is closed.' };
const NOW = new Date(2026, 2, 11, 9, 30).getTime();

type Change = Omit<Partial<Proposal>, 'id' | 'foldedInto' | 'finding'> & {
	id: string;
	foldedInto?: string;
	finding?: Partial<Omit<FindingInfo, 'tickId' | 'sourceId'>> & { tickId?: string; sourceId?: string };
};

function proposal({ finding, ...change }: Change): Proposal {
	const found = { sourceId: 's1', sourceTitle: 'Town news', tickId: 't1', urgency: 'normal', quotes: [], conflicts: [], ...finding };
	return Proposal.parse({
		operation: notice,
		provenance: { author: 'heartbeat', label: 'external', origin: 'external', sources: [], at: 0 },
		label: 'external',
		rule: 'background_finding',
		reason: 'You asked to be told.',
		shownHash: 'a'.repeat(64),
		status: 'pending',
		stale: false,
		duplicates: 0,
		opened: false,
		createdAt: 0,
		...(finding && { finding: found }),
		...change,
	});
}

const shape = (by: GroupBy = 'look', unfolded: string[] = [], list: ProposalList = 'pending') => ({
	by,
	list,
	unfolded: new Set(unfolded),
});
/** Headings by what they are about, proposals by their ids, `>` for those under another. */
const lines = (rows: ReturnType<typeof rowsOf>): string[] =>
	rows.rows.map((row) => {
		if (row.kind === 'group') return `# ${row.group.key}`;
		if (row.kind === 'fold') return `(${row.ids.length})`;
		return `${row.under ? '> ' : ''}${row.proposal.id}${row.folded > 0 ? ` +${row.folded}` : ''}`;
	});

describe('rows of the inbox', () => {
	const morning = { tickId: 'morning', sourceId: 'rail' };
	const list = [
		proposal({ id: 'chat', createdAt: 1 }),
		proposal({ id: 'evening', createdAt: 5, finding: { tickId: 'evening', sourceId: 'town' } }),
		proposal({ id: 'late', createdAt: 10, finding: { ...morning, urgency: 'low' } }),
		proposal({ id: 'plain', createdAt: 11, finding: morning }),
		proposal({ id: 'urgent', createdAt: 12, finding: { ...morning, urgency: 'high' } }),
	];

	test('stand together by look, the newest first; within a look what is urgent first', () => {
		const rows = rowsOf(list, shape());
		expect(lines(rows)).toEqual(['# morning', 'urgent', 'plain', 'late', '# evening', 'evening', `# ${OWN}`, 'chat']);
		expect(rows.proposals.map(({ id }) => id)).toEqual(['urgent', 'plain', 'late', 'evening', 'chat']);
		expect(rows.rows[0]).toMatchObject({ group: { ids: ['urgent', 'plain', 'late'], about: { kind: 'look', tickId: 'morning' } } });
		expect(rows.indexOf.get('evening')).toBe(5);
	});

	test('or by source', () => {
		expect(lines(rowsOf(list, shape('source')))).toEqual(['# rail', 'urgent', 'plain', 'late', '# town', 'evening', `# ${OWN}`, 'chat']);
	});

	test('what folds stands under its head, wherever that is, and under what is decided as one row that can be selected as one', () => {
		const folds = [
			proposal({ id: 'head', createdAt: 20, finding: { tickId: 'morning' } }),
			proposal({ id: 'same', createdAt: 21, foldedInto: 'head', finding: { tickId: 'evening' } }),
			proposal({ id: 'one', createdAt: 22, foldedInto: 'rejected', finding: { tickId: 'evening' } }),
			proposal({ id: 'two', createdAt: 23, foldedInto: 'rejected', finding: { tickId: 'evening' } }),
		];
		const closed = rowsOf(folds, shape());
		expect(lines(closed)).toEqual(['# evening', '(2)', '# morning', 'head +1']);
		expect(closed.proposals.map(({ id }) => id)).toEqual(['head']);
		expect(closed.stops.map(({ id }) => id)).toEqual(['fold:evening:rejected', 'head']);
		expect(lines(rowsOf(folds, shape('look', ['head', 'rejected'])))).toEqual([
			'# evening',
			'(2)',
			'> one',
			'> two',
			'# morning',
			'head +1',
			'> same',
		]);
	});

	test('what is decided stays in the order in which it was', () => {
		expect(lines(rowsOf(list, shape('look', [], 'decided')))).toEqual(['# decided', 'chat', 'evening', 'late', 'plain', 'urgent']);
		expect(lines(rowsOf([], shape('look', [], 'decided')))).toEqual([]);
	});

	test('a filter lets through what it names, and offers only what there is', () => {
		const task = proposal({
			id: 'task',
			operation: { kind: 'task', text: 'Pay.', dueAt: null },
			finding: { sourceId: 'town', urgency: 'high' },
		});
		const all = [...list, task];
		const left = (filter: Partial<typeof EVERYTHING>): string[] =>
			all.filter((each) => passes({ ...EVERYTHING, ...filter }, each)).map(({ id }) => id);
		expect(left({})).toHaveLength(6);
		expect(left({ subjects: ['task'] })).toEqual(['task']);
		expect(left({ urgencies: ['high'] })).toEqual(['urgent', 'task']);
		expect(left({ sources: [OWN] })).toEqual(['chat']);
		expect(choicesIn(all)).toMatchObject({ subjects: ['task', 'notice'], urgencies: ['high', 'normal', 'low'] });
	});
});

describe('a selection', () => {
	const rows = ['a', 'b', 'c', 'd'].map((id) => proposal({ id }));
	const [a, b, c, d] = rows.map(({ id }) => id) as [Proposal['id'], Proposal['id'], Proposal['id'], Proposal['id']];
	const ids = ({ ids: set }: { ids: ReadonlySet<string> }): string[] => [...set].sort();

	test('X takes one in and out, Shift+X all from the last one to here, in either direction', () => {
		const one = toggled(NOTHING, b);
		expect(ids(ranged(one, rows, d))).toEqual(['b', 'c', 'd']);
		expect(ids(ranged(one, rows, a))).toEqual(['a', 'b']);
		expect(ids(toggled(one, b))).toEqual([]);
		expect(ids(ranged(NOTHING, rows, c))).toEqual(['c']);
		expect(ids(allToggled(one, [a, b, c]))).toEqual(['a', 'b', 'c']);
		expect(ids(allToggled(allToggled(one, [a, b]), [a, b]))).toEqual([]);
	});

	test('B3 a batch approves no outside text that was not opened, nothing stale, no forgetting and no task without a time; it rejects all', () => {
		const mixed = [
			proposal({ id: 'open', opened: true }),
			proposal({ id: 'closed' }),
			proposal({ id: 'stale', opened: true, stale: true }),
			proposal({ id: 'gone', opened: true, status: 'rejected' }),
			proposal({ id: 'someday', opened: true, operation: { kind: 'task', text: 'Pay.', dueAt: null } }),
			proposal({ id: 'soon', opened: true, operation: { kind: 'task', text: 'Pay.', dueAt: NOW + 1 } }),
		];
		const batch = batchOf(mixed, { ids: new Set(mixed.map(({ id }) => id)), anchor: null }, ({ opened }) => opened, NOW);
		expect(batch.all.map(({ id }) => id)).toEqual(['open', 'closed', 'stale', 'someday', 'soon']);
		expect(batch.approvable.map(({ id }) => id)).toEqual(['open', 'soon']);
		expect(batch).toMatchObject({
			unopened: [{ id: 'closed' }],
			unopenedExternal: true,
			stale: [{ id: 'stale' }],
			alone: [{ id: 'someday' }],
		});
	});
});

describe('lists that are kept by what is announced', () => {
	const list = [proposal({ id: 'a', createdAt: 1 }), proposal({ id: 'c', createdAt: 3 })];
	const ids = (proposals: readonly Proposal[]): string[] => proposals.map(({ id }) => id);

	test('one comes in its place, changes there, and goes when it is snoozed or decided', () => {
		const b = proposal({ id: 'b', createdAt: 2 });
		expect(ids(withChanges('pending', list, [b], NOW))).toEqual(['a', 'b', 'c']);
		expect(ids(withChanges('pending', list, [proposal({ id: 'a', snoozedUntil: NOW + 1 })], NOW))).toEqual(['c']);
		expect(ids(withChanges('pending', list, [proposal({ id: 'c', status: 'approved', decidedAt: 9 })], NOW))).toEqual(['a']);
		expect(ids(withChanges('decided', [], [proposal({ id: 'c', status: 'approved', decidedAt: 9 })], NOW))).toEqual(['c']);
		expect(ids(withChanges('snoozed', [], [proposal({ id: 'a', snoozedUntil: NOW + 1 })], NOW))).toEqual(['a']);
		// The last word of a batch counts.
		expect(ids(withChanges('pending', list, [proposal({ id: 'b', status: 'rejected' }), b], NOW))).toEqual(['a', 'b', 'c']);
	});

	test('where nothing of it changed it is the very same list', () => {
		expect(withChanges('pending', list, [proposal({ id: 'x', status: 'rejected' })], NOW)).toBe(list);
	});

	test('a snooze that is over is none', () => {
		expect(listOf({ status: 'pending', snoozedUntil: NOW - 1 }, NOW)).toBe('pending');
	});
});

describe('times', () => {
	test('this evening, tomorrow morning, Monday morning; no evening that is as good as here', () => {
		expect(snoozeUntil('evening', NOW)).toBe(new Date(2026, 2, 11, 18).getTime());
		expect(snoozeUntil('evening', new Date(2026, 2, 11, 17, 30).getTime())).toBeUndefined();
		expect(snoozeUntil('tomorrow', NOW)).toBe(new Date(2026, 2, 12, 8).getTime());
		expect(snoozeUntil('week', NOW)).toBe(new Date(2026, 2, 16, 8).getTime());
		expect(snoozeUntil('week', new Date(2026, 2, 16, 7).getTime())).toBe(new Date(2026, 2, 23, 8).getTime());
		expect(timeOf('')).toBeUndefined();
	});

	test('a task that says no time that is to come is asked for tomorrow morning, and what is chosen goes with the yes', () => {
		const tomorrow = new Date(2026, 2, 12, 8).getTime();
		const task = (dueAt: number | null) => proposal({ id: 't', operation: { kind: 'task', text: 'Pay.', dueAt } });
		expect(dueAtFor(task(NOW - 1), NOW)).toBe(tomorrow);
		expect(choicesFor(task(null), undefined, NOW)).toEqual({ dueAt: tomorrow });
		expect(choicesFor(task(NOW + 5), undefined, NOW)).toEqual({});
		expect(choicesFor(task(NOW + 5), { dueAt: NOW - 5 }, NOW)).toBe('incomplete');
		expect(choicesFor(proposal({ id: 'n' }), { validUntil: NOW }, NOW)).toEqual({});
	});
});
