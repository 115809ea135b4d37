import type { AuditDecision, AuditRecord } from '../../src/domain/audit.ts';
import type { IconName } from '../ui/icon.tsx';
import type { Say, StringId } from '../ui/strings.tsx';

/** Records in words. */

interface Mark {
	readonly state: 'done' | 'failed' | 'scheduled' | 'stale' | 'pending';
	readonly icon?: IconName;
}

export const DECISION_MARKS: Record<AuditDecision, Mark> = {
	allowed: { state: 'scheduled', icon: 'check' },
	shown: { state: 'scheduled', icon: 'check' },
	asked: { state: 'pending' },
	held: { state: 'pending' },
	refused: { state: 'failed' },
	failed: { state: 'failed' },
	approved: { state: 'done' },
	granted: { state: 'done' },
	written: { state: 'done' },
	done: { state: 'done' },
	rejected: { state: 'stale', icon: 'x' },
	revoked: { state: 'stale', icon: 'undo' },
	forgotten: { state: 'stale', icon: 'trash' },
};

const OWN_RULES: Readonly<Record<string, StringId>> = {
	'audit.broken': 'audit.rule.broken',
	'audit.forgotten': 'audit.rule.forgotten',
	'audit.restored': 'audit.rule.restored',
	'export.owner': 'audit.rule.exported',
};

/** “Memory write was held.” */
export function titleOf(say: Say, { sink, decision, rule }: AuditRecord): string {
	const own = OWN_RULES[rule];
	if (own !== undefined) return say(own);
	if (decision === 'written') return say('audit.written', { sink });
	return say('audit.words', { decision, what: say(`audit.what.${sink}`) });
}

export function fromOf(say: Say, { detail, rule }: AuditRecord): string {
	if (detail === null) return say('audit.forgotten');
	return detail.from === '' ? say(OWN_RULES[rule] ?? 'audit.log') : detail.from;
}

export function toOf(say: Say, { detail, sink }: AuditRecord): string {
	return detail === null || detail.to === '' ? say(`audit.sink.${sink}`) : detail.to;
}

export function reasonOf(say: Say, { detail, blanked }: AuditRecord): string {
	if (detail === null) return say('audit.forgottenDetail');
	if (!blanked) return detail.reason;
	return say('audit.reasonForgotten', { count: blanked.reduce((sum, [first, last]) => sum + last - first + 1, 0) });
}

/** The beginning of a hash, in groups that can be compared. */
export function shortHash(hash: string): string {
	return hash.slice(0, 16).replace(/(.{4})(?=.)/g, '$1 ');
}
