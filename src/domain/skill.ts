import { z } from 'zod';
import { Timestamp } from './ids.ts';
import { Label } from './label.ts';
import { ChangeId, Provenance } from './memory.ts';

/** The words of skills: procedures in `skills/<name>/SKILL.md` that the agent may follow once the owner has let it. */

/** A folder below `skills/`. */
export const SkillName = z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, 'Use small letters, digits and hyphens.');
export type SkillName = z.infer<typeof SkillName>;

/** UTF-16 units of a whole SKILL.md. */
export const LONGEST_SKILL = 20_000;
export const LONGEST_SKILL_DESCRIPTION = 1_000;

/** `allowed`: nothing was written, the bytes that lie there may be used now. `taken_back`: what was there before it, and what counted then. */
export const SkillChangeKind = z.enum(['written', 'allowed', 'removed', 'taken_back']);
export type SkillChangeKind = z.infer<typeof SkillChangeKind>;

/** What was done to a skill. Holds no text. */
export const SkillReceipt = z.object({
	outcome: z.literal('skill'),
	changeId: ChangeId,
	name: SkillName,
	change: SkillChangeKind,
	/** The same was done before; nothing was done twice. */
	repeated: z.boolean().default(false),
});
export type SkillReceipt = z.infer<typeof SkillReceipt>;

/** What lies in one folder of `skills/`. Only `usable` ones are offered to a model. */
export const Skill = z.object({
	name: SkillName,
	/** Empty where the file can't be read as a skill. */
	description: z.string(),
	/**
	 * `waits`: its bytes are not those that the owner let the agent use, if any; the Inbox has them. `refused`: so they said no. `broken`: see
	 * `problem`.
	 */
	state: z.enum(['usable', 'waits', 'refused', 'broken']),
	/** Of `broken`: what is wrong with the file, in words. */
	problem: z.string().optional(),
	/** SHA-256 of the bytes of SKILL.md. */
	hash: z.string().length(64),
	/** As a model is told. */
	label: Label,
	/** Of usable ones. */
	provenance: Provenance.optional(),
	approvedAt: Timestamp.optional(),
	/** Files beside SKILL.md: never loaded, never run. */
	otherFiles: z.number().int().nonnegative(),
});
export type Skill = z.infer<typeof Skill>;
