import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { IconButton } from '../ui/button.tsx';
import { useSay } from '../ui/strings.tsx';
import { focusList } from './focus.ts';
import { TASKS } from './place.ts';

/** The head of what stands beside the list; in a narrow window, with the way back. */
export function PaneHead({ title, rowId, children }: { title: string; rowId?: string | undefined; children?: ReactNode }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const back = (): void => {
		navigate(TASKS);
		focusList(rowId ?? null);
	};
	return (
		<div className="pane-head">
			<IconButton icon="left" className="back" label={say('tasks.back')} onClick={back} />
			<h2 className="grow cut" id="task-title" tabIndex={-1} dir="auto">
				{title}
			</h2>
			{children}
		</div>
	);
}
