import type { RunBreak, RunStep } from '../contract/methods/runs.ts';
import { type ContextSource, joinSources } from '../domain/context-source.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import { joinLabels, type Label } from '../domain/label.ts';
import { type MessagePart, messageText } from '../domain/message.ts';
import type { Plan } from '../domain/plan.ts';
import type { RequestedCall, RunEventOf } from './events.ts';
import { DIED_OFTEN, MOST_DEATHS } from './reduce-model.ts';
import { modelTitle, toolTitle, waitTitle } from './step-title.ts';
import type { Details, JournalRow, Timeline, TimelineSources, TimelineStep } from './timeline-step.ts';
import { endOfWait, ONLY_READS, outcomeOf, resultOf, SAME_KEY } from './timeline-words.ts';
import { refusedAs } from './tool-parts.ts';

/** The life of a run as lines for people: a fold over its journal and nothing else. Pure. */

export function timelineOf(rows: Iterable<JournalRow>, sources: TimelineSources): Timeline {
	const fold = new Fold(sources);
	for (const row of rows) fold.add(row);
	return { steps: fold.steps(), breaks: fold.breaks, ...(fold.plan && { plan: fold.plan }) };
}

class Fold {
	readonly breaks: RunBreak[] = [];
	plan: Plan | undefined;
	/** Of what the run began with. */
	#label: Label = 'agent';
	/** All that steps could see so far, by name. */
	#seen: readonly ContextSource[] = [];
	readonly #sources: TimelineSources;
	readonly #steps = new Map<number, TimelineStep>();
	readonly #calls = new Map<string, RequestedCall>();
	/** The step under way or waiting, or else the newest. */
	#current = 0;
	#lastSeen: Timestamp | undefined;
	/** Processes in a row that died at the step under way. */
	#deaths = 0;

	constructor(sources: TimelineSources) {
		this.#sources = sources;
	}

	steps(): TimelineStep[] {
		let label = this.#label;
		return [...this.#steps.values()]
			.toSorted((a, b) => a.line.step - b.line.step)
			.map((step) => {
				label = joinLabels(label, step.line.label ?? label);
				// What a model decides was decided in view of all that the steps before it brought in.
				const own = step.line.kind === 'model' ? { label } : {};
				return { ...step, line: { ...step.line, ...own, checkpoint: this.#sources.checkpoints.has(step.line.step) } };
			});
	}

	add({ event, at }: JournalRow): void {
		if (event.type !== 'process_died' && event.type !== 'tool_started' && event.type !== 'resources_lost') this.#deaths = 0;
		switch (event.type) {
			case 'run_started':
				this.#label = joinLabels('agent', event.label ?? 'agent');
				this.#seen = joinSources(event.sources);
				for (const call of event.script ?? []) this.#calls.set(call.callId, call);
				break;
			case 'model_started':
				this.#seen = joinSources(this.#seen, event.sources);
				this.#begin(
					event.step,
					{ kind: 'model', title: modelTitle('', []), label: event.label, startedAt: at },
					{ sources: this.#seen, ...(event.prompt !== undefined && { prompt: event.prompt }) },
				);
				break;
			case 'model_finished':
				this.#modelFinished(event, at);
				break;
			case 'model_failed':
				this.#change(event.step, { status: 'failed', finishedAt: at }, { error: event.error, output: messageText(event) });
				break;
			case 'tool_started':
				this.#toolBegins(event, event.at, { effect: event.effect, label: event.label });
				break;
			case 'tool_finished':
				this.plan = event.plan ?? this.plan;
				this.#change(
					event.step,
					{ kind: this.#kindOf(event.step), status: event.result.isError ? 'failed' : 'done', label: event.label, finishedAt: event.at },
					{ ...resultOf(event.result), ...this.#broughtIn(event.sources) },
				);
				break;
			case 'tool_refused':
				this.#toolBegins(event, at, {});
				this.#change(event.step, { status: refusedAs(event.why), finishedAt: at }, resultOf(event.result));
				break;
			case 'interrupt_opened':
				this.#opened(event, at);
				break;
			case 'interrupt_answered':
				this.#answered(event);
				break;
			case 'wait_ended':
				this.#waitEnded(event);
				break;
			case 'effect_verified':
				this.#verified(event);
				break;
			case 'retried':
				this.#because(this.#current, 'You chose Retry.');
				break;
			case 'process_died':
				this.#died(event, at);
				break;
			case 'stopped':
				this.#cutOff(event.at, event.parts);
				break;
			case 'run_failed':
				this.#cutOff(at, event.parts, event.error);
				break;
			default:
				break;
		}
		this.#lastSeen = at;
	}

	/** Starts a step, or starts it again. */
	#begin(step: number, line: Omit<RunStep, 'step' | 'tries' | 'status' | 'checkpoint'>, details: Details = {}): void {
		const before = this.#steps.get(step);
		// A call that waited for the owner's yes was not begun before it.
		const tries = before && before.line.status !== 'waiting' ? before.line.tries + 1 : 1;
		this.#steps.set(step, {
			line: { step, status: 'running', checkpoint: false, tries, ...line },
			redone: before?.redone ?? [],
			...details,
		});
		this.#current = step;
	}

	#change(step: number, line: Partial<RunStep>, details: Details = {}): void {
		const before = this.#steps.get(step);
		if (before) this.#steps.set(step, { ...before, ...details, line: { ...before.line, ...line } });
	}

