import { joinSources } from '../domain/context-source.ts';
import type { ErrorShape } from '../domain/errors.ts';
import { joinLabels } from '../domain/label.ts';
import type { MessagePart } from '../domain/message.ts';
import { addUsage, type Usage } from '../domain/model.ts';
import type { RunEventOf, RunTerms, StreamedPart } from './events.ts';
import { hasText, memoryPart, withStreamed } from './parts.ts';
import { judgeFailure } from './retry-policy.ts';
import type { Cut, ModelPlan, Progress, RunState } from './state.ts';

type At<Kind extends RunState['kind']> = Extract<RunState, { kind: Kind }>;

/** Transitions around a model call. */

export function started(event: RunEventOf<'run_started'>): RunState {
	const terms = termsOf(event);
	const progress: Progress = {
		sessionId: event.sessionId,
		messageId: event.messageId,
		step: 1,
		modelCalls: 0,
		maxModelCalls: event.maxModelCalls,
		parts: [],
		label: joinLabels('agent', terms.label ?? 'agent'),
		unreadableCalls: 0,
		callIds: terms.script?.map(({ callId }) => callId) ?? [],
		terms,
		deaths: 0,
		...(event.sources && { sources: joinSources(event.sources) }),
	};
	const [call, ...rest] = terms.script ?? [];
	if (call) return { kind: 'tool_ready', progress, queue: { call, rest, fromPart: 0 } };
	return { kind: 'model_ready', progress, plan: freshPlan(progress) };
}

function termsOf({ kind, script, label, sources, tools, model, unattended, isolated, depth, budget, test }: RunTerms): RunTerms {
	const given = { ...(sources && { sources }), ...(isolated && { isolated }), ...(budget && { budget }), ...(test && { test }) };
	return { kind, script, label, tools, model, unattended, depth, ...given };
}

export function freshPlan(progress: Progress): ModelPlan {
	return { attempt: 1, waitMs: 0, overflows: 0, use: 'chosen', continues: false, fromPart: progress.parts.length };
}

/** What follows a finished tool step: the next model call, unless the turn has made as many as it may. */
export function nextModelStep(progress: Progress): RunState {
	const following = { ...progress, step: progress.step + 1 };
	if (progress.modelCalls < progress.maxModelCalls) return { kind: 'model_ready', progress: following, plan: freshPlan(following) };
	const parts: MessagePart[] = [...progress.parts, { type: 'notice', code: 'step_limit', values: { limit: progress.maxModelCalls } }];
	return {
		kind: 'interrupted',
		progress: { ...following, parts },
		cut: { at: 'model', fromPart: parts.length, hasText: false },
		error: {
			kind: 'needs_owner',
			code: 'run_step_limit',
			message: `This reply used all ${progress.maxModelCalls} model calls a turn may make.`,
			safe: 'Everything it did so far is kept.',
			action: 'Continue to let it go on, or raise the limit in Settings.',
		},
	};
}

export function modelStarted(state: At<'model_ready'>, event: RunEventOf<'model_started'>): RunState {
	const { plan } = state;
	const notices = [...retriedNotice(plan), ...event.notices];
	const progress: Progress = {
		...withUsage(state.progress, { usage: event.spent }),
		label: joinLabels(state.progress.label, event.label),
		...(event.sources && { sources: joinSources(state.progress.sources, event.sources) }),
		model: event.model,
		modelName: event.modelName,
		...(event.recalled && { recalled: event.recalled }),
		// A reply that is continued has its notices already.
		parts: plan.continues ? state.progress.parts : [...state.progress.parts.slice(0, plan.fromPart), ...notices],
	};
	return { kind: 'calling_model', progress, plan };
}

export function afterModel(state: At<'calling_model'>, event: RunEventOf<'model_finished'>): RunState {
	const { plan } = state;
	const parts = withStreamed(state.progress.parts, event.parts, plan);
	const progress: Progress = {
		...withUsage(state.progress, event),
		parts,
		modelCalls: state.progress.modelCalls + 1,
		deaths: 0,
		callIds: [...state.progress.callIds, ...event.calls.map((call) => call.callId)],
	};
	const [call, ...rest] = event.calls;
	if (call)
		return { kind: 'tool_ready', progress: { ...progress, step: progress.step + 1 }, queue: { call, rest, fromPart: parts.length } };
	if (event.reason === 'length') return { kind: 'interrupted', progress, cut: modelCut(parts, plan), error: LENGTH_REACHED };
	if (event.reason === 'content_filter') return { kind: 'failed', progress, cut: modelCut(parts, plan), error: WITHHELD };
	const notices = event.notices ?? [];
	return { kind: 'done', progress: { ...progress, parts: [...parts, ...notices, ...memoryPart(progress)] } };
}

