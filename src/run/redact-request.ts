import type { Redactor } from '../firewall/ports.ts';
import type { ModelMessage, ModelPort, ModelRequest } from '../model/port.ts';
import { jsonWith } from './redact-event.ts';

/**
 * The last thing before a request leaves for a model: no key goes along (S3). Results and attachments lost theirs when they came in. To a model
 * on this machine the owner's own messages go as they wrote them, but for values that are known to be secret.
 */
export function withoutSecrets(port: ModelPort, redactor: Redactor, { isLocal }: { isLocal: boolean }): ModelPort {
	return {
		kind: port.kind,
		listModels: (signal) => port.listModels(signal),
		stream: (request, signal) => port.stream(redactRequest(request, redactor, isLocal), signal),
	};
}

function redactRequest(request: ModelRequest, redactor: Redactor, isLocal: boolean): ModelRequest {
	const keys = (text: string): string => redactor.redactKeys(text).text;
	const owners = isLocal ? (text: string): string => redactor.redactKnown(text).text : keys;
	const told = (message: ModelMessage): ModelMessage => {
		if (message.role === 'tool') return { ...message, text: keys(message.text) };
		if (message.role === 'user')
			return { ...message, content: message.content.map((part) => (part.type === 'text' ? { ...part, text: owners(part.text) } : part)) };
		const toolCalls = message.toolCalls.map((call) => ({ ...call, args: jsonWith(call.args, keys) }));
		return { ...message, text: keys(message.text), toolCalls };
	};
	return { ...request, system: keys(request.system), messages: request.messages.map(told) };
}
