import { z } from 'zod';
import { openaiBase } from '../../base/server-address.ts';
import type { EmbeddingPort } from '../port.ts';
import { createServerPort, type ServerDeps } from './server.ts';

const Answer = z.object({ data: z.array(z.object({ index: z.number().int().nonnegative(), embedding: z.array(z.number()) })) });
const Counts = z.object({ usage: z.object({ prompt_tokens: z.number().int().positive() }) });

/** OpenAI's `/v1/embeddings` and the servers that speak it: LM Studio, llama.cpp server, vLLM, OpenRouter and others. */
export function createOpenaiCompatibleEmbedding(baseUrl: string, modelId: string, deps: ServerDeps): EmbeddingPort {
	return createServerPort(
		{
			kind: 'openai-compatible',
			base: openaiBase(baseUrl),
			path: '/embeddings',
			modelId,
			getModel: 'Load it there, or choose another embedding model in Settings, Memory.',
			body: (input) => ({ model: modelId, input, encoding_format: 'float' }),
			read(answer) {
				const parts = Answer.safeParse(answer).data?.data;
				// The order is the server's; the index says whose vector it is.
				return parts?.toSorted((a, b) => a.index - b.index).map(({ embedding }) => embedding);
			},
			tokens: (answer) => Counts.safeParse(answer).data?.usage.prompt_tokens,
		},
		deps,
	);
}
