import { z } from 'zod';
import { Label } from '../domain/label.ts';
import { RunKind } from '../domain/run.ts';
import { HELD_SINKS, Sink } from '../domain/sink.ts';
import { EffectClass } from '../domain/tool.ts';

/** From least to most strict. `hold`: the run goes on, and what was wanted waits as a proposal. `ask`: the run waits for the owner. */
export const VERDICTS = ['allow', 'hold', 'ask', 'deny'] as const;
export const Verdict = z.enum(VERDICTS);
export type Verdict = z.infer<typeof Verdict>;

/** `none`: a call of a tool that names no sink. */
export const RuleSink = z.enum(['none', ...Sink.options]);
export type RuleSink = z.infer<typeof RuleSink>;

/** What may be done, as data. Rules are read from the top; the first that fits decides. What is left out fits all. */
export const PolicyRule = z
	.strictObject({
		id: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'Use small letters, digits and _, starting with a letter.'),
		sinks: z.array(RuleSink).min(1),
		/** Of a file. */
		access: z.enum(['read', 'write']).optional(),
		/** Of a call without a sink. */
		effects: z.array(EffectClass).min(1).optional(),
		/** Of the step that makes the call: the join over all it could see. */
		labels: z.array(Label).min(1).optional(),
		/** Whether a permission in force, or the owner's own words, name what is touched. */
		named: z.boolean().optional(),
		/** Of a command. */
		sandboxed: z.boolean().optional(),
		network: z.boolean().optional(),
		/** Names of tools; the last character may be `*`. */
		tools: z.array(z.string().min(1).max(100)).min(1).optional(),
		/** Kinds of work. */
		jobs: z.array(RunKind).min(1).optional(),
		verdict: Verdict,
		/** One sentence that the owner reads. */
		reason: z.string().trim().min(1).max(300),
	})
	.refine(({ verdict, sinks }) => verdict !== 'hold' || sinks.every(waits), {
		path: ['verdict'],
		error: 'Only memory, forget and skill can be held. Use ask.',
	});
export type PolicyRule = z.infer<typeof PolicyRule>;

/** What is wanted there can wait as a proposal while the run goes on. */
export function waits(sink: RuleSink): boolean {
	return (HELD_SINKS as readonly RuleSink[]).includes(sink);
}

export function isStricter(verdict: Verdict, than: Verdict): boolean {
	return VERDICTS.indexOf(verdict) > VERDICTS.indexOf(than);
}
