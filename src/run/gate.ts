import type { AuditEntry } from '../domain/audit.ts';
import { HearthError, terminal } from '../domain/errors.ts';
import type { RunId } from '../domain/ids.ts';
import type { Inspection } from '../domain/inspection.ts';
import { asJson, canonicalJson, type Json } from '../domain/json.ts';
import { isWithin, joinLabels, type Label } from '../domain/label.ts';
import type { Interrupt } from '../domain/run.ts';
import type { Touch, TouchOf } from '../domain/sink.ts';
import type { LiveResource } from '../domain/tool.ts';
import { mintWriteGrant } from '../domain/write-grant.ts';
import { type Crossing, type Decision, judge, judgeTouch } from '../firewall/judge.ts';
import { offersFor } from '../firewall/offers.ts';
import { permits } from '../firewall/permission.ts';
import { waits } from '../firewall/policy-rule.ts';
import type { NamedBy } from '../net/page-address.ts';
import { DELEGATE } from '../tools/delegate.ts';
import type { MemoryLeave, Tool, ToolContext, WaitRequest } from '../tools/port.ts';
import { readArguments } from './arguments.ts';
import { MOST_DEPTH } from './children.ts';
import { crossingsOf, refusedCrossing } from './crossings.ts';
import type { RequestedCall, RunEventOf } from './events.ts';
import type { Caller, Crossings, FirewallDoor, GateCall, GateOutcome, Judgement, MemoryDoor, VerifiedOutcome } from './gate-port.ts';
import type { JudgedCall } from './state.ts';
import { errorText, failed, failureOf, outcomeOf, settled } from './tool-outcome.ts';
import { capped } from './tool-output.ts';
import type { Toolbox } from './toolbox.ts';

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

