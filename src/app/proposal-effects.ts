import type { ProposalEffects } from '../approvals/proposal-port.ts';
import { terminal } from '../domain/errors.ts';
import type { MemoryReceipt, Provenance } from '../domain/memory.ts';
import type { ProposalOperation, ProposalReceipt } from '../domain/proposal.ts';
import { LONGEST_REMINDER } from '../domain/reminder.ts';
import type { WriteGrant } from '../domain/write-grant.ts';
import { changeOfKey } from '../memory/change-store.ts';
import { entryHash } from '../memory/identity.ts';
import type { OpenMemory } from '../memory/memory.ts';
import type { Reminders } from '../tools/reminders/reminders.ts';
import type { ForgetActions } from './handlers/memory.ts';
import type { MemoryPartsDeps } from './memory.ts';

/** What the owner's decisions do: to memory, to skills, to their reminders. */

export interface EffectsDeps extends Pick<MemoryPartsDeps, 'db' | 'forget' | 'skills' | 'reminders'> {
	readonly memory: OpenMemory;
}

export function createEffects({ db, memory, forget, skills, reminders }: EffectsDeps): ProposalEffects {
	const { writer } = memory;
	return {
		hashText: entryHash,
		skillText: (name) => skills().textNow(name),
		isUnderWay: (key) => changeOfKey(db.read, key)?.status === 'intended' || skills().isUnderWay(key),
		apply: ({ operation, text, keep, validity }, write) => {
			switch (operation.kind) {
				case 'append': {
					const { file, headingPath } = operation;
					return writer.append({ ...write, validity, file, headingPath, text: text ?? operation.text });
				}
				case 'patch':
				case 'supersede': {
					const { entryId, baseHash } = operation;
					return writer[operation.kind]({ ...write, validity, entryId, baseHash, text: text ?? operation.text });
				}
				case 'forget':
					return forgetApproved(memory, forget(), write.grant, operation);
				case 'drift': {
					const { entryId, changeId } = operation;
					return writer.decideDrift({ ...write, entryId, changeId, keep, ...(text !== null && { text }) });
				}
				case 'skill':
					return skills().apply(operation, text ?? operation.text, write);
				case 'notice':
					return Promise.resolve({ outcome: 'noted' });
				case 'task':
					return remindOf(operation, text ?? operation.text, write, reminders());
			}
		},
		undo: async (receipt, write) => {
			switch (receipt.outcome) {
				case 'noted':
					return receipt;
				case 'reminder_set':
					reminders().dismiss(receipt.reminderId);
					return receipt;
				case 'skill':
					return skills().undo(receipt.changeId, write);
				default:
					return writer.undo({ ...write, changeId: receipt.changeId });
			}
		},
	};
}

/** The same key sets one reminder. Rejects with `invalid_input` for a time that is past, or none at all. */
async function remindOf(
	{ dueAt }: Extract<ProposalOperation, { kind: 'task' }>,
	text: string,
	{ key, provenance }: { key: string; provenance: Provenance },
	reminders: Pick<Reminders, 'set'>,
): Promise<ProposalReceipt> {
	if (dueAt === null) throw terminal('invalid_input', 'Choose when you want to be reminded of it.', { safe: 'It still waits.' });
	if (text.length > LONGEST_REMINDER)
		throw terminal('invalid_input', `A reminder has at most ${LONGEST_REMINDER} characters.`, {
			safe: 'It still waits.',
			action: 'Edit it to be shorter, then approve it.',
		});
	const reminder = reminders.set({ text, label: provenance.label, dueAt, stepKey: key });
	return { outcome: 'reminder_set', reminderId: reminder.id, dueAt: reminder.dueAt };
}

/** Also after a crash, when it may be done already: then the change that did it is found. */
async function forgetApproved(
	memory: OpenMemory,
	actions: ForgetActions,
	grant: WriteGrant,
	{ entryId, baseHash, file }: Extract<ProposalOperation, { kind: 'forget' }>,
): Promise<MemoryReceipt> {
	const done = () => memory.history({ entryId }, 100).find(({ kind }) => kind === 'forget');
	const before = done();
	if (!before) await actions.forget(grant, entryId, baseHash);
	const change = before ?? done();
	if (!change) throw terminal('not_found', 'The entry is not there any more, but it was not forgotten.', { action: 'Reject this.' });
	return { outcome: 'written', changeId: change.changeId, kind: 'forget', file, entryId, repeated: before !== undefined };
}
