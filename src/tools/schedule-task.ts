import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { terminal } from '../domain/errors.ts';
import type { SessionId, Timestamp } from '../domain/ids.ts';
import { joinLabels, type Label } from '../domain/label.ts';
import { LocalTime, Zone } from '../domain/schedule.ts';
import type { Touch, TouchOf } from '../domain/sink.ts';
import { type TaskCard, TaskDraft, type TaskId } from '../domain/task.ts';
import { cutCodePoints, repairSurrogates } from '../domain/text.ts';
import { cardOf } from '../schedule/card.ts';
import { readSentence } from '../schedule/sentence/read.ts';
import type { KnownSource } from '../schedule/sentence/triggers.ts';
import { nextSlot } from '../schedule/slots.ts';
import type { Tool } from './port.ts';

/** Small: each model is told of it in each prompt. What these fields can't say, a sentence does. */
const Arguments = z.object({
	sentence: z
		.string()
		.trim()
		.min(1)
		.max(2_000)
		.optional()
		.describe('When and what, in English: “every weekday at 9:00 summarise my unread mail”.'),
	at: LocalTime.optional().describe('In place of sentence: once, 2026-12-03T09:00.'),
	cron: z.string().trim().min(1).max(200).optional().describe('Or again and again: 5 fields.'),
	zone: Zone.optional().describe('Of at or cron, only where the owner named one.'),
	prompt: z.string().trim().min(1).max(20_000).optional().describe('With at or cron: what you do then.'),
	remind: z.string().trim().min(1).max(1_000).optional().describe('Or: what the owner is told then.'),
	title: z.string().trim().min(1).max(100).optional(),
});
type Arguments = z.infer<typeof Arguments>;

const TITLE_CHARS = 60;
const EITHER = 'Give either sentence, or exactly one of at and cron with exactly one of prompt and remind.';

export interface ScheduleTaskDeps {
	readonly clock: Pick<Clock, 'now'>;
	/** The owner's time zone. */
	readonly zone: () => string;
	/** That a sentence may name. */
	readonly sources: () => readonly KnownSource[];
	/** Throws where the task can't be: a workflow that does not exist, a path that is shut. */
	readonly check: (draft: TaskDraft) => void;
	/** The same key makes one task, whatever crashes (R2). */
	readonly make: (task: { draft: TaskDraft; label: Label; sessionId: SessionId; makeKey: string }) => Promise<TaskId>;
}

/** Makes nothing before the owner has seen the card and said yes to exactly that: a floor that no policy and no permission lowers. */
export function scheduleTaskTool({ clock, zone, sources, check, make }: ScheduleTaskDeps): Tool<Arguments> {
	const cardAt = (args: Arguments, readAt: Timestamp): TaskCard => cardOf(draftOf(args, readAt), { now: readAt, zone: zone() });
	const draftOf = (args: Arguments, readAt: Timestamp): TaskDraft =>
		args.sentence === undefined ? structured(args) : fromSentence(args, { now: readAt, zone: zone(), sources: sources() });
	return {
		name: 'schedule_task',
		title: 'Schedule a task',
		description:
			'Has something done later, again and again, or when something happens (“when a PDF lands in ~/Scans file it”, “every Monday at 9:00 run the workflow x”). The owner sees a card and decides; nothing exists before. Where it says that something is not clear, ask the owner and call again with what they chose. For one reminder at one time use remind.',
		schema: Arguments,
		sinks: ['task'],
		effect: 'idempotent',
		timeoutMs: 15_000,
		outputCap: 4_000,
		touches: (args, { before }) => {
			// “In an hour” counts from when the owner was shown it.
			const readAt = before?.find(isTask)?.readAt ?? clock.now();
			const draft = draftOf(args, readAt);
			check(draft);
			const card = cardOf(draft, { now: readAt, zone: zone() });
			return [{ sink: 'task', title: draft.title, restated: card.restated, zone: card.zone, readAt, shownHash: card.shownHash }];
		},
		card: (args, touches) => {
			const touch = touches.find(isTask);
			return touch && cardAt(args, touch.readAt);
		},
		run: async (args, { touches, label, sessionId, idempotencyKey }) => {
			const touch = touches.find(isTask);
			const card = touch && cardAt(args, touch.readAt);
			if (!touch || card?.shownHash !== touch.shownHash)
				throw terminal('tool_denied', 'The task is not the one that the owner was shown.', { safe: 'Nothing was scheduled.' });
			const { draft } = card;
			if (draft.when.kind === 'schedule' && !nextSlot(draft.when.schedule, clock.now(), { zone: zone() }))
				throw terminal('invalid_input', 'All of its times passed while the question waited.', {
					safe: 'Nothing was scheduled.',
					action: 'Ask the owner for another time.',
				});
			// The owner's yes to the card lifts what came from outside; less tainted words stay what they are.
			const trust = label === 'external' ? 'approved' : joinLabels('agent', label);
			await make({ draft, label: trust, sessionId, makeKey: idempotencyKey });
			return { text: `Scheduled. ${card.restated} The owner sees it under Tasks.`, isError: false, summary: draft.title };
		},
	};
}

function isTask(touch: Touch): touch is TouchOf<'task'> {
	return touch.sink === 'task';
}

function fromSentence(
	{ sentence = '', at, cron, prompt, remind, title }: Arguments,
	options: { now: Timestamp; zone: string; sources: readonly KnownSource[] },
): TaskDraft {
	if (at ?? cron ?? prompt ?? remind) throw terminal('invalid_input', EITHER);
	const reading = readSentence(repairSurrogates(sentence), options);
	switch (reading.kind) {
		case 'draft':
			return title === undefined ? reading.draft : { ...reading.draft, title: repairSurrogates(title) };
		case 'asks':
			throw terminal(
				'invalid_input',
				`That may mean more than one thing, so nothing was scheduled. Ask the owner: ${reading.question} Then call again with the sentence of what they choose:\n${reading.choices.map(({ text, sentence: one }) => `- ${text}: ${one}`).join('\n')}`,
			);
		case 'unclear':
			throw terminal(
				'invalid_input',
				`${reading.message} Nothing was scheduled.${reading.action === undefined ? '' : ` ${reading.action}`}`,
			);
	}
}

function structured({ at, cron, zone, prompt, remind, title }: Arguments): TaskDraft {
	const text = prompt ?? remind;
	const timing = at !== undefined ? { kind: 'at', local: at, zone } : { kind: 'cron', expression: cron, zone };
	if (text === undefined || (at === undefined) === (cron === undefined) || (prompt !== undefined && remind !== undefined))
		throw terminal('invalid_input', EITHER);
	const words = repairSurrogates(text);
	const draft = TaskDraft.safeParse({
		title: repairSurrogates(title ?? cutCodePoints(words.replace(/\s+/g, ' '), TITLE_CHARS)),
		when: { kind: 'schedule', schedule: { timing } },
		work: { kind: prompt !== undefined ? 'prompt' : 'reminder', text: words },
	});
	if (draft.success) return draft.data;
	throw terminal('invalid_input', draft.error.issues[0]?.message ?? 'The task can’t be read.');
}
