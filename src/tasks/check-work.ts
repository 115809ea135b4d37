import { didYouMean } from '../base/did-you-mean.ts';
import { assertNever } from '../domain/assert-never.ts';
import { needsOwner, terminal } from '../domain/errors.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import type { ModelRef } from '../domain/model.ts';
import type { TaskDraft, Trigger } from '../domain/task.ts';
import { resultPath } from './result-path.ts';

export interface CheckWorkDeps {
	/** Names of tools that work without the owner may have. */
	readonly tools: () => readonly string[];
	readonly isSetUp: (model: ModelRef) => boolean;
	/** Throws what its start would throw; says its title. `event`: it would be fired. */
	readonly checkWorkflow: (name: string, data: Readonly<Record<string, Json>>, how: { event: boolean }) => { title: string };
	/** Throws, in words, for what never reaches it: there is no such workflow, or it has no such state. */
	readonly checkState: (workflow: string, state: string) => void;
	readonly isSource: (id: WatchedSourceId) => boolean;
	readonly now: () => Timestamp;
}

/**
 * Whether what a draft is for could be done. Throws a HearthError, in words, where it never could. Says what would happen, where that can be
 * said without running anything.
 */
export function createCheckWork(deps: CheckWorkDeps): (draft: TaskDraft) => string | undefined {
	const { tools, isSetUp, checkWorkflow, now } = deps;
	return ({ work, when }) => {
		if (when.kind === 'trigger') checkTrigger(when.trigger, deps);
		switch (work.kind) {
			case 'prompt': {
				const known = tools();
				const unknown = work.tools?.find((name) => !known.includes(name));
				if (unknown !== undefined)
					throw terminal('tool_unknown', `There is no tool “${unknown}” for work without you.${didYouMean(unknown, known)}`, {
						safe: 'Nothing was changed.',
						action: 'Choose among the tools that there are.',
					});
				if (work.model && !isSetUp(work.model))
					throw needsOwner('model_not_configured', `The model ${work.model.modelId} is not set up any more.`, {
						safe: 'Nothing was changed.',
						action: 'Choose another one, or add its provider in Settings, Models.',
					});
				if (work.result.kind === 'file') resultPath(work.result.path, now(), 'UTC');
				return undefined;
			}
			case 'workflow': {
				const { title } = checkWorkflow(work.name, work.input, { event: when.kind === 'trigger' });
				return `It would start the workflow “${title}” with what is given. What its states do is judged as they come to it.`;
			}
			case 'reminder':
				return `It would tell you: ${work.text}`;
			default:
				return assertNever(work);
		}
	};
}

/** What never happens fires nothing. Folders and names of files are looked at where they are listened to. */
function checkTrigger(trigger: Trigger, { checkState, isSource }: CheckWorkDeps): void {
	if (trigger.kind === 'workflow') checkState(trigger.workflow, trigger.state);
	if (trigger.kind === 'finding' && trigger.sourceId !== undefined && !isSource(trigger.sourceId))
		throw terminal('not_found', 'There is no such source, so it never finds anything.', {
			safe: 'Nothing was changed.',
			action: 'Choose one of your sources, or any of them.',
		});
}
