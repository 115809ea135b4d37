import { needsOwner, terminal } from '../../domain/errors.ts';
import { type Skill, SkillName } from '../../domain/skill.ts';
import { ask, atTerminal } from '../ask.ts';
import { type CommandContext, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine } from '../memory-text.ts';
import { printable, table } from '../output.ts';

const STATES: Record<Skill['state'], string> = {
	usable: 'usable',
	waits: 'waits in the inbox',
	refused: 'not allowed',
	broken: 'can’t be read',
};

export async function listSkills({ rpc, output }: CommandContext): Promise<number> {
	const { skills, ignored } = await rpc.skills.list();
	const rows = skills.map(({ name, state, label, description, problem }) => [
		name,
		STATES[state],
		state === 'usable' ? label : '',
		oneLine(problem ?? description, 80),
	]);
	const lines = [
		rows.length > 0 ? table([['NAME', 'STATE', 'LABEL', 'WHAT'], ...rows]) : 'There are no skills yet.',
		...(ignored.length > 0
			? [`Left alone, since their names can’t be those of skills: ${ignored.map((name) => oneLine(name, 80)).join(', ')}`]
			: []),
	];
	output.result({ skills, ignored }, lines.join('\n'));
	return EXIT.ok;
}

export async function showSkill({ rpc, output }: CommandContext, name: string): Promise<number> {
	const found = await rpc.skills.get({ name: named(name) });
	const { skill, text } = found;
	const about = [
		`skills/${skill.name}/SKILL.md  ${STATES[skill.state]}${skill.approvedAt === undefined ? '' : ` since ${when(skill.approvedAt)}`}`,
		...(skill.problem === undefined ? [] : [skill.problem]),
		...(skill.state === 'waits' ? ['Look at it with: hearth inbox list'] : []),
		...(skill.otherFiles > 0 ? [`${skill.otherFiles} other files lie beside it; the agent neither reads nor runs them.`] : []),
		'',
		text,
	];
	output.result(found, printable(about.join('\n')));
	return EXIT.ok;
}

/** The owner's own doing, at a terminal. */
export async function removeSkill({ rpc, output }: CommandContext, given: string): Promise<number> {
	if (!atTerminal())
		throw needsOwner('unauthorised', 'A skill is removed only by you, at a terminal or in the app.', {
			safe: 'Nothing happened.',
			action: 'Run this command in a terminal, or remove it in Hearth’s settings.',
		});
	const name = named(given);
	const { skill, text } = await rpc.skills.get({ name });
	process.stderr.write(`${printable(text)}\n\n`);
	const word = (await ask('Type “remove” to take the skill away; Enter leaves it: ')).trim().toLowerCase();
	if (word !== 'remove') {
		output.result(skill, 'Left as it is.');
		return EXIT.needsOwner;
	}
	output.result(await rpc.skills.remove({ name, hash: skill.hash }), `Removed. The agent no longer has the skill ${name}.`);
	return EXIT.ok;
}

function named(given: string): SkillName {
	const name = SkillName.safeParse(given);
	if (name.success) return name.data;
	throw terminal('not_found', `There is no skill named “${given.slice(0, 80)}”.`, { action: 'List them with: hearth skills list' });
}
