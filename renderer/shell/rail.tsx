import { useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useConnection } from '../connection/index.ts';
import { dueReminders } from '../reminders/due.ts';
import { useServers } from '../settings/servers/queries.ts';
import { useTasksStatus } from '../tasks/queries.ts';
import { Icon } from '../ui/icon.tsx';
import { useSay } from '../ui/strings.tsx';
import { useReminders } from './queries.ts';

/** Where each screen was left, so that coming back shows the same chat or section. */
function useLastPlace(prefix: string): string {
	const [location] = useLocation();
	const [last, setLast] = useState(prefix);
	useEffect(() => {
		if (location.startsWith(prefix)) setLast(location);
	}, [location, prefix]);
	return last;
}

/** How much of a screen needs the owner; `words` for those who don't see it. */
function Badge({
	count,
	words,
	values,
}: {
	count: number;
	words: 'inbox.badge' | 'servers.badge' | 'tasks.badge';
	values?: Record<string, number>;
}) {
	const say = useSay();
	if (count === 0) return null;
	return (
		<>
			<b className="badge" aria-hidden="true">
				{count > 99 ? '99+' : count}
			</b>
			<span className="vh">{say(words, { count, ...values })}</span>
		</>
	);
}

/** How many tools are another than what the owner approved: no chat says so until the agent wants one of them. */
function useHeldTools(): number {
	const { data } = useServers();
	return data?.servers.reduce((sum, { server, tools }) => sum + (server.enabled ? tools.changed : 0), 0) ?? 0;
}

/** The screens that exist, and no others. */
export function Rail() {
	const say = useSay();
	const [location] = useLocation();
	const chat = useLastPlace('/chat');
	const inbox = useLastPlace('/inbox');
	const memory = useLastPlace('/memory');
	const tasks = useLastPlace('/tasks');
	const timeline = useLastPlace('/timeline');
	const audit = useLastPlace('/audit');
	const settings = useLastPlace('/settings');
	const held = useHeldTools();
	const needing = useTasksStatus().data?.needOwner ?? 0;
	// A notification is gone after a moment: a task's reminder has no chat to wait in.
	const reminders = dueReminders(useReminders().data?.reminders ?? []).length;
	const counts = useConnection((state) => state.inbox);
	const current = (prefix: string) => (location.startsWith(prefix) ? 'page' : undefined);
	return (
		<nav className="rail" aria-label={say('shell.main')}>
			<Link className="rail-item" href={chat} aria-current={current('/chat')}>
				<Icon name="chat" />
				<span>{say('shell.chat')}</span>
			</Link>
			<Link className="rail-item" href={inbox} aria-current={current('/inbox')}>
				<Icon name="inbox" />
				<span>{say('shell.inbox')}</span>
				<Badge count={counts ? counts.actions + counts.proposals : 0} words="inbox.badge" />
			</Link>
			<Link className="rail-item" href={memory} aria-current={current('/memory')}>
				<Icon name="memory" />
				<span>{say('shell.memory')}</span>
			</Link>
			<Link className="rail-item" href={tasks} aria-current={current('/tasks')}>
				<Icon name="tasks" />
				<span>{say('shell.tasks')}</span>
				<Badge count={needing + reminders} words="tasks.badge" values={{ tasks: needing, reminders }} />
			</Link>
			<Link className="rail-item" href={timeline} aria-current={current('/timeline')}>
				<Icon name="timeline" />
				<span>{say('shell.timeline')}</span>
			</Link>
			<Link className="rail-item" href={audit} aria-current={current('/audit')}>
				<Icon name="audit" />
				<span>{say('shell.audit')}</span>
			</Link>
			<span className="rail-gap" />
			<Link
				className="rail-item"
				href={held > 0 && !location.startsWith('/settings') ? '/settings/servers' : settings}
				aria-current={current('/settings')}
			>
				<Icon name="settings" />
				<span>{say('shell.settings')}</span>
				<Badge count={held} words="servers.badge" />
			</Link>
		</nav>
	);
}
