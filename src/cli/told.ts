import type { HearthClient } from '../contract/contract.ts';
import type { LiveEvent } from '../contract/events.ts';
import { createLiveReader } from '../contract/live-reader.ts';
import type { Reminder } from '../domain/reminder.ts';
import { when } from './context.ts';
import { oneLine } from './memory-text.ts';
import type { Output } from './output.ts';

type Told = Extract<LiveEvent, { type: 'task_told' | 'reminder_due' }>;

const WHAT: Record<Extract<Told, { type: 'task_told' }>['what'], string> = {
	result: 'has a result',
	failed: 'failed',
	blocked: 'stopped, and needs you',
	missed: 'was missed',
	asks: 'was missed, and asks you',
};

/**
 * One line for each thing that Hearth would notify of: a reminder that is due, a task that ended or was missed. What a run said stands in none,
 * so no words of others get into a log. Resolves when it is stopped or the runtime ends.
 */
export function tellAsItComes(rpc: HearthClient, output: Output): { stop(): void; ended: Promise<void> } {
	const reader = createLiveReader({
		onEvent: (event) => {
			if (event.type !== 'task_told' && event.type !== 'reminder_due') return;
			output.line(toldValue(event));
			output.piece(`${when(Date.now())} ${toldText(event)}\n`);
		},
		// Nothing is shown but what comes.
		onSnapshotNeeded: () => {},
	});
	return { stop: () => reader.stop(), ended: reader.follow(rpc) };
}

/** Undefined where others' words are in it. */
function ownText({ label, text }: Reminder): string | undefined {
	return label === 'external' ? undefined : text;
}

function toldText(event: Told): string {
	if (event.type === 'reminder_due') {
		const text = ownText(event.reminder);
		return `${text === undefined ? 'A reminder is due' : `Reminder: ${oneLine(text, 200)}`} (hearth reminders list)`;
	}
	return `“${oneLine(event.title, 80)}” ${WHAT[event.what]}: hearth tasks history ${event.taskId}`;
}

function toldValue(event: Told): unknown {
	if (event.type === 'reminder_due') return { told: 'reminder', reminderId: event.reminder.id, text: ownText(event.reminder) };
	const { what, taskId, occurrenceId, title } = event;
	return { told: what, taskId, occurrenceId, title };
}
