import { dismissReminder, listReminders } from './commands/reminders.ts';
import { listSkills, removeSkill, showSkill } from './commands/skills.ts';
import type { CommandRoots } from './memory-commands.ts';

export function addSkillCommands({ group, withDoor }: CommandRoots): void {
	const skills = group('skills', 'procedures the agent may follow: list, show, remove');
	skills.command('list').description('what lies in skills/, and which of it the agent may use').action(withDoor(listSkills));
	skills
		.command('show <name>')
		.description('a skill, whole')
		.action((name: string) => withDoor((context) => showSkill(context, name))());
	skills
		.command('remove <name>')
		.description('take a skill away, after you have seen it')
		.action((name: string) => withDoor((context) => removeSkill(context, name))());
}

export function addReminderCommands({ group, withDoor }: CommandRoots): void {
	const reminders = group('reminders', 'what you are to be told at a time: list, dismiss');
	reminders.command('list').description('coming and due ones, by time').action(withDoor(listReminders));
	reminders
		.command('dismiss <reminder>')
		.description('do away with one: its id, or the beginning of it')
		.action((id: string) => withDoor((context) => dismissReminder(context, id))());
}
