import { expect, test } from 'vitest';
import { type Act, actText, withAct, withoutActs } from '../../../renderer/inbox/last-act.ts';
import { ProposalId } from '../../../src/domain/memory.ts';

const [first, second, third] = ['p1', 'p2', 'p3'].map((id) => ProposalId.parse(id)) as [ProposalId, ProposalId, ProposalId];
const approve: Act = { kind: 'approve', ids: [first], text: 'One.' };
const snooze: Act = { kind: 'snooze', ids: [second], text: 'Two.', before: null };
const batch: Act = { kind: 'reject', ids: [second, third] };

test('the last act is taken back, whatever it was: a snooze after a yes first, then the yes', () => {
	const acts = withAct(withAct([], approve), snooze);
	expect(acts.at(-1)).toBe(snooze);
	expect(withoutActs(acts, [second]).at(-1)).toEqual(approve);
	expect(withoutActs(withoutActs(acts, [second]), [first])).toEqual([]);
});

test('what was done to the same one before can’t be taken back any more; of a batch the others can', () => {
	expect(withAct([snooze], batch)).toEqual([batch]);
	expect(withAct([batch], snooze)).toEqual([{ ...batch, ids: [third] }, snooze]);
});

test('a toast names it by the beginning of its first line', () => {
	expect(actText('  Bins on Friday.\nAnd more.')).toBe('Bins on Friday.');
	expect(actText('a'.repeat(61))).toBe(`${'a'.repeat(60)}…`);
});
