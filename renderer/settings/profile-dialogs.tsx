import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type ProfileInfo, ProfileName } from '../../src/contract/methods/profile.ts';
import { call, shapeOf } from '../connection/index.ts';
import { Field } from '../ui/controls.tsx';
import { Dialog, FormButtons } from '../ui/dialog.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { formatBytes, useSay } from '../ui/strings.tsx';
import { showToast } from '../ui/toast.tsx';

export function CreateProfileDialog({ taken, onClose, onDone }: { taken: readonly string[]; onClose: () => void; onDone: () => void }) {
	const say = useSay();
	const [name, setName] = useState('');
	const [strict, setStrict] = useState(false);
	const problem = taken.includes(name)
		? say('profile.nameTaken')
		: ProfileName.safeParse(name).success
			? undefined
			: say('profile.nameBad');
	const create = useMutation({
		mutationFn: () => call((client) => client.profiles.create({ name })),
		onSuccess: () => {
			showToast(say('profile.created', { name }));
			onDone();
			onClose();
		},
	});
	const submit = (): void => {
		setStrict(true);
		if (!problem && !create.isPending) create.mutate();
	};
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('profile.createTitle')}
			lead={say('profile.createLead')}
			onSubmit={submit}
			footer={<FormButtons onCancel={onClose} action={say('profile.create')} busy={create.isPending} />}
		>
			<Field
				label={say('profile.name')}
				hint={say('profile.nameHint')}
				value={name}
				onChange={setName}
				error={strict ? problem : undefined}
				autoComplete="off"
				spellCheck={false}
			/>
			{create.error ? <ErrorNote error={shapeOf(create.error)} /> : null}
		</Dialog>
	);
}

interface DeleteProfileProps {
	profile: ProfileInfo;
	onClose: () => void;
	onDone: () => void;
}

/** Deleting a profile takes its name, typed: it cannot be undone. */
export function DeleteProfileDialog({ profile, onClose, onDone }: DeleteProfileProps) {
	const say = useSay();
	const [typed, setTyped] = useState('');
	const { name } = profile;
	const remove = useMutation({
		mutationFn: () => call((client) => client.profiles.delete({ name, confirmName: typed })),
		onSuccess: () => {
			showToast(say('profile.deleted', { name }));
			onDone();
			onClose();
		},
	});
	const matches = typed === name;
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('profile.deleteTitle', { name })}
			lead={say('profile.deleteLead', { size: formatBytes(say, profile.bytes) })}
			onSubmit={() => (matches && !remove.isPending ? remove.mutate() : undefined)}
			footer={<FormButtons onCancel={onClose} action={say('common.delete')} kind="danger" busy={remove.isPending} disabled={!matches} />}
		>
			<Field label={say('profile.deleteConfirm', { name })} value={typed} onChange={setTyped} autoComplete="off" spellCheck={false} />
			{remove.error ? <ErrorNote error={shapeOf(remove.error)} /> : null}
		</Dialog>
	);
}
