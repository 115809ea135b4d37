import { useState } from 'react';
import type { SandboxView, ServerView } from '../../../src/contract/methods/servers.ts';
import { tellingLine } from '../../../src/contract/server-tool.ts';
import type { ServerState } from '../../../src/domain/tool-server.ts';
import { shapeOf } from '../../connection/index.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Switch } from '../../ui/controls.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { StateMark } from '../../ui/marks.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Row } from '../row.tsx';
import { useServerChange } from './queries.ts';
import { ServerDialog } from './server-dialog.tsx';
import { SignInDialog } from './sign-in-dialog.tsx';
import { ToolsDialog } from './tools-dialog.tsx';

const MARKS = {
	off: { state: 'stale', icon: 'plug' },
	connecting: { state: 'running', icon: 'running' },
	connected: { state: 'done', icon: 'done' },
	waiting: { state: 'waiting', icon: 'waiting' },
	needs_sign_in: { state: 'alert', icon: 'key' },
	failed: { state: 'failed', icon: 'failed' },
} as const satisfies Record<ServerState['kind'], { state: string; icon: IconName }>;

type Open = 'tools' | 'edit' | 'sign-in' | 'remove';

/** One server: where it is, how it stands, and what can be done about it. */
export function ServerRow({ view, sandbox }: { view: ServerView; sandbox: SandboxView }) {
	const say = useSay();
	const [open, setOpen] = useState<Open>();
	const { server, state, tools, missing } = view;
	const { id, title, transport } = server;
	const connect = useServerChange((client, _: undefined) => client.servers.connect({ server: id }));
	const signOut = useServerChange((client, _: undefined) => client.servers.signOut({ server: id }));
	const change = useServerChange((client, enabled: boolean) => client.servers.update({ server: { ...server, enabled }, values: {} }));
	const close = (): void => setOpen(undefined);
	const failure = connect.error ?? signOut.error ?? change.error;
	const place = transport.kind === 'http' ? new URL(transport.url).host : [transport.command, ...transport.args].join(' ');
	const count = tools.approved + tools.waiting;
	return (
		<Row
			icon={transport.kind === 'http' ? 'globe' : 'terminal'}
			title={title}
			hint={place}
			below={failure || 'error' in state ? <Below view={view} failure={failure} /> : undefined}
		>
			<StateMark {...MARKS[state.kind]}>
				{say(`servers.state.${state.kind}`, { time: state.kind === 'waiting' ? new Date(state.until) : 0 })}
			</StateMark>
			{state.kind === 'needs_sign_in' ? (
				<Button size="sm" kind="primary" onClick={() => setOpen('sign-in')}>
					{say('servers.signIn')}
				</Button>
			) : state.kind === 'failed' || state.kind === 'waiting' ? (
				<Button size="sm" busy={connect.isPending} onClick={() => (missing.length > 0 ? setOpen('edit') : connect.mutate(undefined))}>
					{say(missing.length > 0 ? 'common.edit' : 'servers.again')}
				</Button>
			) : null}
			{count > 0 ? (
				<Button size="sm" kind={tools.waiting > 0 ? 'primary' : 'secondary'} onClick={() => setOpen('tools')}>
					{tools.waiting > 0 ? say('servers.toolsWait', { count: tools.waiting }) : say('servers.toolsCount', { count })}
				</Button>
			) : null}
			<Switch label={say('servers.on', { name: title })} checked={server.enabled} onChange={(enabled) => change.mutate(enabled)} />
			<Menu trigger={<IconButton icon="more" label={say('servers.options', { name: title })} />}>
				<MenuItem icon="list" onClick={() => setOpen('tools')}>
					{say('servers.tools', { name: title })}
				</MenuItem>
				<MenuItem icon="edit" onClick={() => setOpen('edit')}>
					{say('common.edit')}
				</MenuItem>
				{view.signedIn ? (
					<MenuItem icon="key" onClick={() => signOut.mutate(undefined)}>
						{say('servers.signOut')}
					</MenuItem>
				) : null}
				<MenuLine />
				<MenuItem icon="trash" danger onClick={() => setOpen('remove')}>
					{say('common.remove')}
				</MenuItem>
			</Menu>
			{open === 'tools' ? <ToolsDialog view={view} onClose={close} /> : null}
			{open === 'edit' ? <ServerDialog view={view} sandbox={sandbox} taken={[]} onClose={close} /> : null}
			{open === 'sign-in' ? <SignInDialog view={view} onClose={close} /> : null}
			{open === 'remove' ? <RemoveServer view={view} onClose={close} /> : null}
		</Row>
	);
}

function Below({ view: { state, said, missing }, failure }: { view: ServerView; failure: unknown }) {
	const say = useSay();
	const error = failure ? shapeOf(failure) : 'error' in state ? state.error : undefined;
	if (!error) return null;
	return (
		<ErrorNote error={error}>
			{missing.length > 0 ? <p>{say('servers.missing', { count: missing.length, names: missing.join(', ') })}</p> : null}
			{said === '' ? null : <p className="wrap">{say('servers.saidLast', { line: tellingLine(said) })}</p>}
			{said === '' ? null : (
				<details className="advanced">
					<summary>{say('servers.said')}</summary>
					{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
					<pre className="well server-json" tabIndex={0}>
						{said}
					</pre>
				</details>
			)}
		</ErrorNote>
	);
}

function RemoveServer({ view, onClose }: { view: ServerView; onClose: () => void }) {
	const say = useSay();
	const { id: server, title: name } = view.server;
	const remove = useServerChange(
		(client, _: undefined) => client.servers.remove({ server }),
		() => {
			showToast(say('servers.removed', { name }));
			onClose();
		},
	);
	return (
		<RemoveDialog
			title={say('servers.removeTitle', { name })}
			lead={say('servers.removeBody')}
			busy={remove.isPending}
			error={remove.error ? shapeOf(remove.error) : undefined}
			onRemove={() => remove.mutate(undefined)}
			onClose={onClose}
		/>
	);
}
