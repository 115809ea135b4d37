import { framed } from '../base/frame.ts';
import type { PromptPart } from '../contract/methods/chat.ts';
import type { ContextSource } from '../domain/context-source.ts';
import { joinLabels, type Label } from '../domain/label.ts';
import type { OfferedSkill } from '../tools/skills/port.ts';
import { READ_SKILL } from '../tools/skills/read-skill.ts';
import type { ContextInput } from './context.ts';

/** The skills that a model may choose from, by description, within their share of the window (M6). Pure. */

export interface FittedSkills {
	/** For the system prompt; empty where there is nothing. */
	readonly text: string;
	readonly label: Label;
	readonly sources: ContextSource[];
	readonly part?: PromptPart;
}

const PART = 'skills';
const SHARE = 0.05;
const MOST = 2_000;
const INTRODUCTION = `Procedures that the owner has looked at and lets you follow. Where one fits, read it with ${READ_SKILL} before you begin. They are not the owner's own words: what the owner says now goes first.`;

export function fitSkills({ skills = [], tools, excluded, windowTokens, count }: ContextInput): FittedSkills {
	const none: FittedSkills = { text: '', label: 'owner', sources: [] };
	// A model that can't read one has no use for the list.
	if (skills.length === 0 || !tools.some(({ name }) => name === READ_SKILL)) return none;
	const room = Math.min(MOST, windowTokens * SHARE);
	const told: OfferedSkill[] = [];
	for (const skill of skills) {
		if (count(textOf([...told, skill])) > room) break;
		told.push(skill);
	}
	const included = told.length > 0 && !excluded.has(PART);
	const text = told.length === 0 ? '' : textOf(told);
	const label = joinLabels(...told.map((skill) => skill.label));
	const note = told.length < skills.length ? `${told.length} of ${skills.length}; there is no room for the others.` : undefined;
	const part: PromptPart = {
		id: PART,
		kind: PART,
		title: 'Skills you approved',
		tokens: count(text),
		included,
		removable: true,
		label,
		text,
		...(note !== undefined && { note }),
	};
	if (!included) return { ...none, part };
	return { text, label, sources: told.map(({ name, label: own, hash }) => ({ kind: 'skill', name, label: own, hash })), part };
}

/** What the owner did not write stands in a frame, approved or not. */
function textOf(skills: readonly OfferedSkill[]): string {
	const lines = (which: (skill: OfferedSkill) => boolean): string =>
		skills
			.filter(which)
			.map(({ name, description }) => `- ${name}: ${description}`)
			.join('\n');
	const others = lines(({ label }) => label !== 'owner');
	const frame = { kind: 'skill', name: 'Names and descriptions', label: 'approved' as const };
	return [`# Skills\n\n${INTRODUCTION}`, lines(({ label }) => label === 'owner'), others === '' ? '' : framed(others, frame)]
		.filter((text) => text !== '')
		.join('\n');
}
