import type { ProposalId } from '../../src/domain/memory.ts';
import { cutCodePoints } from '../../src/domain/text.ts';

/** What was done with one press, and can be taken back as one. `text`: what is told of it, where it is one. */
export type Act =
	| { readonly kind: 'approve' | 'reject'; readonly ids: readonly ProposalId[]; readonly text?: string }
	/** `before`: until when it was snoozed before, if it was. */
	| { readonly kind: 'snooze'; readonly ids: readonly ProposalId[]; readonly text: string; readonly before: number | null };

const SHOWN = 60;

/** Of a proposal's text what names it in a toast: its first line, or the beginning of it. */
export function actText(text: string): string {
	const line = text.trim().split('\n', 1)[0] ?? '';
	return line.length <= SHOWN ? line : `${cutCodePoints(line, SHOWN).trimEnd()}…`;
}

/** What was done to the same ones before can't be taken back any more. */
export function withAct(acts: readonly Act[], act: Act): Act[] {
	return [...withoutActs(acts, act.ids), act];
}

/** They wait again. */
export function withoutActs(acts: readonly Act[], ids: readonly ProposalId[]): Act[] {
	return acts.map((act) => ({ ...act, ids: act.ids.filter((id) => !ids.includes(id)) })).filter((act) => act.ids.length > 0);
}
