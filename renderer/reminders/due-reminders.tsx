import { useIntl } from 'react-intl';
import type { SessionId } from '../../src/domain/ids.ts';
import { useReminders } from '../shell/queries.ts';
import { TrustLabel } from '../ui/marks.tsx';
import { Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { dueReminders } from './due.ts';
import { ReminderActions } from './reminder-actions.tsx';

/** So many are shown at once, of those that are of no chat: a task may bring one each minute. */
const MOST = 20;

/** What came due in this chat, or is of none, and is not done with. Never Hearth's own words: each says whose they are. */
export function DueReminders({ sessionId }: { sessionId?: SessionId }) {
	const say = useSay();
	const intl = useIntl();
	const due = dueReminders(useReminders().data?.reminders ?? [], sessionId).slice(-MOST);
	if (due.length === 0) return null;
	return (
		<section className="due-reminders" aria-label={say('reminders.region')}>
			{due.map((reminder) => (
				<Note
					key={reminder.id}
					icon="scheduled"
					role="status"
					actions={<ReminderActions reminder={reminder} />}
					title={
						<>
							{say('reminders.due')}{' '}
							<time className="meta" dateTime={new Date(reminder.dueAt).toISOString()}>
								{intl.formatDate(reminder.dueAt, { dateStyle: 'medium', timeStyle: 'short' })}
							</time>{' '}
							<TrustLabel label={reminder.label} />
						</>
					}
				>
					<blockquote dir="auto">{reminder.text}</blockquote>
				</Note>
			))}
		</section>
	);
}
