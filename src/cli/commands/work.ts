import type { WorkStatus } from '../../contract/methods/runs.ts';
import { allAtRest, budgetNotes, heldText, pausedText } from '../at-work.ts';
import { type CommandContext, dueText } from '../context.ts';
import { EXIT } from '../exit-codes.ts';

export async function showWork({ rpc, door, output }: CommandContext): Promise<number> {
	const status = await rpc.work.status();
	output.result(status, workText(status, door.own));
	return EXIT.ok;
}

export async function pauseWork({ rpc, output }: CommandContext): Promise<number> {
	const status = await rpc.work.pauseAll();
	output.result(status, pausedText(status));
	return EXIT.ok;
}

/** Where this command is the runtime, what is due is done before it ends. */
export async function resumeWork({ rpc, door, output }: CommandContext): Promise<number> {
	await rpc.work.resumeAll();
	if (door.own) await allAtRest(rpc);
	const status = await rpc.work.status();
	const done = door.own ? 'What was due is done, as far as it goes.' : 'Nothing is paused: what is due goes on.';
	output.result(status, `${done}\n\n${workText(status, door.own)}`);
	return EXIT.ok;
}

function workText(status: WorkStatus, nobody: boolean): string {
	const { held, timers, nextDueAt } = status;
	const free = nobody ? 'Nothing is paused, but Hearth does not run now: start the app, or `hearth web`.' : 'Nothing is paused.';
	return [
		status.paused ? pausedText(status) : held ? heldText(held) : free,
		...budgetNotes(status),
		`Timers: ${timers}${nextDueAt === undefined ? '' : `; the next is due ${dueText(nextDueAt)}`}`,
		'What was used: hearth work spending',
	].join('\n');
}
