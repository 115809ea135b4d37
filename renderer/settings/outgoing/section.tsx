import { type ReactNode, useState } from 'react';
import type { HearthClient } from '../../../src/contract/contract.ts';
import type { OutgoingView } from '../../../src/contract/methods/outgoing.ts';
import { shapeOf } from '../../connection/index.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { RemoveDialog } from '../../ui/remove-dialog.tsx';
import { type Say, useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Row, SectionHead } from '../row.tsx';
import { MailDialog } from './mail-dialog.tsx';
import { useOutgoing, useOutgoingChange, useOutgoingTest } from './queries.ts';
import { SearchDialog } from './search-dialog.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

/** Web search, mail and webhooks: everything that leaves this machine by tools and has to be set up. */
export function OutgoingSection() {
	const say = useSay();
	const outgoing = useOutgoing();
	const [adding, setAdding] = useState(false);
	const view = outgoing.data;
	return (
		<section>
			<SectionHead title={say('settings.outgoing')} lead={say('outgoing.lead')} />
			{outgoing.error ? <ErrorNote error={shapeOf(outgoing.error)} /> : null}
			{view ? (
				<>
					<div className="tbl">
						<SearchRow view={view} />
						<MailRow view={view} />
					</div>
					<h3>
						{say('outgoing.webhooks')}
						<Button icon="plus" onClick={() => setAdding(true)}>
							{say('common.add')}
						</Button>
					</h3>
					{view.webhooks.length === 0 ? <p className="meta">{say('outgoing.webhooksNone')}</p> : null}
					{view.webhooks.length > 0 ? (
						<div className="tbl">
							{view.webhooks.map((webhook) => (
								<WebhookRow key={webhook.name} view={view} webhook={webhook} />
							))}
						</div>
					) : null}
					{adding ? (
						<WebhookDialog
							view={view}
							name={undefined}
							onClose={() => setAdding(false)}
							onSaved={() => saved(say, () => setAdding(false))}
						/>
					) : null}
				</>
			) : null}
		</section>
	);
}

function saved(say: Say, close: () => void): void {
	showToast(say('outgoing.saved'));
	close();
}

type TestInput = Parameters<HearthClient['outgoing']['test']>[0];

interface WayRowProps {
	icon: IconName;
	name: string;
	hint: string;
	isSetUp: boolean;
	/** What is set up, as one text: a test of something else says nothing about it. */
	way: string;
	/** What a test is called, and one that also sends. */
	test: { label: string; input: TestInput; send?: { label: string; input: TestInput } };
	remove: (client: HearthClient) => Promise<OutgoingView>;
	dialog: (close: () => void, onSaved: () => void) => ReactNode;
}

/** One way out: what is set up, a test, and what can be changed. */
function WayRow({ icon, name, hint, isSetUp, way, test, remove, dialog }: WayRowProps) {
	const say = useSay();
	const [open, setOpen] = useState<'edit' | 'remove'>();
	const testing = useOutgoingTest();
	const [tested, setTested] = useState<string>();
	const runTest = (input: TestInput): void => {
		setTested(way);
		testing.mutate(input);
	};
	const close = (): void => setOpen(undefined);
	const onSaved = (): void => {
		setTested(undefined);
		saved(say, close);
	};
	const found = testing.error ? (
		<ErrorNote error={shapeOf(testing.error)} />
	) : testing.data ? (
		<Note icon="done" role="status">
			{testing.data.found}
		</Note>
	) : undefined;
	return (
		<Row icon={icon} title={name} hint={hint} below={isSetUp && tested === way ? found : undefined}>
			{isSetUp ? (
				<>
					<Button size="sm" aria-label={test.label} busy={testing.isPending} onClick={() => runTest(test.input)}>
						{say('outgoing.test')}
					</Button>
					<Menu trigger={<IconButton icon="more" label={say('outgoing.options', { name })} />}>
						{test.send ? (
							<MenuItem icon="send" onClick={() => test.send && runTest(test.send.input)}>
								{test.send.label}
							</MenuItem>
						) : null}
						<MenuItem icon="edit" onClick={() => setOpen('edit')}>
							{say('common.edit')}
						</MenuItem>
						<MenuLine />
						<MenuItem icon="trash" danger onClick={() => setOpen('remove')}>
							{say('common.remove')}
						</MenuItem>
					</Menu>
				</>
			) : (
				<Button size="sm" aria-label={`${say('outgoing.setUp')}: ${name}`} onClick={() => setOpen('edit')}>
					{say('outgoing.setUp')}
				</Button>
			)}
			{open === 'edit' ? dialog(close, onSaved) : null}
			{open === 'remove' ? <RemoveWay name={name} remove={remove} onClose={close} /> : null}
		</Row>
	);
}

