import { z } from 'zod';

/**
 * What the scripted model server answers. A script is data, so that a test in another process can send it
 * (`POST /__script`), or in the same process a function of the request.
 */
export const Step = z.discriminatedUnion('type', [
	/** One delta of the answer. */
	z.object({ type: z.literal('text'), text: z.string(), delayMs: z.number().optional() }),
	/** Thinking, in the provider's own field for it. (`<think>` inside text is just text here.) */
	z.object({ type: z.literal('reasoning'), text: z.string(), delayMs: z.number().optional() }),
	/** A long text as a steady stream: words (or pieces of `size` characters) at `perSecond`. */
	z.object({ type: z.literal('stream'), text: z.string(), perSecond: z.number().positive(), size: z.number().int().positive().optional() }),
	/** A tool call; `args` as a string goes out as it is (malformed JSON too), split into `pieces` deltas where the wire can. */
	z.object({
		type: z.literal('tool_call'),
		tool: z.string(),
		args: z.unknown(),
		callId: z.string().optional(),
		pieces: z.number().int().positive().optional(),
		delayMs: z.number().optional(),
	}),
	/** Nothing at all for so long, with the connection open. */
	z.object({ type: z.literal('silence'), ms: z.number() }),
	/** Nothing until the test lets it go on (`goOn`), however long the caller takes; or the caller goes away. */
	z.object({ type: z.literal('held') }),
	/** A sign of life without content: an SSE comment or Anthropic's ping. Ollama has none: nothing is sent. */
	z.object({ type: z.literal('ping') }),
	/** Bytes exactly as given. */
	z.object({ type: z.literal('raw'), data: z.string() }),
	/** An error inside the stream, in the provider's form. */
	z.object({ type: z.literal('stream_error'), message: z.string(), code: z.string().optional() }),
	/** Destroys the socket. */
	z.object({ type: z.literal('cut') }),
	/** Ends the response properly, but without the finish event. */
	z.object({ type: z.literal('end_early') }),
]);
export type Step = z.infer<typeof Step>;

/** A whole response that is not a stream. */
export const Fault = z.discriminatedUnion('type', [
	z.object({ type: z.literal('rate_limit'), retryAfter: z.string().optional() }),
	z.object({ type: z.literal('quota') }),
	z.object({ type: z.literal('server_error'), status: z.number().optional() }),
	z.object({ type: z.literal('overloaded') }),
	z.object({ type: z.literal('auth'), status: z.union([z.literal(401), z.literal(403)]).default(401) }),
	z.object({ type: z.literal('model_not_found') }),
	/** In the provider's real wording; `flavour` picks one where servers of the same kind differ. */
	z.object({ type: z.literal('context_overflow'), flavour: z.enum(['llama.cpp', 'vllm', 'lmstudio', 'openrouter']).optional() }),
	z.object({ type: z.literal('tools_unsupported') }),
	z.object({ type: z.literal('html'), status: z.number().default(200) }),
	/** Status 200, `application/json`, and an error in the body. */
	z.object({ type: z.literal('error_with_200') }),
	/** Status 200, the stream's content type, and no bytes. */
	z.object({ type: z.literal('empty') }),
	/** Accepts and never answers. */
	z.object({ type: z.literal('hang') }),
	/** Closes the socket before any answer. */
	z.object({ type: z.literal('reset') }),
	/** Sends the caller somewhere else. */
	z.object({ type: z.literal('redirect'), location: z.string(), status: z.number().default(307) }),
	/** A body without end, as fast as the caller reads. */
	z.object({ type: z.literal('flood') }),
	/** Status, headers and body as given; `$KEY` in the body stands for the key that the caller sent. */
	z.object({ type: z.literal('raw'), status: z.number(), headers: z.record(z.string(), z.string()).default({}), body: z.string() }),
]);
export type Fault = z.infer<typeof Fault>;

export const Reply = z.object({
	steps: z.array(Step).default([]),
	/** Instead of `steps`. */
	fault: Fault.optional(),
	/** Milliseconds before the response headers. */
	delayMs: z.number().optional(),
	/** Absent: 7 and 5. Null: the server tells nothing. */
	usage: z.object({ inputTokens: z.number(), outputTokens: z.number() }).nullish(),
	/** Absent: `tool_calls` after a tool call, else `stop`. */
	finish: z.enum(['stop', 'tool_calls', 'length', 'content_filter']).optional(),
});
export type Reply = z.input<typeof Reply>;

export const ScriptedModel = z.object({
	id: z.string(),
	contextTokens: z.number().optional(),
	/** As Ollama names them: `completion`, `tools`, `vision`, `thinking`, `embedding`. */
	capabilities: z.array(z.string()).default(['completion', 'tools']),
	/** Ollama's `parameters` text, such as `num_ctx 8192`. */
	parameters: z.string().optional(),
});
export type ScriptedModel = z.input<typeof ScriptedModel>;

export const Script = z.object({
	/** Taken from the front, one a completion. */
	replies: z.array(Reply).default([]),
	/** Once the queue is empty. */
	fallback: Reply.optional(),
	models: z.array(ScriptedModel).optional(),
	/** Where set, calls without this key get the provider's 401. */
	key: z.string().optional(),
	/** Faults for everything but completions: model lists, `/api/show`, `/api/version`. */
	listFault: Fault.optional(),
});
export type Script = z.input<typeof Script>;

/** A reply that says `text`, in words unless `size` says otherwise. */
export function says(text: string, more: Partial<Reply> & { size?: number; delayMs?: number } = {}): Reply {
	const { size, delayMs, ...reply } = more;
	return { ...reply, steps: pieces(text, size).map((piece) => ({ type: 'text', text: piece, delayMs })) };
}

/** A reply that calls one tool. */
export function calls(tool: string, args: unknown, more: { callId?: string; pieces?: number; text?: string } = {}): Reply {
	const { text, ...call } = more;
	return { steps: [...(text ? [{ type: 'text' as const, text }] : []), { type: 'tool_call', tool, args, ...call }] };
}

export function fails(fault: z.input<typeof Fault>): Reply {
	return { fault: Fault.parse(fault) };
}

/** `text` cut into words (each with the white space after it) or into pieces of `size` code points. */
export function pieces(text: string, size?: number): string[] {
	if (size === undefined) return text.match(/\S+\s*|\s+/g) ?? [];
	const points = [...text];
	const result: string[] = [];
	for (let at = 0; at < points.length; at += size) result.push(points.slice(at, at + size).join(''));
	return result;
}
