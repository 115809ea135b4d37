import type { Label } from '../domain/label.ts';
import type { EffectClass } from '../domain/tool.ts';

/** What tools may do: data, read from the top; the first rule that fits decides. No rule means no. */
export interface PolicyRule {
	readonly id: string;
	readonly effects: readonly EffectClass[];
	/** Left out: any label. */
	readonly labels?: readonly Label[];
	readonly verdict: 'allow' | 'ask' | 'deny';
	/** One sentence that the owner reads. */
	readonly reason: string;
}

export const POLICY: readonly PolicyRule[] = [
	{
		id: 'effectful_from_outside',
		effects: ['effectful'],
		labels: ['external'],
		verdict: 'ask',
		reason: 'It changes something, and this reply has read text that came from outside.',
	},
	{ id: 'effectful', effects: ['effectful'], verdict: 'ask', reason: 'It changes something, and it may not be possible to undo it.' },
	{ id: 'harmless', effects: ['pure', 'idempotent'], verdict: 'allow', reason: 'It only reads, or doing it twice changes nothing.' },
];

export interface PolicyDecision {
	readonly verdict: PolicyRule['verdict'];
	readonly rule: string;
	readonly reason: string;
}

export function decide(policy: readonly PolicyRule[], call: { effect: EffectClass; label: Label }): PolicyDecision {
	const rule = policy.find(({ effects, labels }) => effects.includes(call.effect) && (labels === undefined || labels.includes(call.label)));
	if (!rule) return { verdict: 'deny', rule: 'no_rule', reason: 'No rule allows it.' };
	return { verdict: rule.verdict, rule: rule.id, reason: rule.reason };
}
