import { HearthError } from '../domain/errors.ts';
import type { Inspection } from '../domain/inspection.ts';
import type { Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import type { Touch } from '../domain/sink.ts';
import type { Crossing, Decision } from '../firewall/judge.ts';
import { offersFor } from '../firewall/offers.ts';
import { reasonFor } from '../firewall/outside-effect.ts';
import type { Tool } from '../tools/port.ts';
import type { Caller, FirewallDoor, Judgement } from './gate-port.ts';
import { errorText, settled } from './tool-outcome.ts';

/** A disk that does not answer must not hold a run up for ever. */
const TOUCHES_MS = 20_000;

/** A call as the gate has read it. */
export interface Reading {
	readonly tool: Tool;
	readonly callId: string;
	readonly args: Json;
	readonly label: Label;
	readonly touches: readonly Touch[];
	readonly inspection: Inspection | undefined;
	/** `performance.now()` when its judging began. */
	readonly since: number;
}

export function inspectedArguments(firewall: Pick<FirewallDoor, 'inspectArguments'>, args: Json, touches: readonly Touch[]): Inspection {
	const commands = touches.flatMap((touch) => (touch.sink === 'shell' ? [touch.command] : []));
	return firewall.inspectArguments(args, commands);
}

/** The call's touches, each of a sink that the tool declared; else why there are none. Its arguments fit its schema. Never rejects. */
export async function touchesOf(
	tool: Tool,
	args: Json,
	{ runId, sessionId }: Pick<Caller, 'runId' | 'sessionId'>,
	before?: readonly Touch[],
): Promise<Touch[] | { why: 'impossible' | 'denied'; text: string; rule: string }> {
	if (!tool.touches) {
		if (!tool.sinks || tool.sinks.length === 0) return [];
		return { why: 'denied', text: `“${tool.title}” does not say what it would touch.`, rule: 'undeclared' };
	}
	try {
		const asked = (async () => tool.touches?.(tool.schema.parse(args), { runId, sessionId, before }))();
		const touches = (await settled(asked, AbortSignal.timeout(TOUCHES_MS))) ?? [];
		const undeclared = touches.find(({ sink }) => !tool.sinks?.includes(sink));
		if (!undeclared) return [...touches];
		return { why: 'denied', text: `“${tool.title}” would touch what it does not declare.`, rule: 'undeclared' };
	} catch (error) {
		return { why: 'impossible', text: error instanceof HearthError ? error.message : errorText(error), rule: 'impossible' };
	}
}

export function crossingOf({ tool, label, inspection, touches }: Reading, { terms, job, addresses }: Caller): Crossing {
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

/** What the owner is asked: all that the call is, and all that it rests on. */
export function askOf(
	{ tool, args, label, touches, inspection }: Reading,
	{ runId, sessionId, job, sources }: Caller,
	{ rule, reason, touch }: Decision,
	each: readonly Decision[],
): Extract<Judgement, { kind: 'ask' }>['detail'] {
	const card = tool.card?.(tool.schema.parse(args), touches);
	return {
		kind: 'approval',
		tool: tool.name,
		title: tool.title,
		args,
		effect: tool.effect,
		label,
		rule,
		reason: reasonFor(reason, touch),
		touches: [...touches],
		sources: [...sources],
		flags: inspection?.flags ?? [],
		risk: inspection?.risk ?? 'none',
		offers: offersFor(each, { label, runId, sessionId, workflow: job.workflow, task: job.task }),
		...(card && { card }),
	};
}
