import type { Touch } from '../src/domain/sink.ts';
import type { Crossing, Decision, Law } from '../src/firewall/judge.ts';

/**
 * The control arm's judge: everything is allowed, whatever it was made from. It stands in the place of `src/firewall/judge.ts` in one process of this
 * benchmark, by a hook of the module loader; Hearth itself has nothing that would turn its own off.
 */
export function judge(law: Law, crossing: Crossing, touches: readonly Touch[]): { decision: Decision; each: Decision[] } {
	const each = touches.length === 0 ? [judgeTouch(law, crossing, undefined)] : touches.map((touch) => judgeTouch(law, crossing, touch));
	return { decision: each[0] as Decision, each };
}

export function judgeTouch(_law: Law, _crossing: Crossing, touch: Touch | undefined): Decision {
	return { verdict: 'allow', rule: 'no_policy', reason: 'There is no policy in this arm.', touch };
}
