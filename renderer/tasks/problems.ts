import { TaskDraft } from '../../src/domain/task.ts';
import type { StringId } from '../ui/strings.tsx';

/** What keeps a draft from being one, by the path of its part: `work.text`. Empty where nothing does. */
export type Problems = ReadonlyMap<string, string | { readonly id: StringId }>;

/** Said in our own words, where the part is one that is typed. */
const WORDS: Readonly<Record<string, StringId>> = {
	title: 'tasks.bad.title',
	'work.text': 'tasks.bad.text',
	'work.name': 'tasks.bad.workflow',
	'work.result.path': 'tasks.bad.path',
	'missed.withinHours': 'tasks.bad.hours',
	'missed.most': 'tasks.bad.most',
	'budget.tokens': 'tasks.bad.tokens',
	'budget.costUsd': 'tasks.bad.cost',
	'budget.minutes': 'tasks.bad.minutes',
	'failure.tries': 'tasks.bad.tries',
	'failure.pauseSeconds': 'tasks.bad.pause',
	'failure.stopAfter': 'tasks.bad.stopAfter',
	'when.schedule.timing.seconds': 'tasks.bad.interval',
	'when.schedule.timing.expression': 'tasks.bad.cron',
	'when.schedule.timing.rule': 'tasks.bad.rule',
	'when.schedule.jitterSeconds': 'tasks.bad.jitter',
	'when.trigger.path': 'tasks.bad.watched',
	'when.trigger.workflow': 'tasks.bad.workflow',
	'when.trigger.state': 'tasks.bad.state',
	'when.trigger.name': 'tasks.bad.signal',
	'when.trigger.idleMinutes': 'tasks.bad.idle',
	'when.quietSeconds': 'tasks.bad.quiet',
};

export function problemsOf(draft: TaskDraft): Problems {
	const { error } = TaskDraft.safeParse(draft);
	const problems = new Map<string, string | { id: StringId }>();
	for (const { path, message } of error?.issues ?? []) {
		const at = path.join('.');
		const id = WORDS[at];
		if (!problems.has(at)) problems.set(at, id ? { id } : message);
	}
	return problems;
}
