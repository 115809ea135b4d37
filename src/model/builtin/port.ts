import { setImmediate as turn } from 'node:timers/promises';
import { newId } from '../../base/ids.ts';
import type { ModelInfo } from '../../domain/model.ts';
import { stoppedError } from '../../net/errors.ts';
import type { ModelEvent, ModelPort, ModelRequest } from '../port.ts';
import { type EmbedTexts, type TriageDeps, triage } from '../triage/respond.ts';
import { readConversation } from './conversation.ts';
import { respond } from './respond.ts';
import { OWN_NAME } from './words.ts';

const WORDS_PER_TURN = 8;

export const builtinInfo: ModelInfo & { contextTokens: number } = {
	id: 'responder',
	name: OWN_NAME,
	contextTokens: 64_000,
	seesImages: false,
	usesTools: true,
};

/**
 * The built-in responder as a model: no AI, no network, no key. It keeps every flow working where there is no model, and
 * says plainly what it is.
 */
export function createBuiltinPort(deps: BuiltinDeps): ModelPort {
	const watched = new Map<string, Float32Array>();
	return {
		kind: 'builtin',
		listModels: async () => [builtinInfo],
		stream: (request, signal) =>
			request.answer?.name === 'findings'
				? findings(request, { embed: deps.embed?.(), now: deps.now(), signal, watched })
				: answer(request, signal, deps.now()),
	};
}

export interface BuiltinDeps {
	now(): number;
	/** The embedded model, where it is in use: looks go by meaning, too. */
	readonly embed?: (() => EmbedTexts | undefined) | undefined;
}

/** A look's answer. It is short and of no use in parts: it comes as one piece. */
async function* findings({ messages }: ModelRequest, deps: TriageDeps): AsyncGenerator<ModelEvent> {
	const task = messages.findLast(({ role }) => role === 'user');
	const text = task?.role === 'user' ? task.content.map((part) => (part.type === 'text' ? part.text : '')).join('') : '';
	const found = await triage(text, deps);
	if (deps.signal.aborted) {
		yield { type: 'error', error: stoppedError().shape };
		return;
	}
	yield { type: 'text', text: JSON.stringify(found ?? { findings: [] }) };
	yield { type: 'finish', reason: 'stop' };
}

async function* answer(request: ModelRequest, signal: AbortSignal, now: number): AsyncGenerator<ModelEvent> {
	const conversation = readConversation(request);
	const response = respond(conversation, { tools: new Set(request.tools.map((tool) => tool.name)), now });
	if ('call' in response && !signal.aborted) {
		yield { type: 'tool_call', callId: newId<string>(), tool: response.call.tool, args: JSON.stringify(response.call.args) };
		yield { type: 'finish', reason: 'tool_calls' };
		return;
	}
	const text = 'say' in response ? rest(response.say, conversation.partial) : '';
	let words = 0;
	for (const [word] of text.matchAll(/\S+\s*|\s+/g)) {
		// Lets a stop and the rest of the runtime come in between.
		if (words++ % WORDS_PER_TURN === 0) await turn();
		if (signal.aborted) break;
		yield { type: 'text', text: word };
	}
	yield signal.aborted ? { type: 'error', error: stoppedError().shape } : { type: 'finish', reason: 'stop' };
}

/** What is still to say after a cut-off reply: the same question gets the same answer, so it can go on exactly there. */
function rest(full: string, partial: string): string {
	if (partial === '') return full;
	return full.startsWith(partial) ? full.slice(partial.length) : `\n\n${full}`;
}
