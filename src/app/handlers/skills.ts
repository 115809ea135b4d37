import type { OwnersSkills } from '../../tools/skills/port.ts';
import type { Handlers } from '../router.ts';

/** `skills.*` of the contract: the owner's own doing. Proposals are decided in the inbox. */
export function createSkillsHandlers({ skills, liveSeq }: { skills: OwnersSkills; liveSeq: () => number }): Handlers['skills'] {
	return {
		list: async () => ({ ...(await skills.list()), seq: liveSeq() }),
		get: ({ name }) => skills.get(name),
		save: ({ name, text, baseHash }) => skills.write(name, text.endsWith('\n') ? text : `${text}\n`, baseHash),
		remove: ({ name, hash }) => skills.remove(name, hash),
		undo: ({ changeId }) => skills.undo(changeId),
	};
}
