import { terminal } from '../../domain/errors.ts';
import type { Reminder } from '../../domain/reminder.ts';
import { type CommandContext, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine } from '../memory-text.ts';
import { table } from '../output.ts';
import { shortIds } from '../short-ids.ts';

export async function listReminders({ rpc, output }: CommandContext): Promise<number> {
	const { reminders } = await rpc.reminders.list({ limit: 500 });
	const short = shortIds(reminders.map(({ id }) => id));
	const rows = reminders.map(({ id, dueAt, toldAt, label, text }) => [
		short(id),
		when(dueAt),
		toldAt === undefined ? 'coming' : 'due',
		label,
		oneLine(text, 80),
	]);
	output.result(reminders, rows.length > 0 ? table([['ID', 'WHEN', 'STATE', 'LABEL', 'TEXT'], ...rows]) : 'There are no reminders.');
	return EXIT.ok;
}

export async function dismissReminder({ rpc, output }: CommandContext, given: string): Promise<number> {
	const { reminders } = await rpc.reminders.list({ limit: 500 });
	const reminder = found(reminders, given);
	output.result(await rpc.reminders.dismiss({ reminderId: reminder.id }), `Dismissed: ${oneLine(reminder.text, 200)}`);
	return EXIT.ok;
}

function found(reminders: readonly Reminder[], given: string): Reminder {
	const matches = given === '' ? [] : reminders.filter(({ id }) => id.startsWith(given));
	if (matches.length === 1 && matches[0]) return matches[0];
	throw terminal(
		'not_found',
		matches.length > 1 ? `“${given}” fits ${matches.length} of them.` : `There is no reminder with the id “${given.slice(0, 80)}”.`,
		{ action: 'List them with: hearth reminders list' },
	);
}
