import { HearthError, terminal } from '../domain/errors.ts';
import type { RunId, Timestamp } from '../domain/ids.ts';
import type { Json } from '../domain/json.ts';
import { joinLabels, type Label } from '../domain/label.ts';
import { type Plan, planFollows } from '../domain/plan.ts';
import type { InterruptDetail } from '../domain/run.ts';
import type { EffectClass, LiveResource, ToolResult } from '../domain/tool.ts';
import { mintWriteGrant } from '../domain/write-grant.ts';
import { DELEGATE } from '../tools/delegate.ts';
import type { HoldMemoryWrite, MemoryLeave, Tool, ToolContext, ToolOutput, Verified, WaitRequest } from '../tools/port.ts';
import { readArguments } from './arguments.ts';
import { MOST_DEPTH } from './children.ts';
import type { RequestedCall, RunEventOf, RunTerms } from './events.ts';
import { decide, type PolicyRule } from './policy.ts';
import type { JudgedCall } from './state.ts';
import { capped, KeptOutput } from './tool-output.ts';
import type { Toolbox } from './toolbox.ts';
import type { WriteProvenance } from './write-provenance.ts';

/** The only door to tools: reads a call, labels it, judges it, and is the only caller of a tool's `run`. */

export type Judgement =
	| { kind: 'allow'; args: Json; effect: EffectClass; label: Label; repaired: boolean }
	| { kind: 'ask'; args: Json; effect: EffectClass; label: Label; repaired: boolean; detail: InterruptDetail }
	/** It waits instead of running. */
	| { kind: 'wait'; args: Json; effect: EffectClass; label: Label; repaired: boolean; request: WaitRequest }
	| { kind: 'refuse'; why: RunEventOf<'tool_refused'>['why']; args: Json; result: ToolResult };

/** Time a tool gets to end after it was told to stop, before it is left behind. */
const GRACE_MS = 1_500;
/** Of what a tool found out, told to the owner. */
const FOUND_CHARS = 500;

/** How calls that would change memory get there. */
export interface MemoryDoor {
	readonly hold: HoldMemoryWrite;
	readonly provenance: WriteProvenance;
}

/** A call that was judged. `label`: what it was judged by; `modelName`: who made it. */
export interface GateCall {
	readonly tool: string;
	readonly args: Json;
	readonly label: Label;
	readonly modelName?: string | undefined;
}

/** Whose call it is. */
export interface Caller {
	readonly runId: RunId;
	readonly terms: RunTerms;
	/** The join over everything the step that made the call could see (B2). */
	readonly seen: Label;
	readonly now: Timestamp;
}

export interface GateOutcome {
	readonly result: ToolResult;
	readonly label: Label;
	readonly plan?: Plan | undefined;
	readonly opened?: LiveResource[] | undefined;
	readonly closed?: string[] | undefined;
	readonly stopped: boolean;
	/** Of a tool that was left behind: resolves when it has really ended. */
	readonly ended?: Promise<void>;
}

export class Gate {
	readonly #tools: Toolbox;
	readonly #policy: readonly PolicyRule[];
	readonly #memory: MemoryDoor | undefined;

	/** Without a door to memory, tools with a sink are refused. */
	constructor(tools: Toolbox, policy: readonly PolicyRule[], memory?: MemoryDoor) {
		this.#tools = tools;
		this.#policy = policy;
		this.#memory = memory;
	}

	/** The tool's name for people; undefined where the tool is gone. */
	titleOf(runId: RunId, name: string): string | undefined {
		return this.#tools.find(runId, name)?.title;
	}

