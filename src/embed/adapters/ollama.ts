import { z } from 'zod';
import { ollamaBase } from '../../base/server-address.ts';
import type { EmbeddingPort } from '../port.ts';
import { createServerPort, type ServerDeps } from './server.ts';

const Answer = z.object({ embeddings: z.array(z.array(z.number())) });
const Counts = z.object({ prompt_eval_count: z.number().int().positive() });

/** Ollama's own `/api/embed`. */
export function createOllamaEmbedding(baseUrl: string, modelId: string, deps: ServerDeps): EmbeddingPort {
	return createServerPort(
		{
			kind: 'ollama',
			base: ollamaBase(baseUrl),
			path: '/api/embed',
			modelId,
			getModel: `Run “ollama pull ${modelId}”, or choose another embedding model in Settings, Memory.`,
			body: (input) => ({ model: modelId, input, truncate: true }),
			read: (answer) => Answer.safeParse(answer).data?.embeddings,
			tokens: (answer) => Counts.safeParse(answer).data?.prompt_eval_count,
		},
		deps,
	);
}
