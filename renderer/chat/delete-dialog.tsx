import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import type { SessionSummary } from '../../src/contract/shapes.ts';
import { useSessions } from '../connection/index.ts';
import { Dialog, FormButtons } from '../ui/dialog.tsx';
import { useSay } from '../ui/strings.tsx';
import { useChatUi } from './chat-ui-store.ts';
import { deleteSession } from './session-actions.ts';

/** Asks before a chat is deleted. The focus goes back to what opened the question, or to the list where that row is gone. */
export function DeleteDialog({ current }: { current: string | undefined }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const deleting = useChatUi((state) => state.deleting);
	const asked = useSessions((state) => (deleting ? state.byId[deleting] : undefined));
	const [busy, setBusy] = useState(false);
	// The words stay while the dialog fades away.
	const [shown, setShown] = useState<SessionSummary>();
	useEffect(() => {
		if (asked) setShown(asked);
	}, [asked]);
	const close = (): void => useChatUi.setState({ deleting: null });
	const confirm = async (): Promise<void> => {
		if (!asked) return;
		setBusy(true);
		const deleted = await deleteSession(asked.id);
		setBusy(false);
		close();
		if (!deleted) return;
		if (asked.id === current) navigate('/chat', { replace: true });
		requestAnimationFrame(() => document.querySelector<HTMLElement>('.chats .row[aria-current], .chats .row, #msg')?.focus());
	};
	return (
		<Dialog
			open={deleting !== null && asked !== undefined}
			onClose={close}
			title={say('chat.deleteTitle', { title: shown?.title || say('chat.untitled') })}
			lead={say('chat.deleteBody', { count: shown?.messageCount ?? 0 })}
			onSubmit={() => void confirm()}
			footer={<FormButtons onCancel={close} action={say('chat.deleteConfirm')} kind="danger" busy={busy} />}
		/>
	);
}
