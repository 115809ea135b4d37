import type { Label } from '../domain/label.ts';
import type { EffectClass } from '../domain/tool.ts';
import type { Sink } from '../tools/port.ts';

/** What tools may do: data, read from the top; the first rule that fits decides. No rule means no. */
export interface PolicyRule {
	readonly id: string;
	readonly effects: readonly EffectClass[];
	/** Left out: only calls without a sink. */
	readonly sinks?: readonly Sink[];
	/** Left out: any label. */
	readonly labels?: readonly Label[];
	/** `hold`: the run goes on, and what it wanted waits for the owner as a proposal. */
	readonly verdict: 'allow' | 'hold' | 'ask' | 'deny';
	/** One sentence that the owner reads. */
	readonly reason: string;
}

export const POLICY: readonly PolicyRule[] = [
	{
		id: 'forget_is_the_owners',
		effects: ['idempotent'],
		sinks: ['forget'],
		verdict: 'hold',
		reason: 'Forgetting can’t be undone, so only you can do it.',
	},
	{
		id: 'memory_from_outside',
		effects: ['idempotent'],
		sinks: ['memory'],
		labels: ['workspace', 'external'],
		verdict: 'hold',
		reason: 'This reply has read text that you did not write and have not approved.',
	},
	{
		id: 'memory_by_agent',
		effects: ['idempotent'],
		sinks: ['memory'],
		verdict: 'allow',
		reason: 'Only your own words and what you approved were read for it, and it can be undone.',
	},
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

export interface PolicyCall {
	readonly effect: EffectClass;
	readonly sink?: Sink | undefined;
	/** The join over everything that the call was made from. */
	readonly label: Label;
}

export function decide(policy: readonly PolicyRule[], call: PolicyCall): PolicyDecision {
	const rule = policy.find(
		({ effects, sinks, labels }) =>
			effects.includes(call.effect) &&
			(call.sink === undefined ? sinks === undefined : sinks?.includes(call.sink) === true) &&
			(labels === undefined || labels.includes(call.label)),
	);
	if (!rule) return { verdict: 'deny', rule: 'no_rule', reason: 'No rule allows it.' };
	return { verdict: rule.verdict, rule: rule.id, reason: rule.reason };
}