interface Reading {
	readonly tool: Tool;
	readonly callId: string;
	readonly args: Json;
	readonly label: Label;
	readonly touches: readonly Touch[];
	readonly inspection: Inspection | undefined;
	readonly since: number;
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
		const touches = await this.#touchesOf(tool, args, caller);
		if (!Array.isArray(touches)) return refused(touches.why, args, touches.text, touches.rule);
		if (this.#hasMask(args, touches)) return refused('denied', args, HOLDS_MASK, 'holds_mask');
		const inspection = touches.length === 0 ? undefined : this.#firewall.inspect(JSON.stringify(args));
		const reading: Reading = { tool, callId: call.callId, args, label, touches, inspection, since };
		const base = { args, effect, label, repaired, touches };
		if (tool.question) {
			const detail = { kind: 'question' as const, ...tool.question(tool.schema.parse(args)) };
			return { kind: 'ask', ...base, crossings: this.#crossings(reading, caller, [QUESTION]), detail };
		}
		const { decision, each } = judge(this.#firewall.law(), crossingOf(reading, caller), touches);
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

	/** Whether the owner's yes was to this very call: its arguments, all it would touch, and text no more tainted than they were told (B3). */
	async isApproved({ call, args, label, approvedBy }: JudgedCall, interrupt: Interrupt | undefined, caller: Caller): Promise<boolean> {
		if (approvedBy === undefined || interrupt?.id !== approvedBy) return false;
		const { detail, runId, step, callId, status } = interrupt;
		if (detail.kind !== 'approval' || status !== 'answered') return false;
		if (runId !== caller.runId || step !== caller.step || callId !== call.callId || detail.tool !== call.tool) return false;
		const tool = this.#tools.find(caller.runId, call.tool, caller.terms);
		const touches = tool && (await this.#touchesOf(tool, args, caller));
		if (!Array.isArray(touches) || !isWithin(label, detail.label)) return false;
		return canonicalJson(detail.args) === canonicalJson(args) && canonicalJson(asJson(detail.touches)) === canonicalJson(asJson(touches));
	}

	/** Runs a call that was allowed. Never rejects: a failure, a time-out or a stop is a result that the model can read. */
	async run(call: GateCall, caller: Caller, context: ToolContext): Promise<GateOutcome> {
		const tool = this.#tools.find(context.runId, call.tool);
		if (!tool) return failed(this.#tools.absence(call.tool) ?? `The tool “${call.tool}” no longer exists.`);
		const args = tool.schema.safeParse(call.args);
		if (!args.success) return failed(`The tool “${call.tool}” has changed and no longer takes these arguments.`);
		const timeout = AbortSignal.timeout(tool.timeoutMs);
		const signal = AbortSignal.any([context.signal, timeout]);
		const inside = {
			...context,
			signal,
			mayTouch: (touch: Touch) => this.#mayTouch(tool, call, caller, context, touch),
			namedBy: (touch: TouchOf<'network'>) => this.#namedBy(call, caller, context, touch),
		};
		const work = (async () => tool.run(args.data, { ...inside, ...this.#leave(tool, call, caller, context) }))();
		try {
			return { ...outcomeOf(await settled(work, signal), tool, context, this.#firewall.redacted), stopped: false };
		} catch (error) {
			const maybe = tool.effect === 'effectful' ? ' It may have taken effect.' : '';
			const ended = work.then(nothing, nothing);
			if (context.signal.aborted) return { ...failed(`Stopped before it was done.${maybe}`), stopped: true, ended };
			if (timeout.aborted)
				return { ...failed(`It was not done after ${Math.ceil(tool.timeoutMs / 1000)} s and was stopped.${maybe}`), ended };
			return failureOf(error, tool, this.#firewall.redacted);
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
			return { happened: 'yes', ...outcomeOf(verified.output, tool, context, this.#firewall.redacted) };
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

	/** The call's touches, each of a sink that the tool declared; else why there are none. Its arguments fit its schema. */
	async #touchesOf(
		tool: Tool,
		args: Json,
		{ runId, sessionId }: Caller,
	): Promise<Touch[] | { why: 'impossible' | 'denied'; text: string; rule: string }> {
		if (!tool.touches) {
			if (!tool.sinks || tool.sinks.length === 0) return [];
			return { why: 'denied', text: `“${tool.title}” does not say what it would touch.`, rule: 'undeclared' };
		}
		try {
			const touches = await tool.touches(tool.schema.parse(args), { runId, sessionId });
			const undeclared = touches.find(({ sink }) => !tool.sinks?.includes(sink));
			if (!undeclared) return [...touches];
			return { why: 'denied', text: `“${tool.title}” would touch what it does not declare.`, rule: 'undeclared' };
		} catch (error) {
			return { why: 'impossible', text: error instanceof HearthError ? error.message : errorText(error), rule: 'impossible' };
		}
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
	 * What a call under way came upon. What led there was chosen by who answered, not by the model: within a host that the call may reach it may
	 * be followed; beyond it the rules decide, and nobody is asked.
	 */
	#mayTouch(tool: Tool, { callId, args, label }: GateCall, caller: Caller, context: ToolContext, touch: Touch): boolean {
		const since = performance.now();
		const law = this.#firewall.law();
		const decision: Decision = context.touches.some((allowed) => isSameHost(allowed, touch))
			? { verdict: 'allow', rule: 'same_host', reason: 'The call may reach this host.', touch }
			: judgeTouch(law, crossingOf({ tool, callId, args, label, touches: [touch], inspection: undefined, since }, caller), touch);
		const allowed = decision.verdict === 'allow' && tool.sinks?.includes(touch.sink) === true;
		// Nobody is asked in the midst of a call: what is not allowed is refused.
		const told: Decision = allowed ? decision : { ...decision, verdict: 'deny' };
		const { audit } = crossingsOf({ tool: tool.name, callId, args, label, since }, caller, [told]);
		this.#record(audit);
		return allowed;
	}

	/** The owner's own naming of a host, not that of a wildcard (S2): also as one that a command may reach. */
	#namedBy(call: GateCall, { job, addresses }: Caller, { touches }: ToolContext, touch: TouchOf<'network'>): NamedBy | undefined {
		const { tool, label, approvedTouches = [] } = call;
		const { permissions } = this.#firewall.law();
		const permitted = permissions.some(({ terms }) => {
			const { scope } = terms;
			if (scope.kind === 'host') return scope.host === touch.host && permits(terms, { touch, label, tool, job });
			if (scope.kind !== 'command' || !scope.hosts.includes(touch.host)) return false;
			return touches.some((command) => command.sink === 'shell' && permits(terms, { touch: command, label, tool, job }));
		});
		if (permitted) return 'permission';
		if (approvedTouches.some((approved) => namesHost(approved, touch.host))) return 'approval';
		return [...addresses()].some((address) => new URL(address).host === touch.host) ? 'message' : undefined;
	}

	#record(entries: readonly AuditEntry[]): void {
		void this.#firewall.audit.record(entries);
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
		const inspection = this.#firewall.inspect(JSON.stringify(args));
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

function crossingOf({ tool, label, inspection, touches }: Reading, { terms, job, addresses }: Caller): Crossing {
	return {
		tool: tool.name,
		effect: tool.effect,
		label,
		work: terms.kind ?? 'chat',
		job,
		...(touches.some(({ sink }) => sink === 'network') && { addresses: addresses() }),
		inspection,
	};
}

function askOf(
	{ tool, args, label, touches, inspection }: Reading,
	{ runId, sessionId, job, sources }: Caller,
	{ rule, reason }: Decision,
	each: readonly Decision[],
): Extract<Judgement, { kind: 'ask' }>['detail'] {
	return {
		kind: 'approval',
		tool: tool.name,
		title: tool.title,
		args,
		effect: tool.effect,
		label,
		rule,
		reason,
		touches: [...touches],
		sources: [...sources],
		flags: inspection?.flags ?? [],
		risk: inspection?.risk ?? 'none',
		offers: offersFor(each, { label, runId, sessionId, workflow: job.workflow }),
	};
}

function isSameHost(allowed: Touch, touch: Touch): boolean {
	return allowed.sink === 'network' && touch.sink === 'network' && touch.method === 'GET' && allowed.host === touch.host;
}

function nothing(): void {}

function firstLine(text: string): string {
	return text.split('\n', 1)[0] ?? text;
}

function refuse(why: RunEventOf<'tool_refused'>['why'], args: Json, text: string, crossings: Crossings): Judgement {
	return { kind: 'refuse', why, args, result: { text, isError: true, hopeless: true }, crossings };
}

function namesHost(touch: Touch, host: string): boolean {
	return (touch.sink === 'network' && touch.host === host) || (touch.sink === 'shell' && touch.hosts.includes(host));
}
