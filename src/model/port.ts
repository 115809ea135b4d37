import type { ContextSource } from '../domain/context-source.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { Json } from '../domain/json.ts';
import type { ModelInfo, ProviderKind, Usage } from '../domain/model.ts';

/** A conversation as every provider understands it. Adapters translate; they add nothing. */
export type ModelMessage =
	| { role: 'user'; content: readonly UserContent[] }
	/** `by`: name of the model that wrote it, where it is known. */
	| { role: 'assistant'; text: string; toolCalls: readonly { callId: string; tool: string; args: Json }[]; by?: string }
	| { role: 'tool'; callId: string; tool: string; text: string; isError: boolean };

export type UserContent = { type: 'text'; text: string } | { type: 'image'; mime: string; base64: string };

/** A tool as the model is told of it: `parameters` is JSON Schema. */
export interface ModelTool {
	readonly name: string;
	readonly description: string;
	readonly parameters: { [key: string]: Json };
	/** Who wrote the description, where Hearth did not. Not told to the model. */
	readonly describedBy?: ContextSource;
}

export interface ModelRequest {
	readonly modelId: string;
	readonly system: string;
	readonly messages: readonly ModelMessage[];
	readonly tools: readonly ModelTool[];
	/** Tokens the prompt was fitted to; Ollama needs it as `num_ctx`. */
	readonly windowTokens: number;
	readonly maxOutputTokens?: number;
	/** The answer is to be JSON of this shape and nothing else. `name` says to the built-in responder what is wanted. */
	readonly answer?: { readonly name: 'findings' | 'task'; readonly schema: { [key: string]: Json } };
	/** Longest silence in milliseconds, before the first and between later events, before `model_timeout`. */
	readonly silenceMs: number;
}

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'other';

/** `error` or `finish` is the last event. A stopped call (abort) ends with `error` code `run_stopped`. */
export type ModelEvent =
	| { type: 'text'; text: string }
	| { type: 'reasoning'; text: string }
	/** Complete; `args` is the model's own text, not yet parsed (the gate parses, repairs and validates it). */
	| { type: 'tool_call'; callId: string; tool: string; args: string }
	| { type: 'finish'; reason: FinishReason; usage?: Usage }
	/** `usage`: where the model had begun to answer. */
	| { type: 'error'; error: ErrorShape; usage?: Usage };

/**
 * One provider. `stream` never rejects and never throws: failure is its last event. It does not retry: the driver does,
 * by the error's kind. `listModels` rejects with a HearthError.
 */
export interface ModelPort {
	readonly kind: ProviderKind;
	listModels(signal: AbortSignal): Promise<ModelInfo[]>;
	stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
}
