import { memo } from 'react';
import type { MessageId, SessionId } from '../../../src/domain/ids.ts';
import { useChatUi } from '../chat-ui-store.ts';
import { Reply } from './reply.tsx';
import { Said } from './said.tsx';
import { useMessage } from './use-message.ts';

interface MessageRowProps {
	sessionId: SessionId;
	messageId: MessageId;
	last: boolean;
}

/** One message. Only what changed in it renders; a key in the composer renders none of them. */
export const MessageRow = memo(function MessageRow({ sessionId, messageId, last }: MessageRowProps) {
	const message = useMessage(sessionId, messageId);
	const found = useChatUi((state) => state.target?.messageId === messageId);
	if (!message) return null;
	return (
		<div className={found ? 'turn found' : 'turn'} data-message-id={messageId} tabIndex={-1}>
			{message.role === 'user' ? <Said message={message} /> : <Reply message={message} last={last} />}
		</div>
	);
});
