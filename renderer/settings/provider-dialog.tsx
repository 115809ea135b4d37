import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ProviderStatus, SecretStoreStatus } from '../../src/contract/shapes.ts';
import type { ErrorShape } from '../../src/domain/errors.ts';
import { call, shapeOf } from '../connection/index.ts';
import { useProviders, useSecretStatus } from '../shell/queries.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/controls.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { ErrorNote, Note } from '../ui/note.tsx';
import { useSay } from '../ui/strings.tsx';
import { chooseKeyPlace, KeyPlace, NO_PLACE, placeIsComplete } from './key-place.tsx';
import { ProviderFields } from './provider-fields.tsx';
import { configOf, draftOf, emptyDraft, needsAddress, newProviderId, problemsOf } from './provider-values.ts';

interface ProviderDialogProps {
	/** `first`: part of the first run, where leaving without success leaves nothing behind. */
	purpose: 'first' | 'add' | 'edit';
	/** The provider to change. */
	status?: ProviderStatus;
	onClose: () => void;
	/** Called with a provider that answers; `typedModel` where it lists none. */
	onReady: (status: ProviderStatus, typedModel: string | undefined) => void;
}

/** A server's address, or a key: saved, then looked at at once, with what is wrong said in place. */
export function ProviderDialog({ purpose, status, onClose, onReady }: ProviderDialogProps) {
	const say = useSay();
	const queries = useQueryClient();
	const known = useProviders().data ?? [];
	const secrets = useSecretStatus().data;
	const [draft, setDraft] = useState(() => (status ? draftOf(status.provider) : emptyDraft('openai-compatible')));
	const [place, setPlace] = useState(NO_PLACE);
	const [strict, setStrict] = useState(false);
	const [busy, setBusy] = useState(false);
	const [failure, setFailure] = useState<ErrorShape>();
	const [saved, setSaved] = useState<ProviderStatus>();
	const [typedModel, setTypedModel] = useState('');

	const hasKey = status?.hasKey ?? saved?.hasKey ?? false;
	const problems = problemsOf(draft, hasKey);
	const mustChoosePlace = secrets?.store === 'none' && draft.key.trim() !== '';
	const listsNone = saved !== undefined && saved.models.length === 0 && (saved.state === 'no_model' || saved.state === 'ready');

	const save = async (): Promise<void> => {
		setStrict(true);
		if (Object.keys(problems).length > 0 || (mustChoosePlace && !placeIsComplete(place))) return;
		setBusy(true);
		setFailure(undefined);
		try {
			if (mustChoosePlace) queries.setQueryData(['secrets', 'status'], await chooseKeyPlace(place));
			const id =
				status?.provider.id ??
				saved?.provider.id ??
				newProviderId(
					draft,
					known.map((other) => other.provider.id),
				);
			const provider = configOf(draft, id);
			const key = draft.key.trim();
			const answer = await call((client) => client.models.saveProvider(key ? { provider, key } : { provider }));
			void queries.invalidateQueries({ queryKey: ['models'] });
			setSaved(answer);
			if (answer.state === 'ready' && answer.models.length > 0) onReady(answer, undefined);
			else if (typedModel.trim()) onReady(answer, typedModel.trim());
		} catch (error) {
			setFailure(shapeOf(error));
		} finally {
			setBusy(false);
		}
	};
	const close = (): void => {
		if (purpose === 'first' && saved) {
			void call((client) => client.models.removeProvider({ providerId: saved.provider.id })).finally(() =>
				queries.invalidateQueries({ queryKey: ['models'] }),
			);
		}
		onClose();
	};

	const title = {
		first: say('provider.setUpTitle'),
		add: say('provider.addTitle'),
		edit: say('provider.editTitle', { name: status?.provider.name ?? '' }),
	};
	return (
		<Dialog
			open
			onClose={close}
			title={title[purpose]}
			wide
			onSubmit={() => void save()}
			footer={
				<>
					<Button onClick={close}>{say(saved && purpose !== 'first' ? 'common.close' : 'common.cancel')}</Button>
					<Button kind="primary" type="submit" busy={busy}>
						{say(purpose === 'first' ? 'provider.check' : 'provider.saveAndLook')}
					</Button>
				</>
			}
		>
			<ProviderFields
				draft={draft}
				onChange={setDraft}
				problems={strict ? problems : {}}
				hasKey={hasKey}
				kindFixed={status !== undefined}
			/>
			{draft.key.trim() || !needsAddress(draft.kind) ? (
				<KeyPart secrets={secrets} ask={mustChoosePlace} value={place} onChange={setPlace} strict={strict} />
			) : null}
			{failure ? <ErrorNote error={failure} /> : null}
			{saved && !failure && !busy ? <SavedProblem status={saved} /> : null}
			{listsNone ? (
				<Field
					label={say('provider.modelTyped')}
					hint={say('provider.modelTypedHint')}
					value={typedModel}
					onChange={setTypedModel}
					spellCheck={false}
				/>
			) : null}
		</Dialog>
	);
}

function KeyPart({
	secrets,
	ask,
	...rest
}: { secrets: SecretStoreStatus | undefined; ask: boolean } & Omit<Parameters<typeof KeyPlace>[0], 'status'>) {
	if (!secrets) return null;
	if (ask) return <KeyPlace status={secrets} {...rest} />;
	return secrets.store === 'none' ? null : <Note icon={secrets.protected ? 'lock' : 'alert'}>{secrets.explanation}</Note>;
}

/** Saved, and what it answered is not enough yet. */
function SavedProblem({ status }: { status: ProviderStatus }) {
	const say = useSay();
	if (status.state === 'ready') return null;
	if (status.problem) return <ErrorNote error={status.problem} />;
	return <Note tone="failed" title={say(`provider.state.${status.state}`)} role="alert" />;
}
