import type { TaskDraft } from '../../src/domain/task.ts';
import { toolTitle } from '../chat/transcript/tool-row.tsx';
import { modelName } from '../settings/provider-values.ts';
import { useProviders } from '../shell/queries.ts';
import { type Say, useSay } from '../ui/strings.tsx';
import { FormRow } from './form-row.tsx';
import { useMoment } from './slots.tsx';

type Moment = ReturnType<typeof useMoment>;

/** All that a task keeps to, in words: nothing of it is left out where the owner says yes to it (B3). */
export function CardTerms({ draft }: { draft: TaskDraft }) {
	const say = useSay();
	const moment = useMoment();
	const providers = useProviders().data ?? [];
	const { work, overlap } = draft;
	const limits = limitWords(say, moment, draft);
	return (
		<>
			{limits === '' ? null : <FormRow name={say('tasks.hours')}>{limits}</FormRow>}
			<FormRow name={say('tasks.ifMissed')}>{missedPolicyWords(say, draft)}</FormRow>
			<FormRow name={say('tasks.overlap')}>{say(`tasks.overlap.${overlap}`)}</FormRow>
			{work.kind === 'prompt' ? (
				<>
					<FormRow name={say('tasks.result')}>
						{work.result.kind === 'file' ? <code className="break">{work.result.path}</code> : say(`tasks.card.result.${work.result.kind}`)}
					</FormRow>
					<FormRow name={say('tasks.may')}>
						<span>{toolWords(say, work.tools)}</span>
						<span className="meta">{say('tasks.card.askEach')}</span>
					</FormRow>
					<FormRow name={say('tasks.model')}>{work.model ? modelName(work.model, providers) : say('tasks.modelUsual')}</FormRow>
					<FormRow name={say('tasks.session')}>{say(`tasks.sessionHint.${work.session}`)}</FormRow>
				</>
			) : null}
			{work.kind === 'reminder' ? null : (
				<>
					<FormRow name={say('tasks.budget')}>{budgetWords(say, draft)}</FormRow>
					<FormRow name={say('tasks.ifFailed')}>{failureWords(say, draft)}</FormRow>
				</>
			)}
		</>
	);
}

function missedPolicyWords(say: Say, { missed }: TaskDraft): string {
	switch (missed.kind) {
		case 'once':
			return say('tasks.card.missed.once', { hours: missed.withinHours });
		case 'every':
			return say('tasks.card.missed.every', { most: missed.most });
		case 'skip':
		case 'ask':
			return say(`tasks.card.missed.${missed.kind}`);
	}
}

function toolWords(say: Say, tools: readonly string[] | undefined): string {
	if (tools === undefined) return say('tasks.allTools');
	return say('tasks.card.tools', { count: tools.length, tools: tools.map((tool) => toolTitle(say, tool)).join(', ') });
}

function budgetWords(say: Say, { budget: { tokens, costUsd, minutes } }: TaskDraft): string {
	const parts = [
		...(tokens === undefined ? [] : [say('tasks.card.budget.tokens', { count: tokens })]),
		...(costUsd === undefined ? [] : [say('tasks.card.budget.costUsd', { cost: costUsd })]),
		...(minutes === undefined ? [] : [say('tasks.card.budget.minutes', { count: minutes })]),
	];
	return parts.length === 0 ? say('tasks.card.budget.none') : parts.join(', ');
}

function failureWords(say: Say, { failure: { tries, pauseSeconds, stopAfter } }: TaskDraft): string {
	return say('tasks.card.failed', { tries, pause: pauseSeconds, stopAfter });
}

/** Hours, first and last moment, spread; '' where there is no such limit. */
function limitWords(say: Say, moment: Moment, { when }: TaskDraft): string {
	if (when.kind === 'trigger') return say('tasks.card.after', { seconds: when.quietSeconds });
	const { hours, from, until, jitterSeconds } = when.schedule;
	return [
		...(hours ? [say('tasks.card.hours', hours)] : []),
		...(from === undefined ? [] : [say('tasks.card.from', { time: moment(from) })]),
		...(until === undefined ? [] : [say('tasks.card.until', { time: moment(until) })]),
		...(jitterSeconds > 0 ? [say('tasks.card.jitter', { seconds: jitterSeconds })] : []),
	].join(', ');
}