	judge(call: RequestedCall, caller: Caller): Judgement {
		const { runId, terms, seen } = caller;
		const tool = this.#tools.find(runId, call.tool, terms);
		if (!tool)
			return refuse(
				'unknown',
				call.args,
				`There is no tool named “${call.tool}”. The tools are: ${this.#tools.names(runId, terms).join(', ') || 'none'}.`,
			);
		const read = readArguments(tool, call.args);
		if (!read.ok)
			return refuse(
				'unreadable',
				call.args,
				`The arguments can't be read: ${read.problem}\nCall ${tool.name} once more with arguments that fit its schema.`,
			);
		const { args, repaired } = read;
		const label = joinLabels('agent', seen);
		const { effect } = tool;
		const base = { args, effect, label, repaired };
		if (tool.question) return { kind: 'ask', ...base, detail: { kind: 'question', ...tool.question(tool.schema.parse(args)) } };
		const decision = decide(this.#policy, { effect, sink: tool.sink, label });
		switch (decision.verdict) {
			case 'allow':
			case 'hold':
				// What is held runs too: it leaves a proposal, and the reply goes on.
				if (tool.sink && !this.#memory) return refuse('denied', args, 'Memory is not open here.');
				return this.#waits(tool, base, caller) ?? { kind: 'allow', ...base };
			case 'ask':
				return {
					kind: 'ask',
					...base,
					detail: {
						kind: 'approval',
						tool: tool.name,
						title: tool.title,
						args,
						effect,
						label,
						rule: decision.rule,
						reason: decision.reason,
					},
				};
			case 'deny':
				return refuse('denied', args, `Not allowed: ${decision.reason}`);
		}
	}

	/** Runs a call that was allowed. Never rejects: a failure, a time-out or a stop is a result that the model can read. */
	async run(call: GateCall, context: ToolContext): Promise<GateOutcome> {
		const tool = this.#tools.find(context.runId, call.tool);
		if (!tool) return failed(`The tool “${call.tool}” no longer exists.`);
		const args = tool.schema.safeParse(call.args);
		if (!args.success) return failed(`The tool “${call.tool}” has changed and no longer takes these arguments.`);
		const timeout = AbortSignal.timeout(tool.timeoutMs);
		const signal = AbortSignal.any([context.signal, timeout]);
		const work = (async () => tool.run(args.data, { ...context, signal, ...this.#leave(tool, call, context) }))();
		try {
			return { ...outcomeOf(await settled(work, signal), tool, context), stopped: false };
		} catch (error) {
			const maybe = tool.effect === 'effectful' ? ' It may have taken effect.' : '';
			const ended = work.then(nothing, nothing);
			if (context.signal.aborted) return { ...failed(`Stopped before it was done.${maybe}`), stopped: true, ended };
			if (timeout.aborted)
				return { ...failed(`It was not done after ${Math.ceil(tool.timeoutMs / 1000)} s and was stopped.${maybe}`), ended };
			const outcome = failed(capped(error instanceof HearthError ? error.message : errorText(error), tool.outputCap));
			return isHopeless(error) ? { ...outcome, result: { ...outcome.result, hopeless: true } } : outcome;
		}
	}

	/** What an approved call waits for instead of running; undefined where it runs. */
	waitOf({ call, args, effect, label }: JudgedCall, caller: Caller): Judgement | undefined {
		const tool = this.#tools.find(caller.runId, call.tool);
		return tool && this.#waits(tool, { args, effect, label, repaired: false }, caller);
	}

	#waits(tool: Tool, call: Omit<Extract<Judgement, { kind: 'wait' }>, 'kind' | 'request'>, caller: Caller): Judgement | undefined {
		if (!tool.wait) return undefined;
		try {
			const request = tool.wait(tool.schema.parse(call.args), caller.now);
			return request && { kind: 'wait', ...call, request: request.kind === 'child' ? this.#delegated(request, caller) : request };
		} catch (error) {
			return refuse('impossible', call.args, error instanceof HearthError ? error.message : errorText(error));
		}
	}

	/** A child may do no more than the run that it works for. */
	#delegated(request: Extract<WaitRequest, { kind: 'child' }>, { runId, terms }: Caller): WaitRequest {
		if ((terms.depth ?? 0) >= MOST_DEPTH)
			throw terminal(
				'tool_denied',
				`This is delegated work ${MOST_DEPTH} levels deep already and can't be delegated again. Do it yourself.`,
			);
		const names = this.#tools.names(runId, terms);
		const unknown = request.tools?.filter((name) => !names.includes(name)) ?? [];
		if (unknown.length > 0)
			throw terminal('tool_unknown', `You have no tool named ${unknown.join(', ')}. Your tools are: ${names.join(', ')}.`);
		return { ...request, tools: request.tools ?? names.filter((name) => name !== DELEGATE) };
	}

	/** Undefined where the tool can't find out. Never rejects: what fails to find out does not know. */
	async verify(call: GateCall, context: ToolContext): Promise<VerifiedOutcome | undefined> {
		const tool = this.#tools.find(context.runId, call.tool);
		if (!tool?.verify) return undefined;
		const args = tool.schema.safeParse(call.args);
		if (!args.success) return { happened: 'unknown' };
		const signal = AbortSignal.any([context.signal, AbortSignal.timeout(tool.timeoutMs)]);
		const work = (async () => tool.verify?.(args.data, { ...context, signal }))();
		try {
			const verified = (await settled(work, signal)) ?? { happened: 'unknown' };
			if (verified.happened !== 'yes') return verified;
			return { happened: 'yes', ...outcomeOf(verified.output, tool, context) };
		} catch (error) {
			return { happened: 'unknown', found: capped(`Hearth could not find out. ${errorText(error)}`, FOUND_CHARS) };
		}
	}

	/** False where it could not be opened anew. Never rejects. */
	async reopen(resource: LiveResource, context: Pick<ToolContext, 'runId' | 'sessionId' | 'signal'>): Promise<boolean> {
		const tool = this.#tools.find(context.runId, resource.tool);
		if (!resource.reopens || !tool?.reopen) return false;
		const signal = AbortSignal.any([context.signal, AbortSignal.timeout(tool.timeoutMs)]);
		const work = (async () => tool.reopen?.(resource, { ...context, signal }))();
		return settled(work, signal).then(
			(opened) => opened === true,
			() => false,
		);
	}

	/**
	 * Judged again by the label that the journal holds, and not taken from the first judgement: a step that is redone after a crash
	 * gets the same leave (R2). The only place where a run gets a grant.
	 */
	#leave(tool: Tool, call: GateCall, context: ToolContext): { memory?: MemoryLeave } {
		const door = this.#memory;
		if (!tool.sink || !door) return {};
		const { label, modelName } = call;
		const { runId, sessionId, step, idempotencyKey: stepKey } = context;
		const { verdict, rule, reason: why } = decide(this.#policy, { effect: tool.effect, sink: tool.sink, label });
		return {
			memory: {
				grant: verdict === 'allow' && tool.sink === 'memory' ? mintWriteGrant({ by: 'gate', runId }) : undefined,
				why,
				provenance: (of) => door.provenance({ runId, step, label, modelName }, of),
				hold: (operation, provenance) => door.hold({ operation, provenance, label, rule, reason: why, sessionId, runId, stepKey }),
			},
		};
	}
}

/** What a tool found out about a call, as it is written down. */
export type VerifiedOutcome =
	| ({ readonly happened: 'yes' } & Omit<GateOutcome, 'stopped' | 'ended'>)
	| Exclude<Verified, { happened: 'yes' }>;

function nothing(): void {}

/** What is kept of a tool's output. A plan that does not follow from the one before fails the call. */
function outcomeOf(output: ToolOutput, tool: Tool, { plan: before }: ToolContext): Omit<GateOutcome, 'stopped' | 'ended'> {
	const checked = KeptOutput.safeParse(output);
	if (!checked.success)
		return failed(`“${tool.title}” gave back what can’t be kept.${tool.effect === 'effectful' ? ' It may have taken effect.' : ''}`);
	const { label = 'agent', plan, opened, closed, ...result } = checked.data;
	if (plan && !planFollows(before, plan)) return failed('The plan can’t become this: steps stay, and what is done or skipped stays so.');
	return {
		result: { ...result, text: capped(result.text, tool.outputCap) },
		label,
		...(plan && { plan }),
		...(opened && { opened: [...opened] }),
		...(closed && { closed: [...closed] }),
	};
}

/** The tool's own outcome, or a rejection when it has not ended within the grace time after `signal`. */
async function settled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	let giveUp = () => {};
	const deadline = new Promise<never>((_, reject) => {
		giveUp = () => {
			timer = setTimeout(() => reject(new Error('stopped')), GRACE_MS);
		};
	});
	if (signal.aborted) giveUp();
	else signal.addEventListener('abort', giveUp, { once: true });
	try {
		return await Promise.race([work, deadline]);
	} finally {
		clearTimeout(timer);
		signal.removeEventListener('abort', giveUp);
	}
}

function refuse(why: RunEventOf<'tool_refused'>['why'], args: Json, text: string): Judgement {
	return { kind: 'refuse', why, args, result: { text, isError: true, hopeless: true } };
}

function failed(text: string): GateOutcome {
	return { result: { text, isError: true }, label: 'agent', stopped: false };
}

/** What is missing or in the way now may be otherwise the next time. */
function isHopeless(error: unknown): boolean {
	return error instanceof HearthError && error.kind === 'terminal' && error.code !== 'not_found' && error.code !== 'conflict';
}

function errorText(error: unknown): string {
	return error instanceof Error && error.message !== '' ? `It failed: ${error.message}` : 'It failed.';
}
