import { z } from 'zod';
import type { Tool } from '../port.ts';
import type { SkillReader } from './port.ts';

export const READ_SKILL = 'read_skill';

const Arguments = z.object({ name: z.string().trim().min(1).max(100).describe('The name of the skill, as the list of skills has it.') });

/** Hands over a procedure as the owner approved it, and nothing else of its folder. */
export function readSkillTool(skills: Pick<SkillReader, 'read'>): Tool<z.infer<typeof Arguments>> {
	return {
		name: READ_SKILL,
		title: 'Read a skill',
		description: 'Reads a procedure that the owner lets you follow, as far as it fits what they ask.',
		schema: Arguments,
		sources: ['skill'],
		effect: 'pure',
		timeoutMs: 10_000,
		outputCap: 30_000,
		run: async ({ name }) => {
			const { text, label, hash, otherFiles, ...skill } = await skills.read(name);
			// Their names were approved by nobody.
			const note =
				otherFiles > 0 ? '\n[The owner has approved this text only: other files in its folder are not for you to read or run.]' : '';
			return {
				text: `${text}${note}`,
				isError: false,
				summary: skill.name,
				label,
				sources: [{ kind: 'skill', name: skill.name, label, hash }],
			};
		},
	};
}
