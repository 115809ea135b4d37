import type { ErrorShape } from '../../src/domain/errors.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { ErrorNote } from './note.tsx';
import { useSay } from './strings.tsx';

interface RemoveDialogProps {
	open?: boolean;
	title: string;
	/** What goes with it, and what stays. */
	lead: string;
	busy: boolean;
	error: ErrorShape | undefined;
	onRemove: () => void;
	onClose: () => void;
}

/** Asks once more before something that the owner set up is gone. */
export function RemoveDialog({ open = true, title, lead, busy, error, onRemove, onClose }: RemoveDialogProps) {
	const say = useSay();
	return (
		<Dialog
			open={open}
			onClose={onClose}
			title={title}
			lead={lead}
			footer={
				<>
					<Button onClick={onClose}>{say('common.cancel')}</Button>
					<Button kind="danger" busy={busy} onClick={onRemove}>
						{say('common.remove')}
					</Button>
				</>
			}
		>
			{error ? <ErrorNote error={error} /> : null}
		</Dialog>
	);
}
