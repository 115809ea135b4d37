import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { Logger } from '../base/logger.ts';
import type { Announce } from '../contract/announce.ts';
import type { WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import type { AuditEntry } from '../domain/audit.ts';
import { newSources } from '../domain/context-source.ts';
import { type ErrorShape, HearthError, retryable, toErrorShape } from '../domain/errors.ts';
import type { MessageId, RunId, SessionId } from '../domain/ids.ts';
import type { MessagePart, NoticePart } from '../domain/message.ts';
import { BUILTIN_PROVIDER_ID, type Usage } from '../domain/model.ts';
import type { AuditLog, Redactor } from '../firewall/ports.ts';
import type { ModelRequest } from '../model/port.ts';
import { TRIAGE_SCHEMA } from '../model/triage/schema.ts';
import type { Appender } from './appender.ts';
import type { Blobs } from './blobs.ts';
import type { Assembled } from './context.ts';
import type { RunControl } from './control.ts';
import type { RequestedCall, RunEvent, RunEventOf } from './events.ts';
import { LiveText } from './live-text.ts';
import { promptCrossing, replyCrossings } from './model-crossings.ts';
import type { ChosenModel, ModelSource } from './models.ts';
import { OverlapFilter } from './overlap.ts';
import { hasText, lastTextIndex, withStreamed } from './parts.ts';
import { type PromptSources, promptForStep, type StepPrompt } from './prompt.ts';
import { MOST_CALLS, TOO_MANY_CALLS, uniqueIds, wholeCalls } from './reply-calls.ts';
import { savingNotices } from './saving-claims.ts';
import type { Command, ModelPlan, Progress } from './state.ts';
import { TextCallScanner } from './text-tool-calls.ts';
import type { Toolbox } from './toolbox.ts';
import type { WorkPort } from './work-port.ts';

export interface ModelStepDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly announce: Announce;
	readonly appender: Appender;
	readonly models: ModelSource;
	readonly prompt: PromptSources;
	/** What a run may use. */
	readonly toolbox: Pick<Toolbox, 'forModel' | 'find'>;
	readonly blobs: Pick<Blobs, 'keepPrompt'>;
	readonly redactor: Pick<Redactor, 'redactKeys' | 'streamKnown'>;
	readonly audit: AuditLog;
	/** Longest silence of a model in milliseconds. */
	readonly silenceMs: () => number;
	/** Messages whose text streams now; the step adds and removes its own. */
	readonly streaming: Map<MessageId, LiveText>;
	readonly work?: Pick<WorkPort, 'mayGoOn' | 'budgetUsed' | 'spendNow'> | undefined;
}

type CallModel = Extract<Command, { kind: 'call_model' }>;

/** One model call: prompt, journal, stream, journal. Rejects only where the journal can't be written. */
export async function callModel(deps: ModelStepDeps, runId: RunId, { progress, plan }: CallModel, control: RunControl): Promise<void> {
	await control.pause(plan.waitMs);
	if (control.reason) return;
	let chosen: ChosenModel;
	let prompt: StepPrompt;
	try {
		chosen = await chooseModel(deps.models, plan, progress);
		if (isHeld(deps, runId, chosen)) return;
		const sources = { ...deps.prompt, tools: () => deps.toolbox.forModel(runId, progress.terms) };
		prompt = await promptForStep(sources, { progress, plan }, chosen.model, {
			id: runId,
			signal: control.signal,
			pause: (ms) => control.pause(ms),
		});
		if (control.reason) return;
		if (!prompt.fits) throw prompt.overflow();
		// A summary was made for it, or another run was at work meanwhile.
		if (isHeld(deps, runId, chosen)) return;
	} catch (error) {
		const shape = toErrorShape(error);
		if (shape.code === 'internal') deps.logger.error('prompt_failed', { runId, error });
		await deps.appender.append(runId, { type: 'run_failed', parts: [], error: shape }, control);
		return;
	}
	const promptHash = await deps.blobs.keepPrompt({ system: deps.redactor.redactKeys(prompt.system).text, tools: prompt.tools });
	if (control.reason) return;
	const { model, ref } = chosen;
	const started: RunEventOf<'model_started'> = {
		type: 'model_started',
		step: progress.step,
		model: ref,
		modelName: model.info.name,
		label: prompt.label,
		sources: newSources(prompt.sources, progress.sources),
		notices: [...fallbackNotice(plan, progress, model.info.name), ...unsaid(prompt.notices, progress.parts.slice(0, plan.fromPart))],
		...(prompt.spent && { spent: prompt.spent }),
		...(prompt.recalled && { recalled: [...prompt.recalled] }),
		...(promptHash !== undefined && { prompt: promptHash }),
	};
	const crossing = promptCrossing(runId, progress, prompt, chosen);
	const state = await deps.appender.append(runId, started, control, recorded(deps, [crossing]));
	if (state?.kind !== 'calling_model') return;
	crashPoint('step.started');
	const request: ModelRequest = {
		modelId: ref.modelId,
		system: prompt.system,
		messages: prompt.messages,
		tools: prompt.tools,
		windowTokens: Math.max(1, model.info.contextTokens),
		...(progress.terms.isolated && { answer: { name: progress.terms.isolated.answer, schema: TRIAGE_SCHEMA } }),
		silenceMs: deps.silenceMs(),
	};
	await streamCall(deps, runId, { progress: state.progress, plan, chosen, prompt, request }, control);
}

