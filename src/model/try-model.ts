import type { TestResult } from '../contract/methods/models.ts';
import { HearthError } from '../domain/errors.ts';
import type { Usage } from '../domain/model.ts';
import { cutCodePoints } from '../domain/text.ts';
import type { ModelPort } from './port.ts';

const SAMPLE_LENGTH = 200;
/** Enough for a thinking model to come to its answer; an answer of one word costs next to nothing. */
const MOST_TOKENS = 512;

/** One small real completion. Rejects with the provider's error. */
export async function tryModel(
	port: ModelPort,
	call: { modelId: string; windowTokens: number; silenceMs: number },
	clock: { monotonic(): number },
	signal: AbortSignal,
	used: (usage: Usage) => void,
): Promise<TestResult> {
	const started = clock.monotonic();
	let firstTokenMs: number | undefined;
	let sample = '';
	const request = {
		...call,
		system: 'You are being tested. Answer with one short word.',
		messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Say hello.' }] }],
		tools: [],
		maxOutputTokens: MOST_TOKENS,
	};
	for await (const event of port.stream(request, signal)) {
		if ((event.type === 'error' || event.type === 'finish') && event.usage) used(event.usage);
		if (event.type === 'error') throw new HearthError(event.error);
		if (event.type === 'text' || event.type === 'reasoning') firstTokenMs ??= clock.monotonic() - started;
		if (event.type === 'text' && sample.length < SAMPLE_LENGTH) sample += event.text;
	}
	const totalMs = clock.monotonic() - started;
	return { ok: true, sample: cutCodePoints(sample.trim(), SAMPLE_LENGTH), firstTokenMs: firstTokenMs ?? totalMs, totalMs };
}
