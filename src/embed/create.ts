import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { assertNever } from '../domain/assert-never.ts';
import type { EmbeddingChoice } from '../domain/memory.ts';
import type { SecretReader } from '../domain/secret-port.ts';
import { createEmbeddedPort } from './adapters/embedded.ts';
import { createOllamaEmbedding } from './adapters/ollama.ts';
import { createOpenaiCompatibleEmbedding } from './adapters/openai-compatible.ts';
import type { EmbeddingFetch, ServerDeps } from './adapters/server.ts';
import { type BreakerOptions, type GuardedEmbedding, withBreaker } from './breaker.ts';
import type { EmbeddingPort } from './port.ts';

export interface EmbeddingDeps {
	readonly fetch: EmbeddingFetch;
	readonly secrets: SecretReader;
	readonly clock: Clock;
	readonly logger: Logger;
	/** Of each text before it goes to a server: without keys (S3). */
	readonly clean: (text: string) => string;
	/** Of a server's: the embedded model costs nothing but time. */
	readonly used: ServerDeps['used'];
	readonly onBreakerChange?: BreakerOptions['onChange'];
}

/** The embedding model that the owner chose, behind a breaker; undefined where none is wanted. Costs nothing until its first call. */
export function createEmbedding(choice: EmbeddingChoice, deps: EmbeddingDeps): GuardedEmbedding | undefined {
	const port = portFor(choice, deps);
	return port && withBreaker(port, { clock: deps.clock, onChange: deps.onBreakerChange });
}

function portFor(choice: EmbeddingChoice, { fetch, secrets, clock, logger, clean, used }: EmbeddingDeps): EmbeddingPort | undefined {
	const serverDeps = (secretName: string | undefined): ServerDeps => ({
		fetch,
		key: async () => (secretName === undefined ? undefined : secrets.get(secretName)),
		now: () => clock.now(),
		used,
	});
	switch (choice.kind) {
		case 'off':
			return undefined;
		case 'embedded':
			return createEmbeddedPort({ logger });
		case 'ollama':
			return cleaned(createOllamaEmbedding(choice.baseUrl, choice.modelId, serverDeps(undefined)), clean);
		case 'openai-compatible':
			return cleaned(createOpenaiCompatibleEmbedding(choice.baseUrl, choice.modelId, serverDeps(choice.secretName)), clean);
		default:
			return assertNever(choice);
	}
}

function cleaned(port: EmbeddingPort, clean: (text: string) => string): EmbeddingPort {
	return {
		id: port.id,
		get dims() {
			return port.dims;
		},
		embed: (texts, kind, signal) => port.embed(texts.map(clean), kind, signal),
		close: () => port.close(),
	};
}
