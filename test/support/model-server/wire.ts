import type { Fault, ScriptedModel } from './script.ts';

export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter';
export type Counts = { inputTokens: number; outputTokens: number } | null;
export interface ScriptedCall {
	callId: string;
	tool: string;
	args: unknown;
	pieces: number;
}

export interface Refusal {
	status: number;
	headers?: Record<string, string>;
	body: unknown;
}

/** How one provider writes a streamed completion: every function returns the bytes to write, in order. */
export interface Wire {
	readonly api: 'ollama' | 'openai' | 'anthropic';
	readonly contentType: string;
	open(): string;
	text(text: string): string;
	reasoning(text: string): string;
	toolCall(call: ScriptedCall): string[];
	ping(): string;
	streamError(message: string, code?: string): string;
	finish(reason: FinishReason, usage: Counts): string;
	/** The provider's real status and wording. */
	refuse(fault: Fault): Refusal | undefined;
	/** An error body that comes with status 200. */
	errorBody(): unknown;
}

export type Catalogue = readonly ScriptedModel[];

export const HTML = '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>Sign in to the network</h1></body></html>';

export function sse(data: unknown, event?: string): string {
	return `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** The text of arguments as a model wrote them. */
export function argumentText(args: unknown): string {
	return typeof args === 'string' ? args : JSON.stringify(args);
}

export function split(text: string, count: number): string[] {
	const size = Math.max(1, Math.ceil(text.length / count));
	const result: string[] = [];
	for (let at = 0; at < text.length; at += size) result.push(text.slice(at, at + size));
	return result.length === 0 ? [''] : result;
}
