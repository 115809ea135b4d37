import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Task } from '../../src/domain/task.ts';
import { useNow } from '../chat/use-now.ts';
import { fieldTime, snoozeUntil, timeOf } from '../inbox/snooze-times.ts';
import { Field } from '../ui/controls.tsx';
import { Dialog, FormButtons } from '../ui/dialog.tsx';
import { RemoveDialog } from '../ui/remove-dialog.tsx';
import { useSay } from '../ui/strings.tsx';
import { dropEditor } from './editor-store.ts';
import { focusList } from './focus.ts';
import { TASKS } from './place.ts';
import { pauseTask, removeTask } from './task-actions.ts';
import { useTasksUi } from './tasks-ui-store.ts';

/** What is asked before something is done with a task. */
export function Dialogs({ tasks }: { tasks: readonly Task[] }) {
	const removing = useTasksUi(({ removing: id }) => tasks.find((task) => task.id === id));
	const pausing = useTasksUi(({ pausing: id }) => tasks.find((task) => task.id === id));
	return (
		<>
			{removing ? <Removing key={removing.id} task={removing} /> : null}
			{pausing ? <Pausing key={pausing.id} task={pausing} /> : null}
		</>
	);
}

function Removing({ task }: { task: Task }) {
	const say = useSay();
	const [, navigate] = useLocation();
	const [busy, setBusy] = useState(false);
	const close = (): void => useTasksUi.setState({ removing: null });
	const remove = async (): Promise<void> => {
		setBusy(true);
		const done = await removeTask(task.id);
		setBusy(false);
		close();
		if (!done) return;
		dropEditor(task.id);
		navigate(TASKS);
		focusList(null);
	};
	return (
		<RemoveDialog
			title={say('tasks.removeTitle', { title: task.draft.title })}
			lead={say('tasks.removeLead', { count: task.occurrences })}
			busy={busy}
			error={undefined}
			onRemove={() => void remove()}
			onClose={close}
		/>
	);
}

function Pausing({ task }: { task: Task }) {
	const say = useSay();
	const now = useNow();
	const [typed, setTyped] = useState(() => fieldTime(snoozeUntil('tomorrow', now) ?? now));
	const [strict, setStrict] = useState(false);
	const close = (): void => useTasksUi.setState({ pausing: null });
	const until = timeOf(typed);
	const good = until !== undefined && until > now;
	const submit = (): void => {
		setStrict(true);
		if (!good) return;
		close();
		void pauseTask(task, until);
	};
	return (
		<Dialog
			open
			onClose={close}
			title={say('tasks.pauseTitle', { title: task.draft.title })}
			lead={say('tasks.pauseLead')}
			onSubmit={submit}
			footer={<FormButtons onCancel={close} action={say('tasks.pause')} />}
		>
			<Field
				label={say('tasks.pauseTime')}
				type="datetime-local"
				min={fieldTime(now)}
				value={typed}
				onChange={setTyped}
				error={strict && !good ? say('tasks.pauseBad') : undefined}
			/>
		</Dialog>
	);
}
