import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import { terminal } from '../domain/errors.ts';
import type { SessionId, Timestamp } from '../domain/ids.ts';
import { joinLabels, type Label } from '../domain/label.ts';
import { LocalTime, Schedule, Zone } from '../domain/schedule.ts';
import type { Touch, TouchOf } from '../domain/sink.ts';
import { type TaskCard, TaskDraft, type TaskId, Trigger } from '../domain/task.ts';
import { repairSurrogates } from '../domain/text.ts';
import { cardOf } from '../schedule/card.ts';
import { readSentence } from '../schedule/sentence/read.ts';
import type { KnownSource } from '../schedule/sentence/triggers.ts';
import { nextSlot } from '../schedule/slots.ts';
import type { Tool } from './port.ts';

const When = z
	.object({
		at: LocalTime.optional().describe('Once, on the clock on the wall: 2026-12-03T09:00.'),
		every_minutes: z.number().int().min(1).max(10_080).optional().describe('Each so many minutes, from now on.'),
		cron: z.string().trim().min(1).max(200).optional().describe('A cron expression of 5 fields: 0 9 * * 1-5.'),
		rrule: z.string().trim().min(1).max(1_000).optional().describe('An RRULE without its name, with start: FREQ=MONTHLY;BYDAY=-1FR.'),
		start: LocalTime.optional().describe('Of rrule: its first time.'),
		zone: Zone.optional().describe('An IANA time zone, only where the owner named one.'),
		event: Trigger.optional().describe('In place of a time: what sets it off.'),
	})
	.describe('In place of sentence, exactly one of at, every_minutes, cron, rrule with start, event.');

const Arguments = z.object({
	sentence: z
		.string()
		.trim()
		.min(1)
		.max(2_000)
		.optional()
		.describe('When and what, in English, best in the owner’s own words: “every weekday at 9:00 summarise my unread mail”.'),
	when: When.optional(),
	prompt: z
		.string()
		.trim()
		.min(1)
		.max(20_000)
		.optional()
		.describe('With when: what you are to do each time, so that it makes sense by itself.'),
	remind: z.string().trim().min(1).max(1_000).optional().describe('With when, in place of prompt: what to remind the owner of.'),
	workflow: z.string().trim().min(1).max(200).optional().describe('With when, in place of prompt: the workflow to run.'),
	title: z.string().trim().min(1).max(100).optional().describe('A short name for it.'),
});
type Arguments = z.infer<typeof Arguments>;

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
		args.sentence === undefined ? structured(args, readAt) : fromSentence(args, { now: readAt, zone: zone(), sources: sources() });
	return {
		name: 'schedule_task',
		title: 'Schedule a task',
		description:
			'Has something done later, again and again, or when something happens: at times, every so often, when a file lands in a folder, when the machine wakes. Give the owner’s sentence, or when with one of prompt, remind, workflow. The owner sees a card with the next times and decides; nothing exists before. Where it answers that something is not clear, ask the owner and call again with what they chose. For one reminder at one time use remind.',
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
	{ sentence = '', when, prompt, remind, workflow, title }: Arguments,
	options: { now: Timestamp; zone: string; sources: readonly KnownSource[] },
): TaskDraft {
	if (when ?? prompt ?? remind ?? workflow)
		throw terminal('invalid_input', 'Give either sentence, or when with one of prompt, remind and workflow.');
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

function structured({ when, prompt, remind, workflow, title }: Arguments, now: Timestamp): TaskDraft {
	const works = [prompt, remind, workflow].filter((work) => work !== undefined);
	const [work] = works;
	if (!when || work === undefined || works.length > 1)
		throw terminal('invalid_input', 'Give either sentence, or when with exactly one of prompt, remind and workflow.');
	const draft = TaskDraft.safeParse({
		title: repairSurrogates(title ?? work.replace(/\s+/g, ' ').slice(0, 60)),
		when: whenOf(when, now),
		work:
			prompt !== undefined
				? { kind: 'prompt', text: repairSurrogates(prompt) }
				: remind !== undefined
					? { kind: 'reminder', text: repairSurrogates(remind) }
					: { kind: 'workflow', name: work },
	});
	if (draft.success) return draft.data;
	throw terminal('invalid_input', draft.error.issues[0]?.message ?? 'The task can’t be read.');
}

function whenOf({ at, every_minutes: minutes, cron, rrule, start, zone, event }: z.infer<typeof When>, now: Timestamp): unknown {
	const given = [at, minutes, cron, rrule, event].filter((one) => one !== undefined);
	if (given.length !== 1) throw terminal('invalid_input', 'Give exactly one of at, every_minutes, cron, rrule and event.');
	if (event) return { kind: 'trigger', trigger: event };
	if ((rrule === undefined) !== (start === undefined)) throw terminal('invalid_input', 'Give start with rrule, and only with it.');
	const schedule = Schedule.parse({ timing: timing() });
	return { kind: 'schedule', schedule };

	function timing(): unknown {
		if (at !== undefined) return { kind: 'at', local: at, zone };
		if (minutes !== undefined) return { kind: 'every', seconds: minutes * 60, anchor: Math.floor(now / 60_000) * 60_000 };
		if (cron !== undefined) return { kind: 'cron', expression: cron, zone };
		return { kind: 'rrule', rule: rrule, start, zone };
	}
}
