import type { HearthClient } from '../contract/contract.ts';
import { createLiveReader } from '../contract/live-reader.ts';
import { terminal } from '../domain/errors.ts';
import type { SessionId } from '../domain/ids.ts';
import type { Message } from '../domain/message.ts';
import type { Output } from './output.ts';
import type { ReplyView } from './reply.ts';

/** Resolves with the reply once its run is at rest: complete, stopped, cut off, failed, or waiting for the owner. */
export async function showReply(rpc: HearthClient, output: Output, sessionId: SessionId, reply: ReplyView): Promise<Message> {
	const { messageId } = reply;
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
		reader.follow(rpc).then(
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
