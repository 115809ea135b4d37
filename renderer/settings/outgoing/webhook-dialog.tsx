import { useState } from 'react';
import type { OutgoingView } from '../../../src/contract/methods/outgoing.ts';
import { WebhookName } from '../../../src/domain/outgoing.ts';
import { shapeOf } from '../../connection/index.ts';
import { Field } from '../../ui/controls.tsx';
import { Dialog, FormButtons } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { useOutgoingChange } from './queries.ts';
import { useSecretPlace } from './secret-place.tsx';

interface WebhookDialogProps {
	view: OutgoingView;
	/** One that gets another address; undefined for a new one. */
	name: string | undefined;
	onClose: () => void;
	onSaved: () => void;
}

export function WebhookDialog({ view, name: given, onClose, onSaved }: WebhookDialogProps) {
	const say = useSay();
	const [typed, setTyped] = useState('');
	const [address, setAddress] = useState('');
	const [strict, setStrict] = useState(false);
	const place = useSecretPlace(address.trim() !== '', strict);

	const name = given ?? typed.trim();
	const isTaken = given === undefined && view.webhooks.some((each) => each.name === name);
	const nameProblem =
		given === undefined && !WebhookName.safeParse(name).success ? 'outgoing.nameBad' : isTaken ? 'outgoing.nameTaken' : undefined;
	const url = /^https?:\/\/\S+$/i.test(address.trim()) && URL.canParse(address.trim()) ? address.trim() : undefined;
	const save = useOutgoingChange(async (client, webhook: { name: string; url: string }) => {
		await place.settle();
		return client.outgoing.setWebhook(webhook);
	}, onSaved);
	const submit = (): void => {
		setStrict(true);
		if (nameProblem === undefined && url !== undefined && place.ready) save.mutate({ name, url });
	};
	return (
		<Dialog
			open
			onClose={onClose}
			title={given === undefined ? say('outgoing.webhookTitle') : say('outgoing.webhookEdit', { name: given })}
			onSubmit={submit}
			footer={<FormButtons onCancel={onClose} action={say('common.save')} busy={save.isPending} />}
		>
			{given === undefined ? (
				<Field
					label={say('outgoing.name')}
					value={typed}
					onChange={setTyped}
					hint={say('outgoing.nameHint')}
					error={strict && nameProblem ? say(nameProblem) : undefined}
					autoComplete="off"
					spellCheck={false}
					maxLength={32}
				/>
			) : null}
			<Field
				label={say('outgoing.hookAddress')}
				type="password"
				value={address}
				onChange={setAddress}
				hint={say('outgoing.hookAddressHint')}
				error={strict && url === undefined ? say('outgoing.hookAddressBad') : undefined}
				autoComplete="off"
				spellCheck={false}
			/>
			{place.element}
			{save.error ? <ErrorNote error={shapeOf(save.error)} /> : null}
		</Dialog>
	);
}
