import type { Announce } from '../contract/announce.ts';
import type { MessageId, RunId } from '../domain/ids.ts';

/** Announces what calls under way put out, each piece with its place. It is shown and not kept: what counts is the result. */
export function shownOutput(announce: Announce): (call: { runId: RunId; messageId: MessageId; callId: string }) => (text: string) => void {
	return (call) => {
		let offset = 0;
		return (text) => {
			if (text === '') return;
			announce({ type: 'tool_output', ...call, offset, text });
			offset += text.length;
		};
	};
}
