import type { Label } from '../domain/label.ts';
import type { Touch } from '../domain/sink.ts';
import type { EffectClass } from '../domain/tool.ts';
import { OUTSIDE_EFFECT } from './outside-effect.ts';
import type { Verdict } from './policy-rule.ts';

/** What no file can lower (B2, S2). Pure. */

export interface Floor {
	readonly verdict: Verdict;
	readonly rule: string;
	readonly reason: string;
}

export const FLOORS = {
	forget: { verdict: 'hold', covers: 'Forgetting.', reason: 'Forgetting can’t be undone, so only you can do it.' },
	skill: { verdict: 'hold', covers: 'Writing a procedure.', reason: 'A procedure guides later work, so you read it first.' },
	memory: {
		verdict: 'hold',
		covers: 'Memory, where the step has read text from outside.',
		reason: 'This reply has read text that you did not write and have not approved.',
	},
	memory_flagged: {
		verdict: 'hold',
		covers: 'Memory, where the detectors rate the text as dangerous.',
		reason: 'Its text holds something that you should see first.',
	},
	message: { verdict: 'ask', covers: 'Every message.', reason: 'A message is shown to you whole before it leaves.' },
	task: {
		verdict: 'ask',
		covers: 'Every task that is to be scheduled.',
		reason: 'It would run by itself later, so you see its card first.',
	},
	no_sandbox: {
		verdict: 'ask',
		covers: 'Every command without a sandbox.',
		reason: 'It would run without a sandbox, with all of your rights.',
	},
	outside_effect: {
		verdict: 'ask',
		covers: 'Writing files, commands, network and tool servers, where the step has read text from outside and no permission names both.',
		reason: OUTSIDE_EFFECT,
	},
	flagged: {
		verdict: 'ask',
		covers: 'The same, where the detectors rate what would be sent or written as dangerous; no permission counts then.',
		reason: 'What it would send or write holds something that you should see first.',
	},
	effect_without_scope: {
		verdict: 'ask',
		covers: 'A tool that changes something and can’t say what.',
		reason: 'It changes something and can’t say what.',
	},
} as const satisfies Record<string, { verdict: Verdict; covers: string; reason: string }>;

export const FLOOR_PREFIX = 'floor_';
/** What it is that no permission helps against. */
export const FLAGGED = `${FLOOR_PREFIX}flagged`;

/** `named`: a permission in force names it, for a step of this label and this job. `raised`: the detectors say that the arguments are dangerous there. */
export function floorOf(
	touch: Touch | undefined,
	{ effect, label, named, raised }: { effect: EffectClass; label: Label; named: boolean; raised: boolean },
): Floor | undefined {
	if (!touch) return effect === 'effectful' ? floor('effect_without_scope') : undefined;
	switch (touch.sink) {
		case 'forget':
		case 'skill':
		case 'message':
		case 'task':
			return floor(touch.sink);
		case 'memory':
			if (label === 'external') return floor('memory');
			return raised ? floor('memory_flagged') : undefined;
		case 'shell':
			if (!touch.sandboxed) return floor('no_sandbox');
			break;
		case 'file':
			if (touch.access === 'read') return undefined;
			break;
	}
	if (raised) return floor('flagged');
	return label === 'external' && !named ? floor('outside_effect') : undefined;
}

function floor(name: keyof typeof FLOORS): Floor {
	const { verdict, reason } = FLOORS[name];
	return { verdict, rule: `${FLOOR_PREFIX}${name}`, reason };
}
