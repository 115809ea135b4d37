import type {
	LanguageModelV4FilePart,
	LanguageModelV4FunctionTool,
	LanguageModelV4Message,
	LanguageModelV4Prompt,
	LanguageModelV4TextPart,
} from '@ai-sdk/provider';
import type { Json } from '../domain/json.ts';
import { repairSurrogates, repairSurrogatesDeep } from '../domain/text.ts';
import type { ModelMessage, ModelRequest, ModelTool, UserContent } from './port.ts';

/** A request in the client library's form. Half emoji are repaired, empty texts left out: providers refuse both (chat-4). */
export function toPrompt(request: Pick<ModelRequest, 'system' | 'messages'>): LanguageModelV4Prompt {
	const prompt: LanguageModelV4Message[] = [];
	if (request.system.trim() !== '') prompt.push({ role: 'system', content: repairSurrogates(request.system) });
	for (const message of request.messages) {
		const mapped = toMessage(message);
		if (!mapped) continue;
		const last = prompt.at(-1);
		// The results of one step's calls belong into one message.
		if (mapped.role === 'tool' && last?.role === 'tool') last.content.push(...mapped.content);
		else prompt.push(mapped);
	}
	return prompt;
}

export function toTools(tools: readonly ModelTool[]): LanguageModelV4FunctionTool[] | undefined {
	if (tools.length === 0) return undefined;
	return tools.map((tool) => ({ type: 'function', name: tool.name, description: tool.description, inputSchema: tool.parameters }));
}

function toMessage(message: ModelMessage): LanguageModelV4Message | undefined {
	switch (message.role) {
		case 'user': {
			const content = message.content.flatMap(toUserPart);
			return content.length === 0 ? undefined : { role: 'user', content };
		}
		case 'assistant': {
			const text = repairSurrogates(message.text);
			const calls = message.toolCalls.map((call) => ({
				type: 'tool-call' as const,
				toolCallId: toWireId(call.callId),
				toolName: call.tool,
				input: toArguments(repairSurrogatesDeep(call.args)),
			}));
			if (text.trim() === '' && calls.length === 0) return undefined;
			return { role: 'assistant', content: [...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]), ...calls] };
		}
		case 'tool': {
			const value = repairSurrogates(message.text) || '(nothing)';
			return {
				role: 'tool',
				content: [
					{
						type: 'tool-result',
						toolCallId: toWireId(message.callId),
						toolName: message.tool,
						output: { type: message.isError ? 'error-text' : 'text', value },
					},
				],
			};
		}
	}
}

function toUserPart(part: UserContent): (LanguageModelV4TextPart | LanguageModelV4FilePart)[] {
	if (part.type === 'image') {
		return [{ type: 'file', mediaType: part.mime, data: { type: 'data', data: part.base64 } }];
	}
	const text = repairSurrogates(part.text);
	return text.trim() === '' ? [] : [{ type: 'text', text }];
}

/** Providers take objects only; a call that came malformed is shown to the model as it was. */
function toArguments(args: Json): { [key: string]: Json } {
	return args !== null && typeof args === 'object' && !Array.isArray(args) ? args : { input: args };
}

/** A call id that every provider takes: Anthropic wants these characters only, OpenAI at most 40. Ids of other providers may have more. */
export function toWireId(callId: string): string {
	const clean = callId.replace(/[^A-Za-z0-9_-]/g, '_');
	return clean.length <= 40 ? clean : clean.slice(-40);
}