/** The day's budget is used: work that can wait does, at the border of this step. Throws where the owner waits for an answer. */
function isHeld({ work }: ModelStepDeps, runId: RunId, { ref }: ChosenModel): boolean {
	// The built-in responder is no model, and uses nothing.
	const used = ref.providerId === BUILTIN_PROVIDER_ID ? undefined : work?.budgetUsed(runId);
	if (!used) return false;
	if (work?.mayGoOn(runId)) throw new HearthError(used);
	return true;
}

/** In the transaction of the journal's event (S1). */
function recorded({ audit }: ModelStepDeps, entries: readonly AuditEntry[]): (tx: WriteDb) => [] {
	return (tx) => {
		audit.append(tx, entries);
		return [];
	};
}

async function chooseModel(models: ModelSource, plan: ModelPlan, { terms, sessionId }: Progress): Promise<ChosenModel> {
	if (terms.isolated) return models.forOthersText(terms.model);
	return (plan.use === 'fallback' ? await models.fallback(sessionId) : undefined) ?? (await models.chosen(terms.model, sessionId));
}

/** What an earlier step of the same reply said is not said again. */
function unsaid(notices: readonly NoticePart[], said: readonly MessagePart[]): NoticePart[] {
	const same = (notice: NoticePart, part: MessagePart): boolean =>
		part.type === 'notice' && part.code === notice.code && part.values.name === notice.values.name && part.values.id === notice.values.id;
	return notices.filter((notice) => !said.some((part) => same(notice, part)));
}

function fallbackNotice(plan: ModelPlan, progress: Progress, to: string): NoticePart[] {
	if (plan.use !== 'fallback' || !plan.lastError) return [];
	return [
		{ type: 'notice', code: 'fallback_model', values: { model: progress.modelName ?? '', fallback: to, reason: plan.lastError.code } },
	];
}

interface Call {
	readonly progress: Progress;
	readonly plan: ModelPlan;
	readonly chosen: ChosenModel;
	readonly prompt: Assembled;
	readonly request: ModelRequest;
}

