import { HearthError, terminal } from '../domain/errors.ts';
import type { RunId } from '../domain/ids.ts';
import { asJson, canonicalJson, type Json } from '../domain/json.ts';
import { isWithin, joinLabels } from '../domain/label.ts';
import type { Interrupt } from '../domain/run.ts';
import type { Touch } from '../domain/sink.ts';
import type { LiveResource } from '../domain/tool.ts';
import { mintWriteGrant } from '../domain/write-grant.ts';
import { type Decision, judge, judgeTouch } from '../firewall/judge.ts';
import { waits } from '../firewall/policy-rule.ts';
import { DELEGATE } from '../tools/delegate.ts';
import type { MemoryLeave, Tool, ToolContext, WaitRequest } from '../tools/port.ts';
import { readArguments } from './arguments.ts';
import { MOST_DEPTH } from './children.ts';
import { crossingsOf, refusedCrossing } from './crossings.ts';
import type { RequestedCall, RunEventOf } from './events.ts';
import type { Caller, Crossings, FirewallDoor, GateCall, GateOutcome, Judgement, MemoryDoor, VerifiedOutcome } from './gate-port.ts';
import { askOf, crossingOf, inspectedArguments, type Reading, touchesOf } from './reading.ts';
import type { JudgedCall } from './state.ts';
import { leftOutOfTest } from './test-run.ts';
import { errorText, failed, failureOf, inspected, outcomeOf, settled } from './tool-outcome.ts';
import { capped } from './tool-output.ts';
import type { Toolbox } from './toolbox.ts';
import { underWay } from './under-way.ts';

/**
 * The only door to tools: reads a call, labels it, asks what it would touch, judges that, and is the only caller of a tool's `run`. Every
 * decision has a rule and a reason, and comes with the records that are written in the transaction of its event (S1).
 */

/** Of what a tool found out, told to the owner. */
const FOUND_CHARS = 500;

export interface GateDeps {
	readonly tools: Toolbox;
	readonly firewall: FirewallDoor;
	/** Without it tools that want to change memory are refused. */
	readonly memory?: MemoryDoor | undefined;
}

export class Gate {
	readonly #tools: Toolbox;
	readonly #firewall: FirewallDoor;
	readonly #memory: MemoryDoor | undefined;

	constructor({ tools, firewall, memory }: GateDeps) {
		this.#tools = tools;
		this.#firewall = firewall;
		this.#memory = memory;
	}

	/** The tool's name for people; undefined where the tool is gone. */
	titleOf(runId: RunId, name: string): string | undefined {
		return this.#tools.find(runId, name)?.title;
	}

