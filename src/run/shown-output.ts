import type { Announce } from '../contract/announce.ts';
import type { MessageId, RunId } from '../domain/ids.ts';
import type { Redactor } from '../firewall/ports.ts';

/** Most UTF-16 units of one call that are shown while it runs. */
const MOST_SHOWN = 400_000;

/**
 * Announces what calls under way put out, each piece with its place, without secrets (S3). It is shown and not kept: what counts is the result,
 * so that what is held back because a secret may go on in the next piece needs no end.
 */
export function shownOutput(
	announce: Announce,
	redactor: Pick<Redactor, 'stream'>,
): (call: { runId: RunId; messageId: MessageId; callId: string }) => (text: string) => void {
	return (call) => {
		const clean = redactor.stream();
		let offset = 0;
		return (piece) => {
			if (offset >= MOST_SHOWN) return;
			const text = clean.push(piece);
			if (text === '') return;
			announce({ type: 'tool_output', ...call, offset, text });
			offset += text.length;
		};
	};
}
