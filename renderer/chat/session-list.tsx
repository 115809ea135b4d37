import { useMemo } from 'react';
import { useIntl } from 'react-intl';
import type { SessionSummary } from '../../src/contract/shapes.ts';
import { useSessions } from '../connection/index.ts';
import { runCommand } from '../shell/commands.ts';
import { IconButton } from '../ui/button.tsx';
import { useSay } from '../ui/strings.tsx';
import { useChatUi } from './chat-ui-store.ts';
import { SearchBox } from './search-box.tsx';
import { groupSessions } from './session-groups.ts';
import { SessionRow } from './session-row.tsx';
import { useNow } from './use-now.ts';

/** All chats by time, or what a search over them found. */
export function SessionList({ current }: { current: string | undefined }) {
	const say = useSay();
	const searching = useChatUi((state) => state.searching);
	return (
		<section className="pane side" aria-label={say('chat.list')}>
			<div className="pane-head">
				<h2 className="grow">{say('chat.list')}</h2>
				<IconButton
					icon={searching ? 'x' : 'search'}
					label={say(searching ? 'chat.searchClose' : 'chat.searchOpen')}
					aria-expanded={searching}
					onClick={() => useChatUi.setState({ searching: !searching })}
				/>
				<IconButton icon="plus" label={say('chat.new')} keys="Mod+N" onClick={() => runCommand('new_chat')} />
			</div>
			{searching ? <SearchBox /> : <GroupedSessions current={current} />}
		</section>
	);
}

function GroupedSessions({ current }: { current: string | undefined }) {
	const say = useSay();
	const byId = useSessions((state) => state.byId);
	const loaded = useSessions((state) => state.loaded);
	const now = useNow();
	const groups = useMemo(() => groupSessions(Object.values(byId), now), [byId, now]);
	return (
		<nav className="pane-body chats" aria-label={say('chat.listNav')}>
			{loaded && groups.length === 0 ? <p className="list-empty">{say('chat.listEmpty')}</p> : null}
			{groups.map((group) => (
				<section key={group.key} aria-labelledby={`group-${group.key}`}>
					<h3 className="group-h" id={`group-${group.key}`}>
						<GroupName name={group.key} />
					</h3>
					{group.sessions.map((session: SessionSummary) => (
						<SessionRow key={session.id} session={session} current={session.id === current} showsTime={group.key === 'today'} />
					))}
				</section>
			))}
		</nav>
	);
}

function GroupName({ name }: { name: string }) {
	const say = useSay();
	const intl = useIntl();
	const now = useNow();
	if (name === 'pinned') return say('chat.groupPinned');
	if (name === 'today') return say('chat.groupToday');
	if (name === 'yesterday') return say('chat.groupYesterday');
	if (name === 'week') return say('chat.groupWeek');
	const [year = 0, month = 1] = name.split('-').map(Number);
	const thisYear = new Date(now).getFullYear() === year;
	return intl.formatDate(new Date(year, month - 1, 1), thisYear ? { month: 'long' } : { month: 'long', year: 'numeric' });
}
