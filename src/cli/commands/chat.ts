import { randomUUID } from 'node:crypto';
import { HearthError, retryable, terminal, toErrorShape } from '../../domain/errors.ts';
import type { RunId } from '../../domain/ids.ts';
import type { Message } from '../../domain/message.ts';
import { OPEN_INBOX } from '../../tools/open-inbox.ts';
import { atTerminal } from '../ask.ts';
import { type CommandContext, findSession } from '../context.ts';
import { withKeys } from '../door.ts';
import { EXIT, exitCodeOf } from '../exit-codes.ts';
import { followReply } from '../reply.ts';
import { showReply } from '../show-reply.ts';
import { askAndAnswer } from './needs.ts';

const MAX_TEXT = 200_000;

export interface ChatOptions {
	readonly session?: string;
	readonly continue?: boolean;
}

/** Sends one message and shows the reply as it is written. Ctrl-C stops it; what was written stays in the chat. */
export async function chat(context: CommandContext, words: readonly string[], options: ChatOptions): Promise<number> {
	const { rpc, door, output } = context;
	const text = words.length === 1 && words[0] === '-' ? await readStdin() : words.join(' ');
	if (text.trim() === '')
		throw terminal('invalid_input', 'There is nothing to send.', {
			action: 'Write: hearth chat "your message", or pipe it in with: hearth chat -',
		});
	if (text.length > MAX_TEXT)
		throw terminal('invalid_input', 'The message is too long.', { action: `Send at most ${MAX_TEXT} characters.` });
	const wanted = options.session ?? (options.continue ? 'last' : undefined);
	const sessionId = wanted === undefined ? undefined : (await findSession(rpc, wanted)).id;

	const started = await withKeys(door, () => rpc.chat.send({ sessionId, requestId: randomUUID(), text, attachmentIds: [] }));
	output.line({ type: 'started', ...started });
	const stopped = stopOnInterrupt(context, started.runId);
	try {
		const reply = followReply(started.messageId);
		let message = await showReply(rpc, output, started.sessionId, reply).catch(lostSight);
		while (message.status === 'waiting' && !output.json && atTerminal()) {
			if (!(await answerAll(context, message))) break;
			message = await showReply(rpc, output, started.sessionId, reply);
		}
		output.line({ type: 'message', message });
		return await finish(context, message);
	} finally {
		stopped.dispose();
	}
}

/** The app that does the work was closed or killed: the reply goes on, or waits, without this command. */
function lostSight(error: unknown): never {
	if (!(error instanceof HearthError) || error.code !== 'disconnected') throw error;
	throw retryable('disconnected', 'Hearth was closed while it was replying.', {
		safe: 'Your message and what was written of the reply are kept.',
		action: 'Look at it with: hearth sessions show last',
	});
}

/** Asks for everything the reply waits for; false where the owner left something waiting. */
async function answerAll(context: CommandContext, message: Message): Promise<boolean> {
	const open = await context.rpc.chat.interrupts({ sessionId: message.sessionId });
	context.output.piece('\n');
	for (const interrupt of open.filter((one) => one.status === 'open')) {
		if (!(await askAndAnswer(context.rpc, interrupt))) return false;
	}
	return true;
}

async function finish({ rpc, output }: CommandContext, message: Message): Promise<number> {
	output.piece('\n');
	if (message.parts.some((part) => part.type === 'tool' && part.tool === OPEN_INBOX))
		output.note('The inbox opens in the app. Here it is: hearth findings list');
	switch (message.status) {
		case 'stopped':
			output.note('Stopped. What was written is kept.');
			return EXIT.stopped;
		case 'failed':
		case 'interrupted': {
			const error = message.error ?? toErrorShape(undefined);
			if (!output.json) output.error(error);
			return exitCodeOf(error);
		}
		case 'waiting': {
			const open = (await rpc.chat.interrupts({ sessionId: message.sessionId })).filter((one) => one.status === 'open');
			output.note(`Hearth needs you before it goes on (${open.length}): hearth needs answer ${open[0]?.id ?? ''}`);
			return EXIT.needsOwner;
		}
		default:
			return EXIT.ok;
	}
}

/** The first Ctrl-C stops the reply; the second leaves at once. */
function stopOnInterrupt({ rpc, output }: CommandContext, runId: RunId): { dispose(): void } {
	let asked = false;
	const onInterrupt = (): void => {
		if (asked) process.exit(EXIT.stopped);
		asked = true;
		rpc.chat.stop({ runId }).catch((error: unknown) => {
			// It may have ended in the same moment.
			if (!(error instanceof HearthError) || error.code !== 'not_found') output.error(toErrorShape(error));
		});
	};
	process.on('SIGINT', onInterrupt);
	return { dispose: () => process.off('SIGINT', onInterrupt) };
}

async function readStdin(): Promise<string> {
	let text = '';
	for await (const chunk of process.stdin.setEncoding('utf8')) {
		text += chunk;
		if (text.length > MAX_TEXT) break;
	}
	return text;
}