	/** Never rejects: what can't be judged is refused. */
	async judge(call: RequestedCall, caller: Caller): Promise<Judgement> {
		const { runId, terms, seen } = caller;
		const since = performance.now();
		const label = joinLabels('agent', seen);
		const refused = (why: RunEventOf<'tool_refused'>['why'], args: Json, text: string, rule: string): Judgement => {
			const crossings = refusedCrossing({ callId: call.callId, tool: call.tool, label, args, since }, caller, rule, firstLine(text));
			return refuse(why, args, text, crossings);
		};
		const tool = this.#tools.find(runId, call.tool, terms);
		if (!tool) {
			const absence = this.#tools.absence(call.tool);
			const names = this.#tools.names(runId, terms).join(', ') || 'none';
			const text = `There is no tool named “${call.tool}”.${absence === undefined ? '' : ` ${absence}`} The tools are: ${names}.`;
			return refused('unknown', call.args, text, 'unknown_tool');
		}
		const read = readArguments(tool, call.args);
		if (!read.ok) {
			const text = `The arguments can't be read: ${read.problem}\nCall ${tool.name} once more with arguments that fit its schema.`;
			return refused('unreadable', call.args, text, 'unreadable');
		}
		const { args, repaired } = read;
		const { effect } = tool;
		const touches = await touchesOf(tool, args, caller);
		if (!Array.isArray(touches)) return refused(touches.why, args, touches.text, touches.rule);
		if (this.#hasMask(args, touches)) return refused('denied', args, HOLDS_MASK, 'holds_mask');
		const inspection = touches.length === 0 ? undefined : inspectedArguments(this.#firewall, args, touches);
		const reading: Reading = { tool, callId: call.callId, args, label, touches, inspection, since };
		const base = { args, effect, label, repaired, touches };
		if (tool.question && !terms.test) {
			const detail = { kind: 'question' as const, ...tool.question(tool.schema.parse(args)) };
			return { kind: 'ask', ...base, crossings: this.#crossings(reading, caller, [QUESTION]), detail };
		}
		const { decision, each } = judge(this.#firewall.law(), crossingOf(reading, caller), touches);
		const leftOut = terms.test && leftOutOfTest(reading, caller, decision, each);
		if (leftOut) {
			const crossings = refusedCrossing({ ...reading, tool: tool.name }, caller, 'test_run', 'A test run does nothing that has an effect.');
			return { kind: 'refuse', why: 'test', args, ...leftOut, crossings };
		}
		const crossings = this.#crossings(reading, caller, each);
		switch (decision.verdict) {
			case 'allow':
			case 'hold':
				// What is held runs too: it leaves a proposal, and the reply goes on.
				if (touches.some(({ sink }) => waits(sink)) && !this.#memory)
					return refused('denied', args, 'Memory is not open here.', 'no_memory');
				return this.#waits(tool, { ...base, crossings }, caller) ?? { kind: 'allow', ...base, crossings };
			case 'ask':
				return { kind: 'ask', ...base, crossings, detail: askOf(reading, caller, decision, each) };
			case 'deny':
				return refuse('denied', args, `Not allowed: ${decision.reason}`, crossings);
		}
	}

	/**
	 * Whether the owner's yes was to this very call: its arguments, all it would touch, and text no more tainted than they were told (B3). Their
	 * word that it is to run again is a yes to what ran before.
	 */
	async isApproved(judged: JudgedCall, interrupt: Interrupt | undefined, caller: Caller): Promise<boolean> {
		const { call, args, label, approvedBy, touches: before = [] } = judged;
		if (approvedBy === undefined || interrupt?.id !== approvedBy) return false;
		const { detail, runId, step, callId, status } = interrupt;
		if ((detail.kind !== 'approval' && detail.kind !== 'did_it_happen') || status !== 'answered') return false;
		if (runId !== caller.runId || step !== caller.step || callId !== call.callId || detail.tool !== call.tool) return false;
		const shown = detail.kind === 'approval' ? detail : { touches: before, label };
		const tool = this.#tools.find(caller.runId, call.tool, caller.terms);
		const touches = tool && (await touchesOf(tool, args, caller, shown.touches));
		return Array.isArray(touches) && isWithin(label, shown.label) && isSame(detail.args, args) && isSame(shown.touches, touches);
	}

	/** Runs a call that was allowed. Never rejects: a failure, a time-out or a stop is a result that the model can read. */
	async run(call: GateCall, caller: Caller, context: ToolContext): Promise<GateOutcome> {
		const tool = this.#tools.find(context.runId, call.tool);
		if (!tool) return failed(this.#tools.absence(call.tool) ?? `The tool “${call.tool}” no longer exists.`);
		// Whatever judged it: a test has no effect.
		if (caller.terms.test && tool.effect !== 'pure') return failed('Not done: this is a test run.');
		const args = tool.schema.safeParse(call.args);
		if (!args.success) return failed(`The tool “${call.tool}” has changed and no longer takes these arguments.`);
		const timeout = AbortSignal.timeout(tool.timeoutMs);
		const signal = AbortSignal.any([context.signal, timeout]);
		const inside = {
			...context,
			signal,
			...underWay(this.#firewall, { tool, call, caller, touches: context.touches }),
		};
		const work = (async () => tool.run(args.data, { ...inside, ...this.#leave(tool, call, caller, context) }))();
		try {
			const outcome = outcomeOf(await settled(work, signal), tool, context, this.#firewall.redacted);
			return { ...(await inspected(outcome, this.#firewall, context.runId)), stopped: false };
		} catch (error) {
			const maybe = tool.effect === 'effectful' ? ' It may have taken effect.' : '';
			const ended = work.then(nothing, nothing);
			if (context.signal.aborted) return { ...failed(`Stopped before it was done.${maybe}`), stopped: true, ended };
			if (timeout.aborted)
				return { ...failed(`It was not done after ${Math.ceil(tool.timeoutMs / 1000)} s and was stopped.${maybe}`), ended };
			return inspected(failureOf(error, tool, this.#firewall.redacted), this.#firewall, context.runId);
		}
	}

	/** What an approved call waits for instead of running; undefined where it runs. */
	waitOf({ call, args, effect, label, touches = [] }: JudgedCall, caller: Caller): Judgement | undefined {
		const tool = this.#tools.find(caller.runId, call.tool);
		const crossings: Crossings = { audit: [], permissionIds: [] };
		return tool && this.#waits(tool, { args, effect, label, repaired: false, touches, crossings }, caller);
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
			const outcome = outcomeOf(verified.output, tool, context, this.#firewall.redacted);
			return { happened: 'yes', ...(await inspected(outcome, this.#firewall, context.runId)) };
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

	/** A mask in place of a secret is never written as text (S3). */
	#hasMask(args: Json, touches: readonly Touch[]): boolean {
		const writes = touches.some((touch) => touch.sink !== 'file' || touch.access === 'write');
		return writes && this.#firewall.hasMask(JSON.stringify(args));
	}

	#crossings({ tool, ...text }: Reading, caller: Caller, decisions: readonly Decision[]): Crossings {
		return crossingsOf({ ...text, tool: tool.name }, caller, decisions);
	}

	#waits(tool: Tool, call: Omit<Extract<Judgement, { kind: 'wait' }>, 'kind' | 'request'>, caller: Caller): Judgement | undefined {
		if (!tool.wait) return undefined;
		try {
			const request = tool.wait(tool.schema.parse(call.args), caller.now);
			return request && { kind: 'wait', ...call, request: request.kind === 'child' ? this.#delegated(request, caller) : request };
		} catch (error) {
			return refuse('impossible', call.args, error instanceof HearthError ? error.message : errorText(error), call.crossings);
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

	/**
	 * Judged again by the label that the journal holds, and not taken from the first judgement: a step that is redone after a crash
	 * gets the same leave (R2). The only place where a run gets a grant.
	 */
	#leave(tool: Tool, call: GateCall, caller: Caller, context: ToolContext): { memory?: MemoryLeave } {
		const door = this.#memory;
		const touch = context.touches.find(({ sink }) => waits(sink));
		if (!touch || !door) return {};
		const { args, callId, label, modelName } = call;
		const { runId, sessionId, step, idempotencyKey: stepKey } = context;
		const inspection = inspectedArguments(this.#firewall, args, [touch]);
		const reading: Reading = { tool, callId, args, label, touches: [touch], inspection, since: performance.now() };
		const { verdict, rule, reason: why } = judgeTouch(this.#firewall.law(), crossingOf(reading, caller), touch);
		return {
			memory: {
				grant: verdict === 'allow' && touch.sink === 'memory' ? mintWriteGrant({ by: 'gate', runId }) : undefined,
				why,
				provenance: (of) => door.provenance({ runId, step, label, modelName }, of),
				hold: (operation, provenance) => door.hold({ operation, provenance, label, rule, reason: why, sessionId, runId, stepKey }),
			},
		};
	}
}

const QUESTION: Decision = { verdict: 'ask', rule: 'question', reason: 'It asks you something.' };
const HOLDS_MASK =
	'The arguments hold a mask that stands for a secret which was removed. It is no text to be written: leave it out, or ask the owner to do this part.';

function isSame(left: Json | readonly Touch[], right: Json | readonly Touch[]): boolean {
	return canonicalJson(asJson(left)) === canonicalJson(asJson(right));
}

function nothing(): void {}

function firstLine(text: string): string {
	return text.split('\n', 1)[0] ?? text;
}

function refuse(why: RunEventOf<'tool_refused'>['why'], args: Json, text: string, crossings: Crossings): Judgement {
	return { kind: 'refuse', why, args, result: { text, isError: true, hopeless: true }, crossings };
}