export function afterFailure(state: At<'calling_model'>, event: RunEventOf<'model_failed'>): RunState {
	const { plan } = state;
	const progress: Progress = { ...withUsage(state.progress, event), deaths: 0 };
	// Where nobody watches, text that was cut off is worth no more than none.
	const text = hasText(event.parts) && progress.terms.unattended !== true;
	const { isolated } = progress.terms;
	const verdict = judgeFailure(event.error, plan, { text, fallback: event.fallback !== undefined, fixed: isolated !== undefined });
	if (verdict.kind === 'interrupted' || verdict.kind === 'failed') {
		const parts = withStreamed(progress.parts, event.parts, plan);
		return { kind: verdict.kind, progress: { ...progress, parts }, cut: modelCut(parts, plan), error: event.error };
	}
	const kept = plan.continues ? progress.parts : progress.parts.slice(0, plan.fromPart);
	const again: ModelPlan = { ...plan, lastError: event.error, waitMs: 0 };
	const ready = (next: ModelPlan): RunState => {
		// Said at once: the wait may be long.
		const parts = next.continues ? kept : [...kept, ...retriedNotice(next)];
		return { kind: 'model_ready', progress: { ...progress, parts }, plan: next };
	};
	switch (verdict.kind) {
		case 'again':
			return ready({ ...again, attempt: plan.attempt + 1, waitMs: verdict.waitMs });
		case 'smaller_window':
			return ready({ ...again, attempt: 1, overflows: plan.overflows + 1 });
		case 'fallback':
			return ready({ ...again, attempt: 1, use: 'fallback' });
	}
}

/** With what a call used added, and how long it took. */
export function withUsage(
	progress: Progress,
	{ usage, ms }: { readonly usage?: Usage | undefined; readonly ms?: number | undefined },
): Progress {
	const worked = worksLonger(progress, ms);
	return usage ? { ...worked, usage: addUsage(progress.usage, usage) ?? usage } : worked;
}

export function worksLonger(progress: Progress, ms: number | undefined): Progress {
	return ms === undefined ? progress : { ...progress, workedMs: (progress.workedMs ?? 0) + ms };
}

/**
 * A model call has no effect, so it is made again by itself as long as nobody has read a part of it: text that was shown is kept, and the
 * owner decides. A step at which process after process dies is not tried for ever.
 */
export function modelDied(state: At<'calling_model'>, streamed: readonly StreamedPart[]): RunState {
	const { plan } = state;
	const progress: Progress = { ...state.progress, deaths: state.progress.deaths + 1 };
	const isShown = hasText(streamed) && progress.terms.unattended !== true;
	if (!isShown && progress.deaths < MOST_DEATHS) {
		const parts = plan.continues ? progress.parts : progress.parts.slice(0, plan.fromPart);
		return { kind: 'model_ready', progress: { ...progress, parts }, plan: { ...plan, waitMs: 0 } };
	}
	const parts = withStreamed(progress.parts, streamed, plan);
	const error = isShown ? DIED : DIED_OFTEN;
	return { kind: 'interrupted', progress: { ...progress, parts }, cut: modelCut(parts, plan), error };
}

function retriedNotice(plan: ModelPlan): MessagePart[] {
	if (plan.attempt === 1 || !plan.lastError) return [];
	return [{ type: 'notice', code: 'retried', values: { tries: plan.attempt - 1, reason: plan.lastError.code } }];
}

export function modelCut(parts: readonly MessagePart[], plan: ModelPlan): Cut {
	return { at: 'model', fromPart: plan.fromPart, hasText: hasText(parts.slice(plan.fromPart)) };
}

/** Processes in a row that may die at one step before the owner has to look at it. */
export const MOST_DEATHS = 3;
export const DIED_OFTEN: ErrorShape = {
	kind: 'needs_owner',
	code: 'run_interrupted',
	message: `Hearth stopped ${MOST_DEATHS} times in a row while it was at this step, so it does not try it again by itself.`,
	safe: 'Everything before it is kept.',
	action: 'Look into the log with Diagnostics, then Continue or Retry.',
};
const DIED: ErrorShape = {
	kind: 'retryable',
	code: 'run_interrupted',
	message: 'Hearth stopped while this reply was being written.',
	safe: 'What had arrived is kept.',
	action: 'Continue from here, or Retry.',
};
const LENGTH_REACHED: ErrorShape = {
	kind: 'needs_owner',
	code: 'run_interrupted',
	message: 'The model reached the longest answer it may give in one go.',
	safe: 'What it wrote is kept.',
	action: 'Continue to get the rest.',
};
const WITHHELD: ErrorShape = {
	kind: 'terminal',
	code: 'model_bad_response',
	message: "The provider's content filter stopped this reply.",
	safe: 'Your message is kept.',
	action: 'Say it in other words, or choose another model.',
};
