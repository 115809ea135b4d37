import type { HearthClient } from '../../src/contract/contract.ts';
import type { ApproveChoices } from '../../src/contract/methods/memory.ts';
import { createStrings } from '../../src/contract/strings/index.ts';
import type { SessionId } from '../../src/domain/ids.ts';
import type { ProposalId } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import { call, shapeOf } from '../connection/index.ts';
import { putProposals } from '../shell/proposals.ts';
import { queryClient } from '../shell/queries.ts';
import { showToast } from '../ui/toast.tsx';
import { leaveForms, useInboxUi } from './inbox-ui-store.ts';
import { type Act, actText, withAct, withoutActs } from './last-act.ts';
import { canUndo, rowText } from './proposal-view.ts';
import { NOTHING } from './selection.ts';

const strings = createStrings();

/** Forgetting reads every file of the profile; a batch is many decisions. */
const LONG_MS = 60_000;
/** Decided with one call: each of them is a transaction and a file, and the answer must come in time. */
const BATCH = 100;

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
		done(decided);
		// At once, and not only when it is announced: the next row is looked for in the list as it is now.
		putProposals(queryClient, [decided]);
	} catch (error) {
		useInboxUi.setState({ problem: { id, error: shapeOf(error) } });
		// It may be another by now than what is shown.
		void queryClient.invalidateQueries({ queryKey: ['inbox', 'proposal', id] });
	}
	useInboxUi.setState(({ busy }) => ({ busy: busy.filter((other) => other !== id) }));
	return decided;
}

function decided(proposal: Proposal, kind: 'approve' | 'reject', words: string): void {
	leaveForms();
	useInboxUi.setState(({ choices: { [proposal.id]: _, ...choices } }) => ({ choices }));
	if (canUndo(proposal)) remember({ kind, ids: [proposal.id], text: actText(rowText(proposal.operation)) }, words);
	else showToast(words);
}

function remember(act: Act, words: string): void {
	useInboxUi.setState((state) => ({ acts: withAct(state.acts, act) }));
	showToast(words, { label: strings('memory.undo'), run: () => void undoAct(act) });
}

/** Says what the receipt says, never what was hoped for (mem-9). */
function approvedWords({ operation, receipt }: Proposal): string {
	if (operation.kind === 'forget') return strings('inbox.done.forgotten');
	switch (receipt?.outcome) {
		case 'skill':
			return strings('inbox.done.skill', { name: receipt.name });
		case 'written':
			return strings('inbox.done.approved', { file: receipt.file });
		case 'reminder_set':
			return strings('inbox.done.reminder');
		case 'noted':
			return strings('inbox.done.noted');
		default:
			return strings('inbox.done.kept');
	}
}

/** `text`: as the owner edited it; what was proposed is kept beside it. `choices`: what goes with their yes. */
export function approve({ id, shownHash }: Proposal, text?: string, choices?: ApproveChoices): Promise<Proposal | undefined> {
	const more = { ...(text === undefined ? {} : { text }), ...(choices && Object.keys(choices).length > 0 ? { choices } : {}) };
	return decide(
		id,
		(client) => client.inbox.approve({ proposalId: id, shownHash, ...more }),
		(proposal) => decided(proposal, 'approve', approvedWords(proposal)),
	);
}

