import { pauseWork, resumeWork, showWork } from './commands/work.ts';
import type { CommandRoots } from './memory-commands.ts';

export function addWorkCommands({ group, withDoor }: CommandRoots): void {
	const work = group('work', 'work that goes on by itself: status, pause, resume');
	work.command('status').description('whether it is paused, when the next time is due, and what was spent').action(withDoor(showWork));
	work.command('pause').description('Pause all: timers and workflows wait, chats go on').action(withDoor(pauseWork));
	work
		.command('resume')
		.description('take Pause all back; where no app runs, also do what is due now')
		.action(withDoor(resumeWork, { takeUpRuns: true }));
}