async function streamCall(deps: ModelStepDeps, runId: RunId, call: Call, control: RunControl): Promise<void> {
	const { progress, plan, chosen, request } = call;
	const onSaveError = (error: unknown) => deps.logger.warn('stream_not_saved', { runId, error });
	const live = new LiveText({ ...deps, onSaveError }, { runId, progress, plan });
	const overlap = plan.continues ? new OverlapFilter(lastText(progress.parts, plan.fromPart)) : undefined;
	const scanner = new TextCallScanner(request.tools.map((tool) => tool.name));
	const native: RequestedCall[] = [];
	// A secret that the model came to know all the same is shown to nobody, and not kept.
	const said = deps.redactor.streamKnown();
	const thought = deps.redactor.streamKnown();
	const take = (text: string) => {
		live.received('text', text);
		live.show('text', scanner.push(text));
	};
	const think = (text: string) => {
		live.received('reasoning', text);
		live.show('reasoning', text);
	};
	deps.streaming.set(progress.messageId, live);
	const since = performance.now();
	let usage: Usage | undefined;
	// The next start finds a call that was cut off, and nobody a run that was deleted meanwhile: what it used would not be counted.
	const spendUnwritten = (): void => {
		if (usage) deps.work?.spendNow(runId, usage);
	};
	const append = async (event: RunEvent, also?: (tx: WriteDb) => []): Promise<void> => {
		if (!(await deps.appender.append(runId, event, control, also))) spendUnwritten();
	};
	try {
		let outcome: RunEventOf<'model_finished'> | RunEventOf<'model_failed'> | undefined;
		for await (const event of chosen.model.port.stream(request, control.signal)) {
			if (event.type === 'finish' || event.type === 'error') usage = event.usage;
			switch (event.type) {
				case 'text':
					think(thought.end());
					take(said.push(overlap ? overlap.push(event.text) : event.text));
					break;
				case 'reasoning':
					take(said.end());
					think(thought.push(event.text));
					break;
				case 'tool_call':
					native.push({ callId: event.callId, tool: event.tool, args: event.args });
					break;
				case 'finish': {
					think(thought.end());
					take(said.push(overlap?.end() ?? '') + said.end());
					const rest = scanner.end();
					live.show('text', rest.text);
					const printed = rest.calls.map((found): RequestedCall => ({ callId: '', ...found, fromText: true }));
					const calls = uniqueIds(wholeCalls(native.length > 0 ? native : printed, event.reason), progress);
					const parts = live.parts();
					const hasEffect = (tool: string) => (deps.toolbox.find(runId, tool)?.effect ?? 'pure') !== 'pure';
					const notices = calls.length > 0 ? [] : savingNotices(withStreamed(progress.parts, parts, plan), hasEffect);
					outcome =
						calls.length > MOST_CALLS
							? await failure(deps, call, live, TOO_MANY_CALLS)
							: {
									type: 'model_finished',
									step: progress.step,
									parts,
									calls,
									reason: event.reason,
									...(notices.length > 0 && { notices }),
								};
					break;
				}
				case 'error':
					think(thought.end());
					take(said.end());
					outcome = await failure(deps, call, live, event.error);
					break;
			}
			if (outcome) break;
		}
		if (!outcome) {
			think(thought.end());
			take(said.end());
		}
		if (control.reason === 'closing') {
			spendUnwritten();
			return live.save();
		}
		live.flush();
		const used = usage && { usage };
		const took = { ms: Math.round(performance.now() - since) };
		if (control.reason === 'stopped') {
			await append({ type: 'stopped', parts: live.parts(), at: deps.clock.now(), ...used });
			return;
		}
		if (!outcome || isEmpty(outcome, plan)) outcome = await failure(deps, call, live, NOTHING_SAID);
		const shown = outcome.type === 'model_finished' ? replyCrossings(runId, progress, call.prompt, chosen, outcome.parts) : [];
		await append({ ...outcome, ...used, ...took }, recorded(deps, shown));
	} catch (error) {
		deps.logger.error('model_step_failed', { runId, error });
		// Should this failure not be written down either, the next start, or Stop, finds the text.
		live.save();
		await append({ type: 'run_failed', parts: live.parts(), error: toErrorShape(error), ...(usage && { usage }) });
	} finally {
		live.close();
		deps.streaming.delete(progress.messageId);
	}
}

const NOTHING_SAID: ErrorShape = retryable('model_empty_response', 'The model answered with nothing.', {
	safe: 'Your message is kept.',
	action: 'Retry, or choose another model.',
}).shape;

/** A reply that is continued may have been complete already. */
function isEmpty(outcome: RunEventOf<'model_finished'> | RunEventOf<'model_failed'>, plan: ModelPlan): boolean {
	if (outcome.type !== 'model_finished' || outcome.calls.length > 0 || plan.continues) return false;
	return !hasText(outcome.parts) && outcome.reason !== 'length' && outcome.reason !== 'content_filter';
}

async function failure(deps: ModelStepDeps, call: Call, live: LiveText, error: ErrorShape): Promise<RunEventOf<'model_failed'>> {
	const { progress, plan, prompt } = call;
	const mayFallBack = plan.use === 'chosen' && error.kind === 'retryable' && progress.terms.isolated === undefined;
	const fallback = mayFallBack ? await readyFallback(deps, progress.sessionId) : undefined;
	// The provider says that it is too long; which part is to blame only we can tell.
	const named = error.code === 'model_context_overflow' ? prompt.overflow().shape : error;
	return { type: 'model_failed', step: progress.step, parts: live.parts(), error: named, fallback: fallback?.model.info.name };
}

/** A fallback that isn't ready is none: the owner has to hear of the first error, not of the second. */
async function readyFallback(deps: ModelStepDeps, chat: SessionId): Promise<ChosenModel | undefined> {
	try {
		return await deps.models.fallback(chat);
	} catch (error) {
		deps.logger.warn('fallback_not_ready', { error });
		return undefined;
	}
}

function lastText(parts: readonly MessagePart[], from: number): string {
	const part = parts[lastTextIndex(parts, from)];
	return part?.type === 'text' ? part.text : '';
}
