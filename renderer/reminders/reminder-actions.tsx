import { useMutation } from '@tanstack/react-query';
import { useIntl } from 'react-intl';
import type { Reminder } from '../../src/domain/reminder.ts';
import { call, shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';

/** Put off, or done with. */
export function ReminderActions({ reminder: { id } }: { reminder: Reminder }) {
	const say = useSay();
	const intl = useIntl();
	const onError = (error: unknown): void => showToast(shapeOf(error).message);
	const dismiss = useMutation({ mutationFn: () => call((client) => client.reminders.dismiss({ reminderId: id })), onError });
	const snooze = useMutation({
		mutationFn: (until: number) => call((client) => client.reminders.snooze({ reminderId: id, until })),
		onSuccess: ({ dueAt }) =>
			showToast(say('reminders.snoozed', { date: intl.formatDate(dueAt, { dateStyle: 'medium', timeStyle: 'short' }) })),
		onError,
	});
	return (
		<>
			<Button kind="ghost" busy={snooze.isPending} onClick={() => snooze.mutate(Date.now() + 3_600_000)}>
				{say('reminders.hour')}
			</Button>
			<Button kind="ghost" busy={snooze.isPending} onClick={() => snooze.mutate(tomorrowAtNine())}>
				{say('reminders.tomorrow')}
			</Button>
			<Button busy={dismiss.isPending} onClick={() => dismiss.mutate()}>
				{say('reminders.dismiss')}
			</Button>
		</>
	);
}

function tomorrowAtNine(): number {
	const date = new Date();
	date.setDate(date.getDate() + 1);
	return date.setHours(9, 0, 0, 0);
}
