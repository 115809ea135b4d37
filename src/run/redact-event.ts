import type { ContextSource } from '../domain/context-source.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { Json } from '../domain/json.ts';
import { isWithin, type Label } from '../domain/label.ts';
import type { InterruptAnswer, WaitOutcome } from '../domain/run.ts';
import type { LiveResource, ToolResult } from '../domain/tool.ts';
import type { Redactor } from '../firewall/ports.ts';
import type { RequestedCall, RunEvent, RunEventOf, StreamedPart } from './events.ts';

/**
 * What of an event is written down: no secret is (S3). What others wrote loses all that looks like one; what the agent writes, keys by their
 * format, since it may well make up a password; the owner's words and a model's text, values that are known. Doing it twice changes nothing. Pure.
 */

type Redact = (text: string) => string;

/** Of a text with this label. */
export function redactorFor(redactor: Redactor, label: Label): Redact {
	return (text) => (isWithin(label, 'agent') ? redactor.redactKeys(text) : redactor.redact(text)).text;
}

/** What comes with an event of this label. As one text: `password` may stand in one member's name, and the word itself beside it. */
export function payloadWith(payload: Json, label: Label, redactor: Redactor): Json {
	return JSON.parse(redactorFor(redactor, label)(JSON.stringify(payload))) as Json;
}

export function redactEvent(event: RunEvent, redactor: Redactor): RunEvent {
	const known: Redact = (text) => redactor.redactKnown(text).text;
	const keys: Redact = (text) => redactor.redactKeys(text).text;
	const all: Redact = (text) => redactor.redact(text).text;
	switch (event.type) {
		case 'run_started':
			return {
				...event,
				...(event.script && { script: event.script.map((call) => callWith(call, keys)) }),
				...(event.isolated && { isolated: { ...event.isolated, instructions: keys(event.isolated.instructions) } }),
			};
		case 'model_started':
			return event.sources ? { ...event, sources: sourcesWith(event.sources, all) } : event;
		case 'model_finished':
			return { ...event, parts: partsWith(event.parts, known), calls: event.calls.map((call) => callWith(call, keys)) };
		case 'model_failed':
		case 'run_failed':
			return { ...event, parts: partsWith(event.parts, known), error: errorWith(event.error, all) };
		case 'process_died':
		case 'stopped':
			return { ...event, parts: partsWith(event.parts, known) };
		case 'tool_started':
		case 'interrupt_opened':
			return { ...event, args: jsonWith(event.args, keys) };
		case 'tool_refused':
			return {
				...event,
				args: jsonWith(event.args, keys),
				result: resultWith(event.result, keys),
				...(event.need && { need: { ...event.need, what: keys(event.need.what) } }),
			};
		case 'tool_finished':
			return { ...event, ...outcomeWith(event, redactor) };
		case 'effect_verified':
			return { ...event, verdict: verdictWith(event.verdict, redactor) };
		case 'interrupt_answered':
			return { ...event, answer: answerWith(event.answer, known) };
		case 'wait_ended':
			return { ...event, outcome: waitWith(event.outcome, redactor) };
		default:
			return event;
	}
}

function verdictWith(verdict: RunEventOf<'effect_verified'>['verdict'], redactor: Redactor): typeof verdict {
	if (verdict.happened === 'yes') return { ...verdict, ...outcomeWith(verdict, redactor) };
	if (verdict.happened === 'no' || verdict.found === undefined) return verdict;
	return { ...verdict, found: redactor.redact(verdict.found).text };
}

interface Outcome {
	readonly result: ToolResult;
	readonly label: Label;
	readonly sources?: ContextSource[] | undefined;
	readonly opened?: LiveResource[] | undefined;
}

function outcomeWith(
	{ result, label, sources, opened }: Outcome,
	redactor: Redactor,
): Partial<Pick<Outcome, 'result'>> & Omit<Outcome, 'result' | 'label'> {
	const all: Redact = (text) => redactor.redact(text).text;
	return {
		result: resultWith(result, redactorFor(redactor, label)),
		...(sources && { sources: sourcesWith(sources, all) }),
		...(opened && { opened: opened.map((resource) => ({ ...resource, what: all(resource.what) })) }),
	};
}

function resultWith(result: ToolResult, redact: Redact): ToolResult {
	const { summary } = result;
	return { ...result, text: redact(result.text), ...(summary !== undefined && { summary: redact(summary) }) };
}

function sourcesWith(sources: readonly ContextSource[], redact: Redact): ContextSource[] {
	return sources.map((source) => ({ ...source, name: redact(source.name), ...(source.url !== undefined && { url: redact(source.url) }) }));
}

function partsWith(parts: readonly StreamedPart[], redact: Redact): StreamedPart[] {
	return parts.map((part) => ({ ...part, text: redact(part.text) }));
}

/** A mask has no sign that JSON would write otherwise: what was JSON stays it. */
function callWith(call: RequestedCall, redact: Redact): RequestedCall {
	return { ...call, args: redact(call.args) };
}

function errorWith(error: ErrorShape, redact: Redact): ErrorShape {
	const { message, safe, action } = error;
	return {
		...error,
		message: redact(message),
		...(safe !== undefined && { safe: redact(safe) }),
		...(action !== undefined && { action: redact(action) }),
	};
}

function answerWith(answer: InterruptAnswer, redact: Redact): InterruptAnswer {
	switch (answer.type) {
		case 'reply':
			return { ...answer, text: redact(answer.text) };
		case 'happened':
			return { ...answer, result: redact(answer.result) };
		case 'reject':
			return answer.reason === undefined ? answer : { ...answer, reason: redact(answer.reason) };
		default:
			return answer;
	}
}

function waitWith(outcome: WaitOutcome, redactor: Redactor): WaitOutcome {
	switch (outcome.type) {
		case 'event_came':
			return { ...outcome, payload: payloadWith(outcome.payload, outcome.label, redactor) };
		case 'child_ended':
			return { ...outcome, text: redactorFor(redactor, outcome.label)(outcome.text) };
		default:
			return outcome;
	}
}

/** Every text in it, names of members too. */
export function jsonWith(value: Json, redact: Redact): Json {
	if (typeof value === 'string') return redact(value);
	if (Array.isArray(value)) return value.map((each) => jsonWith(each, redact));
	if (value === null || typeof value !== 'object') return value;
	return Object.fromEntries(Object.entries(value).map(([name, each]) => [redact(name), jsonWith(each, redact)]));
}
