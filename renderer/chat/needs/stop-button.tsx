import type { Interrupt } from '../../../src/domain/run.ts';
import { useSessions } from '../../connection/index.ts';
import { Button } from '../../ui/button.tsx';
import { useSay } from '../../ui/strings.tsx';

interface StopButtonProps {
	interrupt: Interrupt;
	busy: boolean;
	onStop: () => void;
}

/** Ends what asks: the reply of a chat, or work that has a session of its own. */
export function StopButton({ interrupt, busy, onStop }: StopButtonProps) {
	const say = useSay();
	const inChat = useSessions((state) => state.byId[interrupt.sessionId] !== undefined);
	return (
		<Button kind="ghost" onClick={onStop} disabled={busy}>
			{say(inChat ? 'needs.stop' : 'needs.stopWork')}
		</Button>
	);
}
