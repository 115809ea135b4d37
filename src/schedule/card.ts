import { sha256 } from '../base/sha256.ts';
import { assertNever } from '../domain/assert-never.ts';
import type { Timestamp } from '../domain/ids.ts';
import { asJson, canonicalJson } from '../domain/json.ts';
import type { Schedule } from '../domain/schedule.ts';
import { TaskCard, type TaskDraft, type TaskResult, type TaskWhen, type TaskWork, type Trigger } from '../domain/task.ts';
import { cutCodePoints } from '../domain/text.ts';
import { checkSchedule } from './check.ts';
import { scheduleNotes } from './notes.ts';
import { nextSlot, zoneOf } from './slots.ts';
import { timingInWords } from './words.ts';

/** A draft as the owner is shown it before it exists. Pure: the same draft gives the same card at the same time. */

const SHOWN_RUNS = 5;
const SHOWN_CHARS = 300;

export interface CardOptions {
	readonly now: Timestamp;
	/** The owner's, where the timing names none. */
	readonly zone: string;
}

/** Throws `invalid_input`, in words, for a schedule that can't be or never comes. */
export function cardOf(draft: TaskDraft, { now, zone }: CardOptions): TaskCard {
	if (draft.when.kind === 'schedule') checkSchedule(draft.when.schedule, { now, zone });
	const shown = { draft, ...restated(draft), zone: zoneOfDraft(draft, zone), notes: notesOf(draft, { now, zone }) };
	return TaskCard.parse({
		...shown,
		next: draft.when.kind === 'schedule' ? comingSlots(draft.when.schedule, now, zone) : [],
		// What comes next moves by itself while the card is looked at; it follows from the rest.
		shownHash: sha256(canonicalJson(asJson({ draft: shown.draft, restated: shown.restated, zone: shown.zone, notes: shown.notes }))),
	});
}

/** `Every weekday at 09:00`, `When the machine wakes`. */
export function whenInWords(when: TaskWhen): string {
	return when.kind === 'schedule' ? timingInWords(when.schedule) : triggerInWords(when.trigger);
}

function restated({ when, work }: TaskDraft): { restated: string; strong: string[] } {
	const [time, what, where] = [whenInWords(when), workInWords(work), work.kind === 'prompt' ? resultInWords(work.result) : undefined];
	const end = /[.!?…]$/.test(what) ? '' : '.';
	return {
		restated: `${time}: ${what}${end}${where === undefined ? '' : ` The result goes ${where}.`}`,
		strong: [time, what, ...(where === undefined ? [] : [where])],
	};
}

function workInWords(work: TaskWork): string {
	switch (work.kind) {
		case 'prompt':
			return shortened(work.text);
		case 'workflow':
			return `run the workflow ${work.name}`;
		case 'reminder':
			return `remind you: ${shortened(work.text)}`;
		default:
			return assertNever(work);
	}
}

function resultInWords(result: TaskResult): string {
	switch (result.kind) {
		case 'chat':
			return 'into a chat of its own';
		case 'notification':
			return 'into a notification';
		case 'inbox':
			return 'into the inbox';
		case 'file':
			return `into the file workspace/${result.path}`;
		default:
			return assertNever(result);
	}
}

function triggerInWords(trigger: Trigger): string {
	switch (trigger.kind) {
		case 'files':
			return trigger.names === undefined
				? `When a file appears or changes at ${trigger.path}`
				: `When a file named ${trigger.names} appears or changes in ${trigger.path}`;
		case 'finding':
			return trigger.sourceId === undefined ? 'When a source has a new finding' : 'When the chosen source has a new finding';
		case 'workflow':
			return `When the workflow ${trigger.workflow} reaches the state ${trigger.state}`;
		case 'app_start':
			return 'When Hearth starts';
		case 'wake':
			return 'When the machine wakes';
		case 'unlock':
			return `When you are back after ${inMinutes(trigger.idleMinutes)} away or more`;
		case 'signal':
			return `When a script calls hearth trigger ${trigger.name}`;
		default:
			return assertNever(trigger);
	}
}

function inMinutes(minutes: number): string {
	if (minutes % 60 !== 0) return minutes === 1 ? 'a minute' : `${minutes} minutes`;
	return minutes === 60 ? 'an hour' : `${minutes / 60} hours`;
}

function notesOf(draft: TaskDraft, { now, zone }: CardOptions): string[] {
	if (draft.when.kind === 'schedule') return scheduleNotes(draft.when.schedule, { now, zone });
	const { trigger, quietSeconds } = draft.when;
	const quiet = quietSeconds > 0 ? [`What comes within ${quietSeconds} seconds of the event before is one run with it.`] : [];
	if (trigger.kind === 'files')
		return [
			...quiet,
			trigger.mine
				? 'What lies there counts as your own words.'
				: 'What lies there counts as somebody else’s words, names of files among them: what the run does with it is asked more often.',
		];
	if (trigger.kind === 'finding') return [...quiet, 'The run learns how many new findings there are, and no word of them.'];
	return quiet;
}

function zoneOfDraft({ when }: TaskDraft, zone: string): string {
	return when.kind === 'schedule' ? zoneOf(when.schedule.timing, zone) : zone;
}

function comingSlots(schedule: Schedule, now: Timestamp, zone: string): TaskCard['next'] {
	const found: TaskCard['next'] = [];
	for (let after = now; found.length < SHOWN_RUNS; ) {
		const slot = nextSlot(schedule, after, { zone });
		if (!slot) break;
		found.push(slot);
		after = slot.at;
	}
	return found;
}

function shortened(text: string): string {
	const line = text.replace(/\s+/g, ' ');
	return line.length <= SHOWN_CHARS ? line : `${cutCodePoints(line, SHOWN_CHARS - 1)}…`;
}
