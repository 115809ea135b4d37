import { framed } from '../../base/frame.ts';
import { type ContextSource, joinSources, sourceName } from '../../domain/context-source.ts';
import type { Json } from '../../domain/json.ts';
import { isWithin, joinLabels, type Label } from '../../domain/label.ts';
import type { Occurrence, TaskDraft } from '../../domain/task.ts';

/** What a run of a task is told: the owner's words, which run it is, and what fired it. Pure. */

export interface TaskMessage {
	readonly text: string;
	readonly label: Label;
	readonly sources: ContextSource[];
}

export interface TaskMessageInput {
	readonly draft: Pick<TaskDraft, 'title' | 'when'>;
	/** The words of the task itself, and how far they are to be trusted. */
	readonly prompt: string;
	readonly label: Label;
	/** Absent: a test run. */
	readonly occurrence?:
		| (Pick<Occurrence, 'by' | 'slot' | 'cause'> & { readonly payload: Json | undefined; readonly causeSources: readonly ContextSource[] })
		| undefined;
	/** The owner's zone. */
	readonly zone: string;
}

/** What fired it stands in a frame under its own label, unless it is the owner's or the agent's (B2). */
export function taskMessage({ draft, prompt, label, occurrence, zone }: TaskMessageInput): TaskMessage {
	const own: ContextSource = { kind: 'task', name: sourceName(draft.title), label };
	const which = occurrence ? whichRun(draft, occurrence, zone) : `This is a test of the task “${draft.title}”.`;
	const { cause } = occurrence ?? {};
	if (!cause) return { text: `${prompt}\n\n${which}`, label, sources: [own] };
	const brought = occurrence?.payload === undefined ? cause.name : JSON.stringify(occurrence.payload, null, 1);
	const isOutside = !isWithin(cause.label, 'agent');
	const shown = isOutside ? framed(brought, { kind: 'event', name: cause.name, label: cause.label }) : brought;
	const times = cause.events === 1 ? 'What fired it' : `What fired it, ${cause.events} times`;
	return {
		text: `${prompt}\n\n${which} ${times}:\n${shown}`,
		label: joinLabels(label, cause.label),
		sources: joinSources([own], occurrence?.causeSources),
	};
}

/** Which run of its task it is, in one sentence. `ownZone`: the owner's, where the task's times name none. */
export function whichRun(
	{ title, when }: TaskMessageInput['draft'],
	{ by, slot }: Pick<Occurrence, 'by' | 'slot'>,
	ownZone: string,
): string {
	const zone = zoneOf(when) ?? ownZone;
	const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: zone }).format(slot);
	const run = `This is a run of the task “${title}”`;
	if (by === 'schedule') return `${run}, due on ${time} (${zone}).`;
	return by === 'owner' ? `${run}, which the owner wanted now, on ${time} (${zone}).` : `${run}, fired on ${time} (${zone}).`;
}

/** That the task's times name. */
export function zoneOf(when: TaskDraft['when']): string | undefined {
	const timing = when.kind === 'schedule' ? when.schedule.timing : undefined;
	return timing && 'zone' in timing ? timing.zone : undefined;
}
