import type { HearthClient } from '../../src/contract/contract.ts';
import { createStrings } from '../../src/contract/strings/index.ts';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { call, shapeOf } from '../connection/index.ts';
import { queryClient } from '../shell/queries.ts';
import { showToast } from '../ui/toast.tsx';
import { leaveForms, useInboxUi } from './inbox-ui-store.ts';
import { canUndo } from './proposal-view.ts';

const strings = createStrings();

/** Forgetting reads every file of the profile. */
const LONG_MS = 60_000;

/** Resolves when the lists that are shown are as the runtime has them now; what fails is said by the list itself. */
function refreshInbox(): Promise<void> {
	return queryClient.invalidateQueries({ queryKey: ['inbox'] });
}

/** What waits, as it was last taken. */
export function waitingNow(): readonly Proposal[] {
	return queryClient.getQueryData<{ proposals: Proposal[] }>(['inbox', 'list', 'pending'])?.proposals ?? [];
}

/** One decision at a time for each. Undefined where it failed: the reason stands at the proposal, which waits as before. */
async function decide(
	id: ProposalId,
	work: (client: HearthClient) => Promise<Proposal>,
	done: (proposal: Proposal) => void,
): Promise<Proposal | undefined> {
	if (useInboxUi.getState().busy.includes(id)) return undefined;
	useInboxUi.setState(({ busy }) => ({ busy: [...busy, id], problem: null }));
	let decided: Proposal | undefined;
	try {
		decided = await call(work, { waitMs: LONG_MS });
		queryClient.setQueryData(['inbox', 'proposal', id], decided);
		done(decided);
	} catch (error) {
		useInboxUi.setState({ problem: { id, error: shapeOf(error) } });
	}
	useInboxUi.setState(({ busy }) => ({ busy: busy.filter((other) => other !== id) }));
	// Also after a failure: it may be another by now than what is shown.
	await refreshInbox();
	return decided;
}

function decided(proposal: Proposal, words: string): void {
	leaveForms();
	if (!canUndo(proposal)) {
		showToast(words);
		return;
	}
	useInboxUi.setState((state) => ({ decisions: [...state.decisions.filter((id) => id !== proposal.id), proposal.id] }));
	showToast(words, { label: strings('memory.undo'), run: () => void undoDecision(proposal.id) });
}

/** Says what the receipt says, never what was hoped for (mem-9). */
function approvedWords({ operation, receipt }: Proposal): string {
	if (operation.kind === 'forget') return strings('inbox.done.forgotten');
	if (receipt?.outcome === 'skill') return strings('inbox.done.skill', { name: receipt.name });
	return receipt?.outcome === 'written' ? strings('inbox.done.approved', { file: receipt.file }) : strings('inbox.done.kept');
}

/** `text`: as the owner edited it; what was proposed is kept beside it. */
export function approve({ id, shownHash }: Proposal, text?: string): Promise<Proposal | undefined> {
	return decide(
		id,
		(client) => client.inbox.approve({ proposalId: id, shownHash, ...(text === undefined ? {} : { text }) }),
		(proposal) => decided(proposal, approvedWords(proposal)),
	);
}

export function reject({ id, shownHash }: Proposal, reason: string): Promise<Proposal | undefined> {
	const why = reason.trim();
	return decide(
		id,
		(client) => client.inbox.reject({ proposalId: id, shownHash, ...(why === '' ? {} : { reason: why }) }),
		(proposal) => decided(proposal, strings('inbox.done.rejected')),
	);
}

/** Puts a stale proposal on what is there now; it has to be looked at again. */
export function rebase(id: ProposalId): Promise<Proposal | undefined> {
	return decide(
		id,
		(client) => client.inbox.rebase({ proposalId: id }),
		() => showToast(strings('inbox.done.rebased')),
	);
}

export async function undoDecision(id: ProposalId): Promise<void> {
	const undone = await decide(
		id,
		(client) => client.inbox.undo({ proposalId: id }),
		() => {
			useInboxUi.setState((state) => ({ decisions: state.decisions.filter((other) => other !== id) }));
			showToast(strings('inbox.done.undone'));
		},
	);
	const { problem } = useInboxUi.getState();
	// It may be asked for from where the proposal is not shown.
	if (!undone && problem?.id === id) showToast([problem.error.message, problem.error.action].filter(Boolean).join(' '));
}
