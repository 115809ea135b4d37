import { labelOfSources } from '../domain/context-source.ts';
import { joinLabels } from '../domain/label.ts';
import { type Message, messageText } from '../domain/message.ts';
import type { ResolvedModel } from '../model/registry.ts';
import { promptTooBig } from './context-fit.ts';
import type { StepPrompt } from './prompt.ts';
import { roomForPrompt, tokenCounterFor } from './tokens.ts';

/** The prompt of an isolated run: its instructions, its task, and nothing else, whatever else there is to be told (B1). */
export async function isolatedPrompt(instructions: string, task: Message, model: ResolvedModel): Promise<StepPrompt> {
	const count = await tokenCounterFor(model.port);
	const { contextTokens } = model.info;
	const text = messageText(task);
	const parts = [
		{ id: 'hearth', kind: 'hearth' as const, title: 'Instructions', text: instructions },
		{ id: 'message', kind: 'message' as const, title: 'Task', text },
	].map((part) => ({ ...part, tokens: count(part.text), included: true, removable: false }));
	const usedTokens = parts.reduce((sum, { tokens }) => sum + tokens, 0);
	const budget = roomForPrompt(contextTokens);
	const { sources = [] } = task;
	return {
		system: instructions,
		messages: [{ role: 'user', content: [{ type: 'text', text }] }],
		tools: [],
		label: joinLabels(task.label, labelOfSources(sources)),
		sources,
		notices: [],
		recalled: undefined,
		parts,
		usedTokens,
		fits: usedTokens <= budget,
		pressure: { budget, replyTokens: 0, messagesLeft: 0, messagesToKeep: () => 0 },
		overflow: () => promptTooBig(parts, 0, contextTokens),
	};
}
