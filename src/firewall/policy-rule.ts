import { z } from 'zod';
import { Label } from '../domain/label.ts';
import { RunKind } from '../domain/run.ts';
import { HELD_SINKS, Sink } from '../domain/sink.ts';
import { EffectClass } from '../domain/tool.ts';
import { isPattern } from './command-words.ts';
import { isFolder, isHost } from './rule-scope.ts';

/** From least to most strict. `hold`: the run goes on, and what was wanted waits as a proposal. `ask`: the run waits for the owner. */
export const VERDICTS = ['allow', 'hold', 'ask', 'deny'] as const;
export const Verdict = z.enum(VERDICTS);
export type Verdict = z.infer<typeof Verdict>;

/** `none`: a call of a tool that names no sink. */
export const RuleSink = z.enum(['none', ...Sink.options]);
export type RuleSink = z.infer<typeof RuleSink>;

function scope(isOne: (text: string) => boolean, words: string) {
	return z.array(z.string().min(1).max(4_000).refine(isOne, words)).min(1).max(100).optional();
}

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
		/** Files in these: `workspace`, a folder below it, or a whole path. */
		folders: scope(isFolder, 'Name a folder by its whole path, or as workspace/…, without “..”.'),
		/** Addresses there, and commands that name one of them; for `allow` none but them. */
		hosts: scope(isHost, 'Name a host as example.com or *.example.com, with a port where it is not the usual one.'),
		/** Whole commands in plain words; the last may be `*` for any more. */
		commands: scope(isPattern, 'Write a command in plain words; the last may be * for any more.'),
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
	})
	// The same could be written in many other ways.
	.refine(({ verdict, commands }) => verdict === 'allow' || commands === undefined, {
		path: ['commands'],
		error: 'Only allow can name commands: what is to be kept from running could be written in another way.',
	});
export type PolicyRule = z.infer<typeof PolicyRule>;

/** What is wanted there can wait as a proposal while the run goes on. */
export function waits(sink: RuleSink): boolean {
	return (HELD_SINKS as readonly RuleSink[]).includes(sink);
}

export function isStricter(verdict: Verdict, than: Verdict): boolean {
	return VERDICTS.indexOf(verdict) > VERDICTS.indexOf(than);
}
