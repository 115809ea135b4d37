import type { Task } from '../../src/domain/task.ts';
import { useNow } from '../chat/use-now.ts';
import { SNOOZES, snoozeUntil } from '../inbox/snooze-times.ts';
import { Button, type ButtonProps } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { useSay } from '../ui/strings.tsx';
import { useMoment } from './slots.tsx';
import { pauseTask, resumeTask } from './task-actions.ts';
import { useTasksUi } from './tasks-ui-store.ts';

/** Pauses one task: until the owner resumes it, or until a time. A paused one is resumed. */
export function PauseButton({ task, size = 'sm', kind = 'ghost' }: { task: Task } & Pick<ButtonProps, 'size' | 'kind'>) {
	const say = useSay();
	const moment = useMoment();
	const now = useNow();
	if (task.state === 'ended') return null;
	if (task.state === 'paused') {
		return (
			<Button kind={kind} size={size} icon="play" onClick={() => void resumeTask(task)}>
				{say('tasks.resume')}
			</Button>
		);
	}
	return (
		<Menu
			align="start"
			trigger={
				<Button kind={kind} size={size} icon="pause">
					{say('tasks.pause')}
				</Button>
			}
		>
			<MenuItem onClick={() => void pauseTask(task)}>{say('tasks.pauseOpen')}</MenuItem>
			{SNOOZES.map((choice) => {
				const until = snoozeUntil(choice, now);
				if (until === undefined) return null;
				return (
					<MenuItem key={choice} onClick={() => void pauseTask(task, until)}>
						{say('tasks.pauseUntil', { time: moment(until) })}
					</MenuItem>
				);
			})}
			<MenuLine />
			<MenuItem onClick={() => useTasksUi.setState({ pausing: task.id })}>{say('tasks.pausePick')}</MenuItem>
		</Menu>
	);
}
