import { lazy, Suspense } from 'react';
import { ForkDialog } from './fork-dialog.tsx';
import { RestoreDialog } from './restore-dialog.tsx';
import { StartDialog } from './start-dialog.tsx';
import { useTimelineUi } from './timeline-ui-store.ts';

/** It shows messages as the chat does, with all that this takes: loaded when it is asked for. */
const InspectDialog = lazy(() => import('./inspect-dialog.tsx'));

export function Dialogs() {
	const dialog = useTimelineUi((state) => state.dialog);
	const close = (): void => useTimelineUi.setState({ dialog: null });
	if (!dialog) return null;
	switch (dialog.kind) {
		case 'inspect':
			return (
				<Suspense fallback={null}>
					<InspectDialog place={dialog.place} onClose={close} />
				</Suspense>
			);
		case 'restore':
			return <RestoreDialog place={dialog.place} onClose={close} />;
		case 'fork':
			return <ForkDialog place={dialog.place} onClose={close} />;
		case 'start':
			return <StartDialog name={dialog.name} onClose={close} />;
		default:
			return dialog satisfies never;
	}
}
