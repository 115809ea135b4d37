import { z } from 'zod';
import { ChangeId } from '../../domain/memory.ts';
import { LONGEST_SKILL, Skill, SkillName, SkillReceipt } from '../../domain/skill.ts';
import { method } from './base.ts';

const Named = z.object({ name: SkillName });

/** Procedures in `skills/` (product.md). What a model proposes, and what is found there, is decided in the Inbox; here the owner looks and writes. */
export const skills = {
	/** By name. `ignored`: names in `skills/` that can't be skills. */
	list: method.output(z.object({ skills: z.array(Skill), ignored: z.array(z.string()), seq: z.number().int() })),
	/** `text`: SKILL.md, whole; empty where it can't be read. */
	get: method.input(Named).output(z.object({ skill: Skill, text: z.string() })),
	/** The owner's own words: usable at once. `baseHash`: of what they saw, null for a new one; `stale` where something else lies there. */
	save: method
		.input(Named.extend({ text: z.string().min(1).max(LONGEST_SKILL), baseHash: z.string().length(64).nullable() }))
		.output(SkillReceipt),
	/** SKILL.md goes; other files in its folder stay. `hash`: of what they saw. */
	remove: method.input(Named.extend({ hash: z.string().length(64) })).output(SkillReceipt),
	/** What was there before `save` or `remove`, while nothing else has changed it since. */
	undo: method.input(z.object({ changeId: ChangeId })).output(SkillReceipt),
};
