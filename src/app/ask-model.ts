import { HearthError } from '../domain/errors.ts';
import type { Usage } from '../domain/model.ts';
import { cutCodePoints } from '../domain/text.ts';
import type { ModelRequest } from '../model/port.ts';
import type { ChosenModel } from '../run/models.ts';

/** One question to a model beside all runs. */
export interface ModelQuestion extends Pick<ModelRequest, 'system' | 'answer'> {
	readonly text: string;
	/** Milliseconds: of silence, and in all. */
	readonly patienceMs: number;
	readonly mostTokens: number;
	/** Of the answer; what comes after them is left out. */
	readonly mostChars: number;
	readonly used: (usage: Usage) => void;
}

/** What it answers. Rejects where it fails, with its error. */
export async function askModel({ model }: ChosenModel, question: ModelQuestion): Promise<string> {
	const { system, answer, text, patienceMs, mostTokens, mostChars, used } = question;
	const request = {
		modelId: model.info.id,
		windowTokens: model.info.contextTokens,
		silenceMs: patienceMs,
		maxOutputTokens: mostTokens,
		tools: [],
		...(answer && { answer }),
		system,
		messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }],
	};
	let said = '';
	for await (const event of model.port.stream(request, AbortSignal.timeout(patienceMs))) {
		if ((event.type === 'error' || event.type === 'finish') && event.usage) used(event.usage);
		if (event.type === 'error') throw new HearthError(event.error);
		if (event.type === 'text') said = cutCodePoints(said + event.text, mostChars);
	}
	return said;
}
