import { useIntl } from 'react-intl';
import { Link } from 'wouter';
import type { Reminder } from '../../src/domain/reminder.ts';
import { shapeOf, useSessions } from '../connection/index.ts';
import { Row } from '../settings/row.tsx';
import { useReminders } from '../shell/queries.ts';
import { StateMark, TrustLabel } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { ReminderActions } from './reminder-actions.tsx';

/** Coming and due ones of all chats. */
export function ReminderList() {
	const say = useSay();
	const { data, error } = useReminders();
	return (
		<>
			<h3>{say('reminders.title')}</h3>
			<p className="meta">{say('reminders.lead')}</p>
			{error ? <ErrorNote error={shapeOf(error)} /> : null}
			{data?.reminders.length === 0 ? <p className="meta">{say('reminders.none')}</p> : null}
			{data && data.reminders.length > 0 ? (
				<div className="tbl">
					{data.reminders.map((reminder) => (
						<ReminderRow key={reminder.id} reminder={reminder} />
					))}
				</div>
			) : null}
		</>
	);
}

function ReminderRow({ reminder }: { reminder: Reminder }) {
	const say = useSay();
	const intl = useIntl();
	const { text, label, dueAt, toldAt, sessionId } = reminder;
	const chat = useSessions((state) => (sessionId ? state.byId[sessionId] : undefined));
	return (
		<Row
			title={<span dir="auto">{text}</span>}
			hint={
				<>
					{intl.formatDate(dueAt, { dateStyle: 'medium', timeStyle: 'short' })}{' '}
					{chat ? (
						<Link className="lnk" href={`/chat/${chat.id}`}>
							<bdi>{chat.title || say('chat.untitled')}</bdi>
						</Link>
					) : null}
				</>
			}
		>
			{toldAt === undefined ? null : <StateMark state="waiting">{say('reminders.due')}</StateMark>}
			<TrustLabel label={label} />
			<ReminderActions reminder={reminder} />
		</Row>
	);
}
