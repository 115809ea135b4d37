import type { SessionSummary } from '../../src/contract/shapes.ts';
import { MenuItem, MenuLine } from '../ui/menu.tsx';
import { useSay } from '../ui/strings.tsx';
import { useChatUi } from './chat-ui-store.ts';
import { exportSession, pinSession } from './session-actions.ts';

/** What can be done with a chat: in its row's menu and in the conversation's head. */
export function SessionMenuItems({ session, keys = false }: { session: SessionSummary; keys?: boolean }) {
	const say = useSay();
	// After the menu has closed and given its focus back; the field then takes it.
	const rename = (): void => void setTimeout(() => useChatUi.setState({ renaming: session.id, listOpen: true }), 0);
	return (
		<>
			<MenuItem icon="edit" keys={keys ? 'F2' : undefined} onClick={rename}>
				{say('chat.rename')}
			</MenuItem>
			<MenuItem icon="pin" onClick={() => void pinSession(session.id, !session.pinned)}>
				{say(session.pinned ? 'chat.unpin' : 'chat.pin')}
			</MenuItem>
			<MenuLine />
			<MenuItem icon="download" onClick={() => void exportSession(session.id, 'markdown')}>
				{say('chat.exportMarkdown')}
			</MenuItem>
			<MenuItem icon="download" onClick={() => void exportSession(session.id, 'json')}>
				{say('chat.exportJson')}
			</MenuItem>
			<MenuLine />
			<MenuItem icon="trash" danger onClick={() => useChatUi.setState({ deleting: session.id })}>
				{say('chat.delete')}
			</MenuItem>
		</>
	);
}
