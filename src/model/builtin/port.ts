import type { ModelInfo } from '../../domain/model.ts';
import type { ModelPort } from '../port.ts';

export const builtinInfo: ModelInfo & { contextTokens: number } = {
	id: 'responder',
	name: 'Built-in responder (no AI)',
	contextTokens: 64_000,
	seesImages: false,
	usesTools: true,
};

export function createBuiltinPort(_deps: { now(): number }): ModelPort {
	return {
		kind: 'builtin',
		listModels: async () => [builtinInfo],
		async *stream() {
			yield { type: 'text', text: 'I am the built-in responder. ' };
			yield { type: 'finish', reason: 'stop' };
		},
	};
}
