import { randomUUID } from 'node:crypto';
import { createLiveReader } from '../../contract/live-reader.ts';
import { HearthError, terminal, toErrorShape } from '../../domain/errors.ts';
import type { MessageId, RunId, SessionId } from '../../domain/ids.ts';
import type { Message } from '../../domain/message.ts';
import { type CommandContext, findSession } from '../context.ts';
import { withKeys } from '../door.ts';
import { EXIT, exitCodeOf } from '../exit-codes.ts';
import { followReply } from '../reply.ts';

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
		throw terminal('invalid_input', `The message is too long (${text.length} characters).`, { action: `Send at most ${MAX_TEXT}.` });
	const wanted = options.session ?? (options.continue ? 'last' : undefined);
	const session = wanted === undefined ? await rpc.sessions.create({}) : await findSession(rpc, wanted);

	const started = await withKeys(door, () => rpc.chat.send({ sessionId: session.id, requestId: randomUUID(), text, attachmentIds: [] }));
	output.line({ type: 'started', ...started });
	const stopped = stopOnInterrupt(context, started.runId);
	try {
		const message = await showReply(context, started.sessionId, started.messageId);
		output.line({ type: 'message', message });
		return await finish(context, message);
	} finally {
		stopped.dispose();
	}
}

/** Resolves with the reply once its run is at rest: complete, stopped, cut off, failed, or waiting for the owner. */
async function showReply({ rpc, output }: CommandContext, sessionId: SessionId, messageId: MessageId): Promise<Message> {
	const reply = followReply(messageId);
	const show = (text: string): void => {
		if (text === '') return;
		output.piece(text);
		output.line({ type: 'delta', text });
	};
	return new Promise<Message>((resolve, reject) => {
		const settle = (): void => {
			const message = reply.message;
			if (!message || message.status === 'streaming') return;
			reader.stop();
			resolve(message);
		};
		const snapshot = async (): Promise<void> => {
			const page = await rpc.sessions.messages({ sessionId, limit: 50, around: messageId });
			const message = page.messages.find((one) => one.id === messageId);
			if (message) show(reply.set(message));
			settle();
		};
		const reader = createLiveReader({
			onEvent: (event) => {
				show(reply.take(event));
				settle();
			},
			onSnapshotNeeded: () => {
				snapshot().catch(reject);
			},
		});
		reader
			.follow(rpc)
			.then(
				() =>
					reject(
						terminal('internal', 'The runtime ended the stream of events.', {
							action: 'Look at the reply with: hearth sessions show last',
						}),
					),
				reject,
			);
	});
}

async function finish({ rpc, output }: CommandContext, message: Message): Promise<number> {
	output.piece('\n');
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
