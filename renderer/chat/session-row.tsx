import { type KeyboardEvent, memo, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { Link } from 'wouter';
import type { SessionSummary } from '../../src/contract/shapes.ts';
import { IconButton } from '../ui/button.tsx';
import { isComposing } from '../ui/controls.tsx';
import { Icon } from '../ui/icon.tsx';
import { StateMark } from '../ui/marks.tsx';
import { Menu } from '../ui/menu.tsx';
import { useSay } from '../ui/strings.tsx';
import { useChatUi } from './chat-ui-store.ts';
import { renameSession } from './session-actions.ts';
import { SessionMenuItems } from './session-menu.tsx';

interface SessionRowProps {
	session: SessionSummary;
	current: boolean;
	showsTime: boolean;
}

export const SessionRow = memo(function SessionRow({ session, current, showsTime }: SessionRowProps) {
	const say = useSay();
	const intl = useIntl();
	const renaming = useChatUi((state) => state.renaming === session.id);
	const title = session.title || say('chat.untitled');
	if (renaming) return <RenameField session={session} />;
	return (
		<div className="row-wrap">
			<Link
				href={`/chat/${session.id}`}
				className="row"
				id={`chat-${session.id}`}
				aria-current={current ? 'page' : undefined}
				onClick={() => useChatUi.setState({ listOpen: false })}
			>
				{session.pinned ? <Icon name="pin" /> : null}
				<span className="cut grow" dir="auto">
					{title}
				</span>
				{session.activity === 'running' ? (
					<StateMark state="running" quiet>
						{say('chat.running')}
					</StateMark>
				) : session.activity === 'needs_owner' ? (
					<StateMark state="pending" quiet>
						{say('chat.needsYou')}
					</StateMark>
				) : session.activity === 'interrupted' ? (
					<StateMark state="stale" quiet>
						{say('chat.interrupted')}
					</StateMark>
				) : showsTime ? (
					<span className="meta num">{intl.formatTime(session.updatedAt)}</span>
				) : null}
			</Link>
			<Menu trigger={<IconButton icon="more" size="sm" className="row-more" label={say('chat.actionsOf', { title })} />}>
				<SessionMenuItems session={session} />
			</Menu>
		</div>
	);
});

function RenameField({ session }: { session: SessionSummary }) {
	const say = useSay();
	const [title, setTitle] = useState(session.title);
	const done = useRef(false);
	const finish = (save: boolean): void => {
		if (done.current) return;
		done.current = true;
		if (save && title.trim() && title.trim() !== session.title) void renameSession(session.id, title.trim());
		useChatUi.setState({ renaming: null });
		// The row comes back in this field's place: the focus goes on there.
		requestAnimationFrame(() => document.getElementById(`chat-${session.id}`)?.focus());
	};
	const onKeyDown = (event: KeyboardEvent): void => {
		if (isComposing(event)) return;
		if (event.key === 'Enter') finish(true);
		else if (event.key === 'Escape') {
			event.preventDefault();
			finish(false);
		}
	};
	return (
		<div className="row row-rename">
			<input
				className="field"
				aria-label={say('chat.renameLabel')}
				title={say('chat.renameHint')}
				value={title}
				maxLength={200}
				dir="auto"
				onChange={(event) => setTitle(event.target.value)}
				onKeyDown={onKeyDown}
				onBlur={() => finish(true)}
				// The owner asked to type here, by key or menu.
				ref={(field) => {
					if (field && !done.current && document.activeElement !== field) {
						requestAnimationFrame(() => {
							field.focus();
							field.select();
						});
					}
				}}
			/>
		</div>
	);
}