	#because(step: number, sentence: string): void {
		const before = this.#steps.get(step);
		if (before) this.#steps.set(step, { ...before, redone: [...before.redone, sentence] });
	}

	#modelFinished(event: RunEventOf<'model_finished'>, at: Timestamp): void {
		for (const call of event.calls) this.#calls.set(call.callId, call);
		const said = messageText({ parts: event.parts });
		const next = event.calls.map(({ tool }) => this.#sources.title(tool) ?? tool);
		const asked = event.calls.map(({ tool, args }) => `${tool} ${args}`);
		this.#change(
			event.step,
			{ status: 'done', finishedAt: at, title: modelTitle(said, next), ...(event.usage && { usage: event.usage }) },
			{ output: [...(said === '' ? [] : [said]), ...asked].join('\n\n') },
		);
	}

	#toolBegins(event: { step: number; callId: string; args: Json }, startedAt: Timestamp, more: Pick<RunStep, 'effect' | 'label'>): void {
		const { step, callId, args } = event;
		const before = this.#steps.get(step);
		const waited = before?.line.status === 'waiting' && before.line.kind !== 'approval';
		this.#begin(step, { ...this.#named(callId, args), ...(waited && { kind: before.line.kind }), startedAt, ...more }, { callId, args });
	}

	#named(callId: string, args: Json): Pick<RunStep, 'kind' | 'title' | 'tool'> {
		const tool = this.#calls.get(callId)?.tool ?? '';
		return { kind: 'tool', title: toolTitle(tool, this.#sources.title(tool), args), tool };
	}

	#kindOf(step: number): RunStep['kind'] {
		return this.#steps.get(step)?.line.kind ?? 'tool';
	}

	#opened(event: RunEventOf<'interrupt_opened'>, at: Timestamp): void {
		const { step, callId, args, kind, effect, label, interruptId } = event;
		const named = this.#named(callId, args);
		const detail = this.#sources.interrupts.get(interruptId)?.detail;
		const title = detail ? waitTitle(detail, named.title) : named.title;
		if (kind === 'did_it_happen') {
			this.#change(step, { kind, status: 'unknown' });
			this.#current = step;
			return;
		}
		this.#begin(
			step,
			{ ...named, title, kind, effect, label, startedAt: at, ...(event.childRunId !== undefined && { childRunId: event.childRunId }) },
			{ callId, args },
		);
		this.#change(step, { status: 'waiting' });
	}

	#answered({ answer, at }: RunEventOf<'interrupt_answered'>): void {
		const step = this.#current;
		const kind = this.#kindOf(step);
		const { status, output, why } = outcomeOf(answer, kind);
		if (why !== undefined) this.#because(step, why);
		if (answer.type === 'approve') return;
		const done = status !== 'running';
		this.#change(
			step,
			{ status, ...(done && { finishedAt: at }), ...(kind === 'did_it_happen' && status !== 'unknown' && { kind: 'tool' }) },
			output === undefined ? {} : { output },
		);
	}

	#waitEnded({ outcome, at }: RunEventOf<'wait_ended'>): void {
		const failed = outcome.type === 'timed_out' || (outcome.type === 'child_ended' && outcome.isError);
		const output = endOfWait(outcome);
		this.#change(
			this.#current,
			{ status: failed ? 'failed' : 'done', finishedAt: at, ...('label' in outcome && { label: outcome.label }) },
			{ ...(output !== undefined && { output }), ...('sources' in outcome && this.#broughtIn(outcome.sources)) },
		);
	}

	#verified({ step, verdict, at }: RunEventOf<'effect_verified'>): void {
		if (verdict.happened === 'yes') {
			this.plan = verdict.plan ?? this.plan;
			this.#because(step, 'The tool found out that it had happened.');
			const status = verdict.result.isError ? 'failed' : 'done';
			this.#change(
				step,
				{ kind: 'tool', status, label: verdict.label, finishedAt: at },
				{ ...resultOf(verdict.result), ...this.#broughtIn(verdict.sources) },
			);
		} else if (verdict.happened === 'no') {
			this.#because(step, 'The tool found out that it had not happened, so it was done now.');
			this.#change(step, { status: 'running' });
		} else this.#because(step, verdict.found ?? 'The tool could not find out whether it had happened.');
	}

	#broughtIn(sources: readonly ContextSource[] | undefined): Pick<TimelineStep, 'sources'> {
		this.#seen = joinSources(this.#seen, sources);
		return sources ? { sources } : {};
	}

	#died(event: RunEventOf<'process_died'>, at: Timestamp): void {
		const step = this.#current;
		this.breaks.push({ step: Math.max(step, 1), wentOnAt: at, ...(this.#lastSeen !== undefined && { at: this.#lastSeen }) });
		const { line } = this.#steps.get(step) ?? {};
		if (line?.status !== 'running') return;
		this.#deaths += 1;
		if (line.kind === 'model') {
			this.#change(step, { status: 'stopped', finishedAt: at }, { output: messageText(event) });
			this.#because(step, 'Hearth stopped while the model wrote.');
		} else if (line.effect === 'effectful') {
			this.#change(step, { status: 'unknown' });
			this.#because(step, 'Hearth stopped while it was under way: it may have happened, so it was not repeated by itself.');
		} else if (this.#deaths >= MOST_DEATHS) {
			this.#change(step, { status: 'stopped', finishedAt: at });
			this.#because(step, DIED_OFTEN.message);
		} else {
			this.#because(step, line.effect === 'pure' ? ONLY_READS : SAME_KEY);
		}
	}

	#cutOff(at: Timestamp, parts: readonly MessagePart[], error?: ErrorShape): void {
		const { line } = this.#steps.get(this.#current) ?? {};
		if (!line || !['running', 'waiting', 'unknown'].includes(line.status)) return;
		const happened = line.effect === 'effectful' && (line.status === 'unknown' || (line.status === 'running' && line.kind === 'tool'));
		const status = happened ? 'unknown' : error ? 'failed' : 'stopped';
		const said = messageText({ parts: [...parts] });
		this.#change(line.step, { status, finishedAt: at }, { ...(error && { error }), ...(said !== '' && { output: said }) });
	}
}
