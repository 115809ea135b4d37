import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'wouter';
import type { Message, ToolPart } from '../../src/domain/message.ts';
import { askForList } from '../inbox/inbox-ui-store.ts';
import { INBOX } from '../inbox/place.ts';

/** Goes to the findings of the inbox when the reply that is watched asks for it; not for one that had done so before the chat was shown. */
export function useOpenedInbox(reply: Message | undefined): void {
	const [, navigate] = useLocation();
	const [since] = useState(() => Date.now());
	const callId = reply && openedSince(reply, since)?.callId;
	const open = useEffectEvent(() => {
		askForList('proposals', 'pending');
		navigate(INBOX);
	});
	useEffect(() => {
		if (callId !== undefined) open();
	}, [callId]);
}

/** `since`: milliseconds since the epoch. */
export function openedSince({ parts }: Pick<Message, 'parts'>, since: number): ToolPart | undefined {
	return parts.findLast(
		(part): part is ToolPart =>
			part.type === 'tool' && part.tool === 'open_inbox' && part.status === 'done' && (part.finishedAt ?? 0) >= since,
	);
}
