import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProviderStatus } from '../../src/contract/shapes.ts';
import type { ModelRef } from '../../src/domain/model.ts';
import { call, shapeOf } from '../connection/index.ts';
import { useLookAgain } from '../shell/queries.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { RemoveDialog } from '../ui/remove-dialog.tsx';
import { type Say, useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';
import { ProviderDialog } from './provider-dialog.tsx';
import { ProviderMark } from './provider-state.tsx';
import { modelName, shownAddress } from './provider-values.ts';
import { Row } from './row.tsx';

function hintOf(say: Say, status: ProviderStatus): string {
	const address = shownAddress(status.provider);
	if (status.provider.kind === 'builtin') return say('models.builtinPlace');
	if (status.state === 'no_model') return say('models.noModel', { address });
	if (status.state === 'not_running') return say('models.notRunning', { address });
	if (status.problem && status.state === 'error') return status.problem.message;
	if (!status.local) return say(status.hasKey ? 'models.remoteKey' : 'models.remote');
	return say('models.place', { address, count: status.models.length });
}

/** One place where models run: address, state, and what can be done about it. */
export function ProviderRow({ status }: { status: ProviderStatus }) {
	const say = useSay();
	const lookAgain = useLookAgain();
	const [editing, setEditing] = useState(false);
	const [removing, setRemoving] = useState(false);
	const { provider, state } = status;
	const test = useMutation({ mutationFn: (model: ModelRef) => call((client) => client.models.test({ model })) });
	const needsFix = state === 'key_refused' || state === 'no_key';
	const canTest = status.models.slice(0, 8).map((info) => ({ providerId: provider.id, modelId: info.id }));
	return (
		<Row
			icon={status.local ? 'cpu' : 'globe'}
			title={provider.name}
			hint={hintOf(say, status)}
			below={
				test.error ? (
					<ErrorNote error={shapeOf(test.error)} />
				) : test.data && test.variables ? (
					<Note icon="done" role="status">
						{say('models.testOk', {
							model: modelName(test.variables, [status]),
							seconds: test.data.totalMs / 1000,
							sample: test.data.sample,
						})}
					</Note>
				) : undefined
			}
		>
			<ProviderMark state={test.isPending ? 'ready' : state} />
			{needsFix ? (
				<Button size="sm" onClick={() => setEditing(true)}>
					{say('models.fix')}
				</Button>
			) : state === 'no_model' || state === 'not_running' ? (
				<Button size="sm" busy={lookAgain.isPending} onClick={() => lookAgain.mutate()}>
					{say('models.lookAgain')}
				</Button>
			) : null}
			<Menu trigger={<IconButton icon="more" label={say('models.options', { name: provider.name })} aria-busy={test.isPending} />}>
				{canTest.map((model) => (
					<MenuItem key={model.modelId} icon="play" onClick={() => test.mutate(model)}>
						{say('models.testModel', { model: modelName(model, [status]) })}
					</MenuItem>
				))}
				{provider.kind === 'builtin' ? null : (
					<>
						{canTest.length > 0 ? <MenuLine /> : null}
						<MenuItem icon="edit" onClick={() => setEditing(true)}>
							{say('common.edit')}
						</MenuItem>
						{status.saved ? (
							<MenuItem icon="trash" danger onClick={() => setRemoving(true)}>
								{say('common.remove')}
							</MenuItem>
						) : null}
					</>
				)}
			</Menu>
			{editing ? (
				<ProviderDialog purpose="edit" status={status} onClose={() => setEditing(false)} onReady={() => setEditing(false)} />
			) : null}
			{removing ? <RemoveProvider status={status} onClose={() => setRemoving(false)} /> : null}
		</Row>
	);
}

function RemoveProvider({ status, onClose }: { status: ProviderStatus; onClose: () => void }) {
	const say = useSay();
	const queries = useQueryClient();
	const { id, name } = status.provider;
	const remove = useMutation({
		mutationFn: () => call((client) => client.models.removeProvider({ providerId: id })),
		onSuccess: () => {
			void queries.invalidateQueries({ queryKey: ['models'] });
			showToast(say('models.removed', { name }));
			onClose();
		},
	});
	return (
		<RemoveDialog
			title={say('models.removeTitle', { name })}
			lead={say('models.removeBody')}
			busy={remove.isPending}
			error={remove.error ? shapeOf(remove.error) : undefined}
			onRemove={() => remove.mutate()}
			onClose={onClose}
		/>
	);
}
