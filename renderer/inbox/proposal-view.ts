import { joinLabels, type Label } from '../../src/domain/label.ts';
import type { Source } from '../../src/domain/memory.ts';
import type { Proposal, ProposalOperation } from '../../src/domain/proposal.ts';

/** What a proposal is called. What a program did is told apart by what became of the text. */
export type Kind =
	| 'append'
	| 'patch'
	| 'supersede'
	| 'forget'
	| 'drift_added'
	| 'drift_changed'
	| 'drift_removed'
	| 'notice'
	| 'task'
	| SkillKind;
type SkillKind = 'skill_new' | 'skill_changed' | 'skill_found';

export function kindOf(operation: ProposalOperation): Kind {
	if (operation.kind === 'skill') return operation.found ? 'skill_found' : operation.before === null ? 'skill_new' : 'skill_changed';
	if (operation.kind !== 'drift') return operation.kind;
	if (operation.text === null) return 'drift_removed';
	return operation.before === null ? 'drift_added' : 'drift_changed';
}

/** What is in memory now and would not be any more; null where nothing goes. */
export function textBefore(operation: ProposalOperation): string | null {
	return 'before' in operation ? operation.before : null;
}

/** What would be there; null where the text is only taken out. */
export function textAfter(operation: ProposalOperation): string | null {
	return operation.kind === 'forget' ? null : operation.text;
}

/** The one text that a row shows: what would come, else what would go. */
export function rowText(operation: ProposalOperation): string {
	return textAfter(operation) ?? textBefore(operation) ?? '';
}

/** How the text would be marked in memory after a yes (B4): outside text is approved then, and stays outside text. */
export function labelAfter({ label, provenance }: Pick<Proposal, 'label' | 'provenance'>): Label {
	const origin = joinLabels(label, provenance.origin);
	return origin === 'external' ? 'approved' : origin;
}

/** Characters of a text that a row shows whole. */
const SHOWN_IN_ROW = 140;

/** It must be seen as a whole before a yes counts: outside text, what can't be undone, and what does not fit its row (B3). */
export function mustBeOpened({ label, operation }: Pick<Proposal, 'label' | 'operation'>): boolean {
	return label !== 'owner' || operation.kind === 'forget' || textBefore(operation) !== null || rowText(operation).length > SHOWN_IN_ROW;
}

/** What was seen: the very content, so that a proposal that changed has to be looked at again. */
export function seenKey({ id, shownHash }: Pick<Proposal, 'id' | 'shownHash'>): string {
	return `${id}:${shownHash}`;
}

export function canEdit({ operation, status, stale }: Pick<Proposal, 'operation' | 'status' | 'stale'>): boolean {
	// What was found lies there as it is: to change it is to write it, in the settings or with any editor.
	const isFound = operation.kind === 'skill' && operation.found;
	return status === 'pending' && !stale && !isFound && textAfter(operation) !== null;
}

/** A decision can be taken back, but for what was forgotten. */
export function canUndo({ operation, status }: Pick<Proposal, 'operation' | 'status'>): boolean {
	return status !== 'pending' && !(operation.kind === 'forget' && status === 'approved');
}

/** The row to go to when this one leaves the list: of those that are left the next one, else the one before, else the first. */
export function neighbour<Row extends { readonly id: string }>(before: readonly Row[], left: readonly Row[], id: string): Row | undefined {
	const at = before.findIndex((row) => row.id === id);
	const near = at < 0 ? [] : [...before.slice(at + 1), ...before.slice(0, at).reverse()];
	const others = left.filter((row) => row.id !== id);
	return near.map((row) => others.find((other) => other.id === row.id)).find((row) => row !== undefined) ?? others[0];
}

/** The row that is `by` rows from this one, within the list; without one, the first. */
export function stepped<Row extends { readonly id: string }>(rows: readonly Row[], id: string | undefined, by: number): Row | undefined {
	const at = rows.findIndex((row) => row.id === id);
	return at < 0 ? rows[0] : rows[Math.min(rows.length - 1, Math.max(0, at + by))];
}

export interface Age {
	readonly unit: 'now' | 'minute' | 'hour' | 'day' | 'week';
	readonly count: number;
}

const STEPS = [
	['week', 7 * 86_400_000],
	['day', 86_400_000],
	['hour', 3_600_000],
	['minute', 60_000],
] as const;

/** How long ago, in the largest whole unit. Times in milliseconds. */
export function ageOf(at: number, now: number): Age {
	const passed = Math.max(0, now - at);
	for (const [unit, length] of STEPS) if (passed >= length) return { unit, count: Math.floor(passed / length) };
	return { unit: 'now', count: 0 };
}

/** A source in a few words, for a chip. */
export function sourceName(source: Source): string {
	switch (source.kind) {
		case 'message':
			return source.sessionTitle;
		case 'finding':
			return source.title;
		case 'url':
			return URL.canParse(source.url) ? new URL(source.url).host : source.url;
		case 'file':
			return source.path;
		case 'tool':
			return source.name;
		case 'entry':
			return source.quote;
		default:
			return source satisfies never;
	}
}

/** The source that says most: what came from outside before the chat it came through. */
export function chipSource(sources: readonly Source[]): Source | undefined {
	return sources.find(({ kind }) => kind !== 'message') ?? sources[0];
}
