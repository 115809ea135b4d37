import type { LanguageModelV4, LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { HearthError, needsOwner, toErrorShape } from '../domain/errors.ts';
import type { ProviderConfig } from '../domain/model.ts';
import { Usage } from '../domain/model.ts';
import type { AllowedAddress } from '../net/destination.ts';
import { cutError, stoppedError, tooLargeError } from '../net/errors.ts';
import type { AdapterDeps } from './adapter.ts';
import type { FinishReason, ModelEvent, ModelRequest } from './port.ts';
import { toPrompt, toTools } from './prompt.ts';
import { type CallSubject, emptyError } from './provider-errors.ts';
import { sdkError } from './sdk-errors.ts';
import { createSurrogateJoiner } from './surrogate-joiner.ts';
import { createThinkSplitter } from './think-splitter.ts';
import { createWire, type Wire, type WireOptions } from './wire-fetch.ts';

export interface SdkAdapter {
	stream: WireOptions['stream'];
	allow: AllowedAddress;
	/** A call without a key makes no sense. */
	needsKey: boolean;
	/** Servers of local models print `<think>` into the answer. */
	splitsThink: boolean;
	/** Makes the client library's model for one call; imports the library. */
	model(call: { request: ModelRequest; key: string | undefined; fetch: Wire['fetch'] }): Promise<LanguageModelV4>;
}

const CONNECT_MS = 10_000;
/** Far more than any model writes at a time, in UTF-16 units: a server that goes on is broken, and would break the chat that keeps it. */
const MOST_TEXT = 2_000_000;

/**
 * One model call through the client library, as events of the port. Never rejects; makes one HTTP call at most, or two where a server refuses to
 * be told the shape of the answer: then it is asked in words alone, and from then on at once.
 */
export async function* streamFromSdk(
	deps: AdapterDeps,
	adapter: SdkAdapter,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	const gone = new AbortController();
	const either = AbortSignal.any([signal, gone.signal]);
	const { answer, ...plain } = request;
	try {
		if (answer === undefined || deps.wordsOnly?.has(request.modelId)) yield* attempt(deps, adapter, plain, either);
		else yield* attemptWithShape(deps, adapter, { ...plain, answer }, either);
	} catch (error) {
		yield { type: 'error', error: signal.aborted ? stoppedError().shape : toErrorShape(error) };
	} finally {
		// Also when the caller stops iterating: the connection must not stay open.
		gone.abort();
	}
}

async function* attemptWithShape(
	deps: AdapterDeps,
	adapter: SdkAdapter,
	request: ModelRequest,
	signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
	let began = false;
	try {
		for await (const event of attempt(deps, adapter, request, signal)) {
			began = true;
			yield event;
		}
		return;
	} catch (error) {
		// What the server said is that it does not take this request; the same one in words alone shows whether it was the shape.
		if (began || !(error instanceof HearthError) || error.kind !== 'terminal' || error.code !== 'model_bad_response') throw error;
	}
	const { answer: _shape, ...plain } = request;
	for await (const event of attempt(deps, adapter, plain, signal)) {
		deps.wordsOnly?.add(request.modelId);
		yield event;
	}
}

/** Throws a HearthError where the call fails, after the text that had arrived. */
async function* attempt(deps: AdapterDeps, adapter: SdkAdapter, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
	if (signal.aborted) throw stoppedError();
	const key = await deps.key();
	if (adapter.needsKey && key === undefined) throw keyMissing(deps.provider);
	const subject: CallSubject = { provider: deps.provider, modelId: request.modelId, key, now: deps.now() };
	const limits = { allow: adapter.allow, signal, silenceMs: request.silenceMs, connectMs: Math.min(CONNECT_MS, request.silenceMs) };
	const wire = createWire({ fetch: deps.fetch, request: limits, subject, stream: adapter.stream });

	const output = createOutput(adapter.splitsThink, deps.provider.name);
	let end: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined;
	let failure: HearthError | undefined;
	for await (const part of readParts(() => openStream(adapter, request, key, wire, signal), signal)) {
		if (part.type === 'finish') end = part;
		else if (part.type === 'error') failure ??= wire.failure() ?? sdkError(part.error, subject);
		else yield* output.take(part);
	}
	yield* output.rest();
	failure = wire.failure() ?? failure;
	if (failure) throw failure;
	const reason = end?.finishReason;
	// Without its end marker an answer may be cut anywhere, also inside a tool call: those are not handed on.
	const complete = reason?.raw !== undefined || wire.sawDone();
	if (!complete && output.hasAny()) throw cutError(deps.provider.name);
	if (!output.hasAnswer() && reason?.unified !== 'content-filter' && reason?.unified !== 'length')
		throw new HearthError(emptyError(subject));
	yield* output.toolCalls();
	yield { type: 'finish', reason: finishReason(reason, output.callCount()), usage: toUsage(end?.usage) };
}

function openStream(adapter: SdkAdapter, request: ModelRequest, key: string | undefined, wire: Wire, signal: AbortSignal) {
	return adapter.model({ request, key, fetch: wire.fetch }).then((model) =>
		model.doStream({
			prompt: toPrompt(request),
			tools: toTools(request.tools),
			maxOutputTokens: request.maxOutputTokens,
			...(request.answer && { responseFormat: { type: 'json' as const, name: request.answer.name, schema: request.answer.schema } }),
			abortSignal: signal,
		}),
	);
}

/** The parts of a stream; an error of opening or reading it is its last part. Ends with the signal, whatever the library does. */
async function* readParts(
	open: () => Promise<{ stream: ReadableStream<LanguageModelV4StreamPart> }>,
	signal: AbortSignal,
): AsyncGenerator<LanguageModelV4StreamPart> {
	const stopped = new Promise<never>((_, reject) => {
		signal.addEventListener('abort', () => reject(stoppedError()), { once: true });
	});
	// It may lose every race.
	stopped.catch(() => undefined);
	let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined;
	try {
		reader = (await Promise.race([open(), stopped])).stream.getReader();
		for (;;) {
			const { done, value } = await Promise.race([reader.read(), stopped]);
			if (done) return;
			yield value;
		}
	} catch (error) {
		yield { type: 'error', error };
	} finally {
		reader?.cancel().catch(() => undefined);
	}
}

/** Turns parts into events: text told apart from thinking, tool calls kept until the end is known. Throws where it never ends. */
function createOutput(splitsThink: boolean, providerName: string) {
	const splitter = splitsThink ? createThinkSplitter() : undefined;
	const joined = { text: createSurrogateJoiner(), reasoning: createSurrogateJoiner() };
	const calls: Extract<ModelEvent, { type: 'tool_call' }>[] = [];
	let answered = false;
	let thought = false;
	let length = 0;

	function* emit(type: 'text' | 'reasoning', text: string): Generator<ModelEvent> {
		if (text === '') return;
		if (type === 'reasoning') thought = true;
		else if (text.trim() !== '') answered = true;
		yield { type, text };
	}
	function* answer(text: string): Generator<ModelEvent> {
		if (!splitter) return yield* emit('text', text);
		for (const piece of splitter.push(text)) yield* emit(piece.type, piece.text);
	}

	return {
		*take(part: LanguageModelV4StreamPart): Generator<ModelEvent> {
			if ('delta' in part) length += part.delta.length;
			if (length > MOST_TEXT) throw tooLargeError(providerName);
			if (part.type === 'text-delta') yield* answer(joined.text.push(part.delta));
			else if (part.type === 'reasoning-delta') yield* emit('reasoning', joined.reasoning.push(part.delta));
			else if (part.type === 'tool-call')
				calls.push({ type: 'tool_call', callId: part.toolCallId, tool: part.toolName, args: ownText(part.input) });
		},
		*rest(): Generator<ModelEvent> {
			yield* emit('reasoning', joined.reasoning.end());
			yield* answer(joined.text.end());
			for (const piece of splitter?.end() ?? []) yield* emit(piece.type, piece.text);
		},
		toolCalls: () => calls,
		callCount: () => calls.length,
		hasAny: () => answered || thought || calls.length > 0,
		hasAnswer: () => answered || calls.length > 0,
	};
}

/** Arguments that a server sent as text inside JSON come quoted once too often. */
function ownText(input: string): string {
	if (!input.startsWith('"')) return input;
	try {
		const inner: unknown = JSON.parse(input);
		return typeof inner === 'string' ? inner : input;
	} catch {
		// Malformed: the gate gets it as it is.
		return input;
	}
}

function finishReason(reason: LanguageModelV4FinishReason | undefined, callCount: number): FinishReason {
	if (callCount > 0) return reason?.unified === 'length' ? 'length' : 'tool_calls';
	switch (reason?.unified) {
		case 'length':
			return 'length';
		case 'content-filter':
			return 'content_filter';
		case 'stop':
		case 'tool-calls':
		case 'error':
		case undefined:
			return 'stop';
		default:
			return 'other';
	}
}

function toUsage(usage: LanguageModelV4Usage | undefined): Usage | undefined {
	const inputTokens = usage?.inputTokens.total;
	const outputTokens = usage?.outputTokens.total;
	if (inputTokens === undefined || outputTokens === undefined) return undefined;
	const parsed = Usage.safeParse({ inputTokens, outputTokens });
	return parsed.success ? parsed.data : undefined;
}

export function keyMissing(provider: ProviderConfig): HearthError {
	return needsOwner('model_auth', `${provider.name} needs a key.`, {
		safe: 'Your message is kept.',
		action: 'Enter a key in Settings, Models.',
	});
}
