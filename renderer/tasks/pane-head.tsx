import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { IconButton } from '../ui/button.tsx';
import { useSay } from '../ui/strings.tsx';
import { focusList } from './focus.ts';
import { TASKS } from './place.ts';

interface PaneHeadProps {
	title: string;
	/** The card that it is about. */
	rowId?: string | undefined;
	/** There is no list to go back to. */
	alone?: boolean;
	children?: ReactNode;
}

/** The head of what stands beside the list; in a narrow window, with the way back. */
export function PaneHead({ title, rowId, alone = false, children }: PaneHeadProps) {
	const say = useSay();
	const [, navigate] = useLocation();
	const back = (): void => {
		navigate(TASKS);
		focusList(rowId ?? null);
	};
	return (
		<div className="pane-head">
			{alone ? null : <IconButton icon="left" className="back" label={say('tasks.back')} onClick={back} />}
			<h2 className="grow cut" id="task-title" tabIndex={-1} dir="auto">
				{title}
			</h2>
			{children}
		</div>
	);
}
