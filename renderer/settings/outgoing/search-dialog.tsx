import { useState } from 'react';
import type { OutgoingView } from '../../../src/contract/methods/outgoing.ts';
import { SearchProvider } from '../../../src/domain/outgoing.ts';
import { shapeOf } from '../../connection/index.ts';
import { Field } from '../../ui/controls.tsx';
import { Dialog, FormButtons } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { Select } from '../../ui/select.tsx';
import { useSay } from '../../ui/strings.tsx';
import { useOutgoingChange } from './queries.ts';
import { useSecretPlace } from './secret-place.tsx';

const KINDS = ['searxng', 'brave'] as const;

export function SearchDialog({ view, onClose, onSaved }: { view: OutgoingView; onClose: () => void; onSaved: () => void }) {
	const say = useSay();
	const { search } = view;
	const [kind, setKind] = useState<SearchProvider['kind']>(search?.kind ?? 'searxng');
	const [address, setAddress] = useState(search?.kind === 'searxng' ? search.baseUrl : '');
	const [key, setKey] = useState('');
	const [permit, setPermit] = useState(search === null || view.searchPermitted);
	const [strict, setStrict] = useState(false);
	const place = useSecretPlace(kind === 'brave' && key.trim() !== '', strict);

	const baseUrl = address.trim();
	const isAddress = SearchProvider.safeParse({ kind: 'searxng', baseUrl }).success;
	const keyKept = search?.kind === 'brave' && view.searchHasKey;
	const isComplete = kind === 'searxng' ? isAddress : keyKept || key.trim() !== '';
	const save = useOutgoingChange(async (client, provider: SearchProvider) => {
		await place.settle();
		return client.outgoing.setSearch({ search: provider, permit, ...(key.trim() !== '' && { key: key.trim() }) });
	}, onSaved);
	const submit = (): void => {
		setStrict(true);
		if (!isComplete || !place.ready) return;
		const kept = search?.kind === 'brave' && search.baseUrl !== undefined ? { baseUrl: search.baseUrl } : {};
		save.mutate(kind === 'searxng' ? { kind, baseUrl } : { kind, ...kept });
	};
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('outgoing.searchTitle')}
			onSubmit={submit}
			footer={<FormButtons onCancel={onClose} action={say('common.save')} busy={save.isPending} />}
		>
			<div className="form-field">
				<span className="form-label">{say('outgoing.provider')}</span>
				<Select
					label={say('outgoing.provider')}
					value={kind}
					onChange={(chosen) => setKind(chosen === 'brave' ? 'brave' : 'searxng')}
					options={KINDS.map((each) => ({ value: each, label: say(`outgoing.kind.${each}`), hint: say(`outgoing.kind.${each}Hint`) }))}
				/>
			</div>
			{kind === 'searxng' ? (
				<Field
					label={say('outgoing.address')}
					value={address}
					onChange={setAddress}
					hint={say('outgoing.addressHint')}
					error={strict && !isAddress ? say('outgoing.addressBad') : undefined}
					inputMode="url"
					autoComplete="off"
					spellCheck={false}
				/>
			) : (
				<Field
					label={say('outgoing.key')}
					type="password"
					value={key}
					onChange={setKey}
					hint={keyKept ? say('outgoing.keyKept') : undefined}
					error={strict && !isComplete ? say('outgoing.keyNeeded') : undefined}
					autoComplete="off"
				/>
			)}
			<div className="choices">
				<label className="choice">
					<input type="checkbox" checked={permit} onChange={(event) => setPermit(event.target.checked)} />
					<span>
						<b>{say('outgoing.permit')}</b>
						<span className="meta block">{say('outgoing.permitHint')}</span>
					</span>
				</label>
			</div>
			{place.element}
			{save.error ? <ErrorNote error={shapeOf(save.error)} /> : null}
		</Dialog>
	);
}
