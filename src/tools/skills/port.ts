import type { Label } from '../../domain/label.ts';
import type { ChangeId, Provenance } from '../../domain/memory.ts';
import type { ProposalOperation } from '../../domain/proposal.ts';
import type { Skill, SkillName, SkillReceipt } from '../../domain/skill.ts';

export type SkillOperation = Extract<ProposalOperation, { kind: 'skill' }>;

/** What a model is offered: enough to choose by. */
export interface OfferedSkill {
	readonly name: SkillName;
	readonly description: string;
	/** `approved`, or `owner` where the owner wrote it in Hearth. */
	readonly label: Label;
	readonly hash: string;
}

export interface WholeSkill extends OfferedSkill {
	/** SKILL.md, whole. */
	readonly text: string;
	/** Files beside SKILL.md: nobody approved them. */
	readonly otherFiles: number;
}

/** What tools and prompts reach of skills: only bytes that the owner approved (S1). */
export interface SkillReader {
	/** By name. Looks at the disk; what changed there is no longer offered, and waits in the Inbox. */
	offered(): Promise<OfferedSkill[]>;
	/** Rejects with `not_found`, or `tool_denied` where the owner has not approved what lies there. */
	read(name: string): Promise<WholeSkill>;
	/** What lies there, approved or not; null where there is none. Only to be shown to the owner, as what would change. */
	text(name: SkillName): Promise<string | null>;
}

/** What the owner's decisions do. Each rejects with a HearthError and then changed nothing; the same key never does it twice. */
export interface SkillEffects {
	apply(operation: SkillOperation, text: string, write: { key: string; provenance: Provenance }): Promise<SkillReceipt>;
	undo(changeId: ChangeId, write: { key: string }): Promise<SkillReceipt>;
	/** Whether what was begun under this key is not at its end. */
	isUnderWay(key: string): boolean;
	textNow(name: SkillName): string | null;
}

/** The owner's own reach: Settings, a terminal. */
export interface OwnersSkills {
	list(): Promise<{ skills: Skill[]; ignored: string[] }>;
	get(name: SkillName): Promise<{ skill: Skill; text: string }>;
	/** The owner's own words: usable at once. `baseHash`: of what they saw; null where there was none. Rejects with `stale`. */
	write(name: SkillName, text: string, baseHash: string | null): Promise<SkillReceipt>;
	/** SKILL.md goes; files beside it stay. Rejects with `stale`. */
	remove(name: SkillName, hash: string): Promise<SkillReceipt>;
	/** Rejects with `stale` where it was changed since. */
	undo(changeId: ChangeId): Promise<SkillReceipt>;
}

export interface Skills extends SkillReader, OwnersSkills {
	readonly effects: SkillEffects;
	/** Brings what a crash cut off to its end, then looks at the disk. Never rejects for what hinders one. */
	settle(): Promise<void>;
	idle(): Promise<void>;
}