export function reject({ id, shownHash }: Proposal, reason: string): Promise<Proposal | undefined> {
	const why = reason.trim();
	return decide(
		id,
		(client) => client.inbox.reject({ proposalId: id, shownHash, ...(why === '' ? {} : { reason: why }) }),
		(proposal) => decided(proposal, 'reject', strings('inbox.done.rejected')),
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

/** `until` null: it waits again now. `words`: what is said when it is done. */
export function snooze({ id, operation, snoozedUntil }: Proposal, until: number | null, words: string): Promise<Proposal | undefined> {
	return decide(
		id,
		(client) => client.inbox.snooze({ proposalId: id, until }),
		() => {
			leaveForms();
			remember({ kind: 'snooze', ids: [id], text: actText(rowText(operation)), before: snoozedUntil ?? null }, words);
		},
	);
}

/** Decides all of these with one press; each is bound to what was shown. What was refused stays selected and says why in one word for all. */
export async function decideAll(proposals: readonly Proposal[], decision: 'approve' | 'reject'): Promise<boolean> {
	const ids = proposals.map(({ id }) => id);
	if (ids.length === 0 || ids.some((id) => useInboxUi.getState().busy.includes(id))) return false;
	useInboxUi.setState(({ busy }) => ({ busy: [...busy, ...ids], problem: null }));
	const done: Proposal[] = [];
	const refused: string[] = [];
	try {
		for (let from = 0; from < proposals.length; from += BATCH) {
			const some = proposals.slice(from, from + BATCH).map(({ id, shownHash }) => ({ proposalId: id, shownHash }));
			const result = await call((client) => client.inbox.decideAll({ proposals: some, decision }), { waitMs: LONG_MS });
			done.push(...result.decided);
			refused.push(...result.refused.map(({ error }) => [error.message, error.action].filter(Boolean).join(' ')));
		}
	} catch (error) {
		const { message, action } = shapeOf(error);
		refused.push([message, action].filter(Boolean).join(' '));
	}
	const decidedIds = done.map(({ id }) => id);
	useInboxUi.setState(({ busy, selection }) => ({
		busy: busy.filter((id) => !ids.includes(id)),
		selection: { ...selection, ids: new Set([...selection.ids].filter((id) => !decidedIds.includes(id))) },
	}));
	putProposals(queryClient, done);
	const words = [
		done.length > 0 ? strings(`inbox.done.batch.${decision}`, { count: done.length }) : '',
		refused.length > 0 ? strings('inbox.done.batch.refused', { count: refused.length, reason: refused[0] ?? '' }) : '',
	];
	const [only] = done;
	const text = done.length === 1 && only ? { text: actText(rowText(only.operation)) } : {};
	if (done.length > 0) remember({ kind: decision, ids: decidedIds, ...text }, words.filter(Boolean).join(' '));
	else showToast(words.filter(Boolean).join(' '));
	return done.length > 0;
}

/** Says what was taken back: it may not be what is shown. */
export async function undoAct(act: Act): Promise<void> {
	const before = act.kind === 'snooze' && act.before !== null && act.before > Date.now() ? act.before : null;
	const undone: Proposal[] = [];
	for (const proposalId of act.ids) {
		const proposal = await decide(
			proposalId,
			({ inbox }) => (act.kind === 'snooze' ? inbox.snooze({ proposalId, until: before }) : inbox.undo({ proposalId })),
			() => undefined,
		);
		if (proposal) undone.push(proposal);
	}
	const back = undone.map(({ id }) => id);
	useInboxUi.setState((state) => ({ acts: withoutActs(state.acts, back), selection: NOTHING }));
	const { problem } = useInboxUi.getState();
	// It may be asked for from where the proposal is not shown.
	if (problem && act.ids.includes(problem.id)) showToast([problem.error.message, problem.error.action].filter(Boolean).join(' '));
	else if (undone.length > 0) showToast(undoneWords(act, undone.length, before !== null));
}

function undoneWords({ kind, text }: Act, count: number, isSnoozed: boolean): string {
	if (kind === 'snooze' && isSnoozed) return strings('inbox.done.snoozedAsBefore', { text });
	return strings('inbox.done.undone', { count, kind, text: text ?? '' });
}

/** The runtime is told what the owner has open: only then a batch may approve text from outside (B3). */
export async function tellOpened({ id, shownHash }: Proposal): Promise<void> {
	try {
		const opened = await call((client) => client.inbox.opened({ proposalId: id, shownHash }), { repeatable: true });
		putProposals(queryClient, [opened]);
	} catch {
		// It is another by now, and is told when that one is shown; or there is no connection. A batch then asks for it to be opened: nothing is lost.
	}
}

/**
 * A new chat about it, marked external; `allow`: the question that the owner said yes to. Undefined where it failed, and the reason stands at the
 * proposal, or where the owner is asked first.
 */
export async function discuss(proposal: Proposal, allow?: string): Promise<SessionId | undefined> {
	const { id } = proposal;
	const requestId = crypto.randomUUID();
	try {
		const begun = await call((client) => client.inbox.discuss({ proposalId: id, requestId, allow }), { repeatable: true });
		useInboxUi.setState({ sending: 'asks' in begun ? { proposal, question: begun.asks } : null });
		return 'asks' in begun ? undefined : begun.sessionId;
	} catch (error) {
		useInboxUi.setState({ problem: { id, error: shapeOf(error) }, sending: null });
		return undefined;
	}
}
