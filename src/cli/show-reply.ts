import type { HearthClient } from '../contract/contract.ts';
import type { LiveEvent } from '../contract/events.ts';
import { createLiveReader } from '../contract/live-reader.ts';
import { terminal } from '../domain/errors.ts';
import type { SessionId } from '../domain/ids.ts';
import type { Message } from '../domain/message.ts';
import type { Output } from './output.ts';
import type { ReplyView } from './reply.ts';

/** Resolves with the reply once its run is at rest: complete, stopped, cut off, failed, or waiting for the owner. */
export async function showReply(rpc: HearthClient, output: Output, sessionId: SessionId, reply: ReplyView): Promise<Message> {
	const show = (text: string): void => {
		if (text === '') return;
		output.piece(text);
		output.line({ type: 'delta', text });
	};
	return new Promise<Message>((resolve, reject) => {
		/** Events up to here are in the snapshot; undefined while one is being taken, and then events wait. */
		let covered: number | undefined;
		let waiting: { event: LiveEvent; seq: number }[] = [];
		const settle = (): void => {
			const { message } = reply;
			if (!message || message.status === 'streaming') return;
			reader.stop();
			resolve(message);
		};
		const takeSnapshot = async (): Promise<void> => {
			const page = await rpc.sessions.messages({ sessionId, limit: 50, around: reply.messageId });
			const message = page.messages.find((one) => one.id === reply.messageId);
			if (!message) throw terminal('not_found', 'The reply was deleted.');
			show(reply.set(message));
			covered = page.seq;
			for (const { event, seq } of waiting) if (seq > page.seq) show(reply.take(event));
			waiting = [];
			settle();
		};
		const reader = createLiveReader({
			onEvent: (event, seq) => {
				if (covered === undefined) {
					waiting.push({ event, seq });
				} else if (seq > covered) {
					show(reply.take(event));
					settle();
				}
			},
			onSnapshotNeeded: () => {
				covered = undefined;
				takeSnapshot().catch(reject);
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
