import type { TriggerName } from '../../domain/task.ts';
import type { CommandContext } from '../context.ts';
import { eventPayload, type WhoseWords } from '../event-payload.ts';
import { EXIT } from '../exit-codes.ts';
import { readInput } from '../read-input.ts';

/** `payload`: JSON, or else a text; `-`: from standard input. Fails where no task waits for it, so that a script notices a slip of the pen. */
export async function triggerTasks(
	{ rpc, door, output }: CommandContext,
	name: TriggerName,
	payload: string | undefined,
	whose: WhoseWords,
): Promise<number> {
	const given = payload === '-' ? (await readInput()).trim() : payload;
	const told = await rpc.tasks.trigger({ name, ...eventPayload(given, whose) });
	const count = told.tasks === 1 ? 'one task that waits for it' : `${told.tasks} tasks that wait for it`;
	output.result(told, told.tasks === 0 ? 'No task waits for that.' : `Told: ${count}.`);
	if (door.own && told.tasks > 0) output.note('Hearth is closed: it runs with the next start. See: hearth tasks history');
	return told.tasks === 0 ? EXIT.failed : EXIT.ok;
}
