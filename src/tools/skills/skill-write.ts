import { z } from 'zod';
import { terminal } from '../../domain/errors.ts';
import { LONGEST_SKILL, LONGEST_SKILL_DESCRIPTION, SkillName } from '../../domain/skill.ts';
import { repairSurrogates } from '../../domain/text.ts';
import type { Tool } from '../port.ts';
import { skillFile } from './format.ts';
import type { SkillReader } from './port.ts';
import { checkSkill } from './write-path.ts';

const Arguments = z.object({
	name: SkillName.describe('Its folder below skills/: small letters, digits and hyphens.'),
	description: z.string().trim().min(1).max(LONGEST_SKILL_DESCRIPTION).describe('One line: what it is for and when to use it.'),
	text: z.string().trim().min(1).max(LONGEST_SKILL).describe('The procedure, in Markdown, without front matter.'),
	reason: z.string().trim().min(1).max(500).describe('Why it is worth keeping, in one sentence, for the owner.'),
});

/** Never writes: whatever has been read, the owner looks at a procedure before it counts (B2). */
export function skillWriteTool(skills: Pick<SkillReader, 'text'>): Tool<z.infer<typeof Arguments>> {
	return {
		name: 'skill_write',
		title: 'Propose a skill',
		description: 'Proposes a procedure for later work, or a new version of one, whole. It waits for the owner; go on without it.',
		schema: Arguments,
		sinks: ['skill'],
		effect: 'idempotent',
		timeoutMs: 10_000,
		outputCap: 4_000,
		touches: ({ name }) => [{ sink: 'skill', name }],
		run: async ({ name, description, text, reason }, { memory: leave }) => {
			if (!leave) throw terminal('tool_denied', 'Skills can’t be proposed here.');
			const whole = skillFile({ name, description: repairSurrogates(description), body: repairSurrogates(text) });
			checkSkill(whole, name);
			const before = await skills.text(name);
			if (before === whole) return { text: `The skill “${name}” says exactly that already.`, isError: false, summary: 'as it is' };
			const provenance = leave.provenance({ text: whole, reason });
			const receipt = leave.hold({ kind: 'skill', name, before, text: whole, found: false }, provenance);
			return {
				text: `Proposed. The skill “${name}” waits in the inbox; it can’t be used before the owner approves it.`,
				isError: false,
				summary: 'waits for the owner',
				receipts: [receipt],
			};
		},
	};
}
