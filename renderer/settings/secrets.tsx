import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServerView } from '../../src/contract/methods/servers.ts';
import type { ProviderStatus, SecretStoreStatus } from '../../src/contract/shapes.ts';
import { MAIL_SECRET, SEARCH_SECRET } from '../../src/domain/outgoing.ts';
import { call, shapeOf } from '../connection/index.ts';
import { useProviders, useSecretStatus } from '../shell/queries.ts';
import { UnlockDialog } from '../shell/unlock.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, FormButtons } from '../ui/dialog.tsx';
import { StateMark } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { RemoveDialog } from '../ui/remove-dialog.tsx';
import { type Say, useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { chooseKeyPlace, KeyPlace, NO_PLACE, placeIsComplete } from './key-place.tsx';
import { Row, SectionHead } from './row.tsx';
import { useServers } from './servers/queries.ts';

export function SecretsSection() {
	const say = useSay();
	const status = useSecretStatus();
	const [changing, setChanging] = useState(false);
	const [unlocking, setUnlocking] = useState(false);
	const secrets = status.data;
	return (
		<section>
			<SectionHead title={say('settings.secrets')} lead={say('secrets.lead')} />
			{status.error ? <ErrorNote error={shapeOf(status.error)} /> : null}
			{secrets ? (
				<>
					<div className="tbl">
						<Row icon="lock" title={say('secrets.where')} hint={secrets.explanation}>
							<PlaceMark status={secrets} />
							{secrets.locked ? (
								<Button kind="primary" onClick={() => setUnlocking(true)}>
									{say('secrets.unlock')}
								</Button>
							) : null}
							<Button onClick={() => setChanging(true)}>{say(secrets.store === 'none' ? 'secrets.choose' : 'secrets.change')}</Button>
						</Row>
					</div>
					<h3>{say('secrets.list')}</h3>
					{secrets.names.length === 0 ? (
						<p className="meta">{say('secrets.none')}</p>
					) : (
						<div className="tbl">
							{secrets.names.map((name) => (
								<SecretRow key={name} name={name} />
							))}
						</div>
					)}
					{changing ? <PlaceDialog status={secrets} onClose={() => setChanging(false)} /> : null}
					<UnlockDialog open={unlocking} onClose={() => setUnlocking(false)} />
				</>
			) : null}
		</section>
	);
}

function PlaceMark({ status }: { status: SecretStoreStatus }) {
	const say = useSay();
	if (status.store === 'none') return null;
	if (status.locked) {
		return (
			<StateMark state="waiting" icon="lock">
				{say('secrets.locked')}
			</StateMark>
		);
	}
	return status.protected ? (
		<StateMark state="done">{say('secrets.protected')}</StateMark>
	) : (
		<StateMark state="alert">{say('secrets.unprotected')}</StateMark>
	);
}

function SecretRow({ name }: { name: string }) {
	const say = useSay();
	const queries = useQueryClient();
	const [asking, setAsking] = useState(false);
	const providers = useProviders().data ?? [];
	const servers = useServers().data?.servers ?? [];
	const shown = shownName(say, name, providers, servers);
	const remove = useMutation({
		mutationFn: () => call((client) => client.secrets.remove({ name })),
		onSuccess: (status) => {
			queries.setQueryData(['secrets', 'status'], status);
			void queries.invalidateQueries({ queryKey: ['models'] });
			showToast(say('secrets.removed'));
		},
	});
	return (
		<Row icon="key" title={say('secrets.of', { name: shown })}>
			<Button onClick={() => setAsking(true)}>{say('common.remove')}</Button>
			<RemoveDialog
				open={asking}
				title={say('secrets.removeTitle', { name: shown })}
				lead={say('secrets.removeBody')}
				busy={remove.isPending}
				error={remove.error ? shapeOf(remove.error) : undefined}
				onRemove={() => remove.mutate()}
				onClose={() => setAsking(false)}
			/>
		</Row>
	);
}

/** Whose it is: a provider of models, a part of a tool server, or a way that messages leave by. */
function shownName(say: Say, name: string, providers: readonly ProviderStatus[], servers: readonly ServerView[]): string {
	const [, id, kind, part] = /^server:([^:]+):(env|header|sign-in)(?::(.+))?$/.exec(name) ?? [];
	const server = servers.find((view) => view.server.id === id)?.server.title ?? id;
	if (server !== undefined)
		return kind === 'sign-in' ? say('secrets.serverSignIn', { server }) : say('secrets.serverValue', { server, name: part ?? '' });
	if (name === SEARCH_SECRET) return say('outgoing.brave');
	if (name === MAIL_SECRET) return say('outgoing.mail');
	const webhook = /^webhook:(.+)$/.exec(name)?.[1];
	if (webhook !== undefined) return say('outgoing.webhookNamed', { name: webhook });
	const provider = name.replace(/^provider:/, '');
	return providers.find((status) => status.provider.id === provider)?.provider.name ?? provider;
}

function PlaceDialog({ status, onClose }: { status: SecretStoreStatus; onClose: () => void }) {
	const say = useSay();
	const queries = useQueryClient();
	const [place, setPlace] = useState(NO_PLACE);
	const [strict, setStrict] = useState(false);
	const choose = useMutation({
		mutationFn: () => chooseKeyPlace(place),
		onSuccess: (next) => {
			queries.setQueryData(['secrets', 'status'], next);
			onClose();
		},
	});
	const submit = (): void => {
		setStrict(true);
		if (placeIsComplete(place)) choose.mutate();
	};
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('secrets.changeTitle')}
			onSubmit={submit}
			footer={<FormButtons onCancel={onClose} action={say('common.save')} busy={choose.isPending} />}
		>
			<KeyPlace status={status} value={place} onChange={setPlace} strict={strict} asked />
			{choose.error ? <ErrorNote error={shapeOf(choose.error)} /> : null}
		</Dialog>
	);
}
