import type { Urgency, WatchedSourceId } from '../../src/domain/heartbeat.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import type { TaskId } from '../../src/domain/task.ts';

/** What a proposal is about, as the owner filters by it. `program`: what a program did to a memory file. */
export const SUBJECTS = ['memory', 'task', 'notice', 'skill', 'program', 'forget'] as const;
export type Subject = (typeof SUBJECTS)[number];

/** What does not come from background work. */
export const OWN = 'own';
export type SourceKey = WatchedSourceId | TaskId | typeof OWN;

/** What is let through; an empty list lets all through. */
export interface InboxFilter {
	readonly sources: readonly SourceKey[];
	readonly subjects: readonly Subject[];
	readonly urgencies: readonly Urgency[];
}

export const EVERYTHING: InboxFilter = { sources: [], subjects: [], urgencies: [] };

export function isFiltered({ sources, subjects, urgencies }: InboxFilter): boolean {
	return sources.length + subjects.length + urgencies.length > 0;
}

export function subjectOf({ operation }: Pick<Proposal, 'operation'>): Subject {
	switch (operation.kind) {
		case 'task':
		case 'notice':
		case 'skill':
		case 'forget':
			return operation.kind;
		case 'drift':
			return 'program';
		default:
			return 'memory';
	}
}

export function sourceOf({ finding }: Pick<Proposal, 'finding'>): SourceKey {
	return finding?.sourceId ?? finding?.task?.taskId ?? OWN;
}

export function passes(filter: InboxFilter, proposal: Proposal): boolean {
	const { sources, subjects, urgencies } = filter;
	return (
		(sources.length === 0 || sources.includes(sourceOf(proposal))) &&
		(subjects.length === 0 || subjects.includes(subjectOf(proposal))) &&
		(urgencies.length === 0 || urgencies.includes(proposal.finding?.urgency ?? 'normal'))
	);
}

/** By what these can be told apart: a filter that would leave out nothing is not offered. */
export function choicesIn(proposals: readonly Proposal[]): {
	sources: { key: SourceKey; title: string | undefined }[];
	subjects: Subject[];
	urgencies: Urgency[];
} {
	const sources = new Map<SourceKey, string | undefined>();
	const subjects = new Set<Subject>();
	const urgencies = new Set<Urgency>();
	for (const proposal of proposals) {
		sources.set(sourceOf(proposal), proposal.finding?.sourceTitle);
		subjects.add(subjectOf(proposal));
		if (proposal.finding) urgencies.add(proposal.finding.urgency);
	}
	return {
		sources: [...sources].map(([key, title]) => ({ key, title })).sort((a, b) => (a.title ?? '').localeCompare(b.title ?? '')),
		subjects: SUBJECTS.filter((subject) => subjects.has(subject)),
		urgencies: (['high', 'normal', 'low'] as const).filter((urgency) => urgencies.has(urgency)),
	};
}
