import { jsonrepair } from 'jsonrepair';
import { z } from 'zod';
import { HearthError } from '../domain/errors.ts';
import { Json } from '../domain/json.ts';
import { joinLabels, type Label } from '../domain/label.ts';
import type { InterruptDetail } from '../domain/run.ts';
import { cutCodePoints, repairSurrogates } from '../domain/text.ts';
import type { EffectClass, ToolResult } from '../domain/tool.ts';
import { mintWriteGrant } from '../domain/write-grant.ts';
import type { HoldMemoryWrite, MemoryLeave, Tool, ToolContext } from '../tools/port.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import type { RequestedCall } from './events.ts';
import { decide, type PolicyRule } from './policy.ts';
import type { WriteProvenance } from './write-provenance.ts';

/** The only door to tools: reads a call, labels it, judges it, and is the only caller of a tool's `run`. */

export type Judgement =
	| { kind: 'allow'; args: Json; effect: EffectClass; label: Label; repaired: boolean }
	| { kind: 'ask'; args: Json; effect: EffectClass; label: Label; repaired: boolean; detail: InterruptDetail }
	| { kind: 'refuse'; why: 'denied' | 'unknown' | 'unreadable'; args: Json; result: ToolResult };

/** Time a tool gets to end after it was told to stop, before it is left behind. */
const GRACE_MS = 1_500;

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

export interface GateOutcome {
	readonly result: ToolResult;
	readonly label: Label;
	readonly stopped: boolean;
	/** Of a tool that was left behind: resolves when it has really ended. */
	readonly ended?: Promise<void>;
}

export class Gate {
	readonly #tools: ToolRegistry;
	readonly #policy: readonly PolicyRule[];
	readonly #memory: MemoryDoor | undefined;

	/** Without a door to memory, tools with a sink are refused. */
	constructor(tools: ToolRegistry, policy: readonly PolicyRule[], memory?: MemoryDoor) {
		this.#tools = tools;
		this.#policy = policy;
		this.#memory = memory;
	}

	/** The tool's name for people; undefined where the tool is gone. */
	titleOf(name: string): string | undefined {
		return this.#tools.find(name)?.title;
	}

	/** `seen`: the join over everything the step that made the call could see (B2). */
	judge(call: RequestedCall, seen: Label): Judgement {
		const tool = this.#tools.find(call.tool);
		if (!tool)
			return refuse(
				'unknown',
				call.args,
				`There is no tool named “${call.tool}”. The tools are: ${this.#tools.names().join(', ') || 'none'}.`,
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
				return tool.sink && !this.#memory ? refuse('denied', args, 'Memory is not open here.') : { kind: 'allow', ...base };
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
		const tool = this.#tools.find(call.tool);
		if (!tool) return failed(`The tool “${call.tool}” no longer exists.`);
		const args = tool.schema.safeParse(call.args);
		if (!args.success) return failed(`The tool “${call.tool}” has changed and no longer takes these arguments.`);
		const timeout = AbortSignal.timeout(tool.timeoutMs);
		const signal = AbortSignal.any([context.signal, timeout]);
		const work = (async () => tool.run(args.data, { ...context, signal, ...this.#leave(tool, call, context) }))();
		try {
			const { label, ...result } = await settled(work, signal);
			return { result: { ...result, text: capped(result.text, tool.outputCap) }, label: label ?? 'agent', stopped: false };
		} catch (error) {
			const maybe = tool.effect === 'effectful' ? ' It may have taken effect.' : '';
			const ended = work.then(nothing, nothing);
			if (context.signal.aborted) return { ...failed(`Stopped before it was done.${maybe}`), stopped: true, ended };
			if (timeout.aborted)
				return { ...failed(`It was not done after ${Math.ceil(tool.timeoutMs / 1000)} s and was stopped.${maybe}`), ended };
			return failed(capped(error instanceof HearthError ? error.message : errorText(error), tool.outputCap));
		}
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

function nothing(): void {}

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

type Read = { ok: true; args: Json; repaired: boolean } | { ok: false; problem: string };

/** JSON as it stands, else repaired, then the tool's own schema. What is kept is what the schema made of it. */
function readArguments(tool: Tool, text: string): Read {
	const parsed = parseJson(text.trim() === '' ? '{}' : text);
	if (!parsed) return { ok: false, problem: 'they are not JSON.' };
	const checked = tool.schema.safeParse(parsed.value);
	if (!checked.success) return { ok: false, problem: z.prettifyError(checked.error) };
	const args = Json.safeParse(checked.data);
	return args.success ? { ok: true, args: args.data, repaired: parsed.repaired } : { ok: false, problem: 'they are not JSON.' };
}

function parseJson(text: string): { value: unknown; repaired: boolean } | undefined {
	try {
		return { value: JSON.parse(text), repaired: false };
	} catch {
		return repairJson(text);
	}
}

function repairJson(text: string): { value: unknown; repaired: boolean } | undefined {
	try {
		return { value: JSON.parse(jsonrepair(text)), repaired: true };
	} catch {
		return undefined;
	}
}

function refuse(why: 'denied' | 'unknown' | 'unreadable', args: Json, text: string): Judgement {
	return { kind: 'refuse', why, args, result: { text, isError: true } };
}

function failed(text: string): GateOutcome {
	return { result: { text, isError: true }, label: 'agent', stopped: false };
}

/** Cut on a code point, and said so (chat-4). */
function capped(text: string, cap: number): string {
	const whole = repairSurrogates(text);
	if (whole.length <= cap) return whole;
	return `${cutCodePoints(whole, cap)}\n[cut here: ${whole.length - cap} more characters]`;
}

function errorText(error: unknown): string {
	return error instanceof Error && error.message !== '' ? `It failed: ${error.message}` : 'It failed.';
}
