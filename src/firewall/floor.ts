import type { Label } from '../domain/label.ts';
import type { Touch } from '../domain/sink.ts';
import type { EffectClass } from '../domain/tool.ts';
import type { Verdict } from './policy-rule.ts';

/** What no file can lower (B2, S2). Pure. */

export interface Floor {
	readonly verdict: Verdict;
	readonly rule: string;
	readonly reason: string;
}

/** `named`: a permission in force names it, for a step of this label and this job. `raised`: the detectors say that the arguments are dangerous there. */
export function floorOf(
	touch: Touch | undefined,
	{ effect, label, named, raised }: { effect: EffectClass; label: Label; named: boolean; raised: boolean },
): Floor | undefined {
	if (!touch) return effect === 'effectful' ? floor('ask', 'effect_without_scope', 'It changes something and can’t say what.') : undefined;
	switch (touch.sink) {
		case 'forget':
			return floor('hold', 'forget', 'Forgetting can’t be undone, so only you can do it.');
		case 'skill':
			return floor('hold', 'skill', 'A procedure guides later work, so you read it first.');
		case 'memory':
			if (label === 'external')
				return floor('hold', 'memory', 'The step that wants it has read text that you did not write and have not approved.');
			return raised ? floor('hold', 'memory_flagged', 'Its text holds something that you should see first.') : undefined;
		case 'message':
			return floor('ask', 'message', 'A message is shown to you whole before it leaves.');
		case 'shell':
			if (!touch.sandboxed) return floor('ask', 'no_sandbox', 'It would run without a sandbox, with all of your rights.');
			break;
		case 'file':
			if (touch.access === 'read') return undefined;
			break;
	}
	if (raised) return floor('ask', 'flagged', 'What it would send or write holds something that you should see first.');
	if (label === 'external' && !named)
		return floor('ask', 'outside_effect', 'It does something, and the step that wants it has read text from outside.');
	return undefined;
}

function floor(verdict: Verdict, rule: string, reason: string): Floor {
	return { verdict, rule: `floor_${rule}`, reason };
}