function SearchRow({ view }: { view: OutgoingView }) {
	const say = useSay();
	const { search, searchHasKey, searchPermitted } = view;
	const provider =
		search?.kind === 'searxng'
			? say('outgoing.searxng', { host: new URL(search.baseUrl).host })
			: say(searchHasKey ? 'outgoing.brave' : 'outgoing.braveNoKey');
	return (
		<WayRow
			icon="search"
			name={say('outgoing.search')}
			hint={search ? `${provider}. ${say(searchPermitted ? 'outgoing.permitted' : 'outgoing.asks')}` : say('outgoing.searchNone')}
			isSetUp={search !== null}
			way={JSON.stringify(search)}
			test={{ label: say('outgoing.testSearch'), input: { what: 'search' } }}
			remove={(client) => client.outgoing.setSearch({ search: null })}
			dialog={(close, onSaved) => <SearchDialog view={view} onClose={close} onSaved={onSaved} />}
		/>
	);
}

function MailRow({ view }: { view: OutgoingView }) {
	const say = useSay();
	const { mail, mailHasPassword } = view;
	const isMissing = mail !== null && mail.user !== '' && !mailHasPassword;
	return (
		<WayRow
			icon="inbox"
			name={say('outgoing.mail')}
			hint={
				mail
					? say(isMissing ? 'outgoing.mailNoPassword' : 'outgoing.mailOf', { from: mail.from, host: mail.host, security: mail.security })
					: say('outgoing.mailNone')
			}
			isSetUp={mail !== null}
			way={JSON.stringify(mail)}
			test={{
				label: say('outgoing.testMail'),
				input: { what: 'mail' },
				send: { label: say('outgoing.sendSelf', { from: mail?.from ?? '' }), input: { what: 'mail', send: true } },
			}}
			remove={(client) => client.outgoing.setMail({ mail: null })}
			dialog={(close, onSaved) => <MailDialog view={view} onClose={close} onSaved={onSaved} />}
		/>
	);
}

function WebhookRow({ view, webhook }: { view: OutgoingView; webhook: OutgoingView['webhooks'][number] }) {
	const say = useSay();
	const { name, host, hasAddress } = webhook;
	return (
		<WayRow
			icon="send"
			name={name}
			hint={say(hasAddress ? 'outgoing.webhookAt' : 'outgoing.webhookNoAddress', { host })}
			isSetUp
			way={host}
			test={{
				label: say('outgoing.testOf', { name }),
				input: { what: 'webhook', name },
				send: { label: say('outgoing.sendTest'), input: { what: 'webhook', name, send: true } },
			}}
			remove={(client) => client.outgoing.removeWebhook({ name })}
			dialog={(close, onSaved) => <WebhookDialog view={view} name={name} onClose={close} onSaved={onSaved} />}
		/>
	);
}

function RemoveWay({ name, remove, onClose }: { name: string; remove: WayRowProps['remove']; onClose: () => void }) {
	const say = useSay();
	const removing = useOutgoingChange(
		(client, _: undefined) => remove(client),
		() => {
			showToast(say('outgoing.removed', { name }));
			onClose();
		},
	);
	return (
		<RemoveDialog
			title={say('outgoing.removeTitle', { name })}
			lead={say('outgoing.removeBody')}
			busy={removing.isPending}
			error={removing.error ? shapeOf(removing.error) : undefined}
			onRemove={() => removing.mutate(undefined)}
			onClose={onClose}
		/>
	);
}
