import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SandboxView, ServerView } from '../../../src/contract/methods/servers.ts';
import { shapeOf } from '../../connection/index.ts';
import { useSecretStatus } from '../../shell/queries.ts';
import { Field } from '../../ui/controls.tsx';
import { Dialog, FormButtons } from '../../ui/dialog.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { Select } from '../../ui/select.tsx';
import { useSay } from '../../ui/strings.tsx';
import { chooseKeyPlace, KeyPlace, NO_PLACE, placeIsComplete } from '../key-place.tsx';
import { Abilities } from './abilities.tsx';
import { AccessFields } from './access-fields.tsx';
import { useServerChange } from './queries.ts';
import { accessOf, addressOf, configOf, draftOf, EMPTY_DRAFT, problemsOf, type ServerDraft, valuesOf } from './server-values.ts';
import { ValueFields } from './value-fields.tsx';

interface ServerDialogProps {
	/** The server to change; undefined for a new one. */
	view: ServerView | undefined;
	sandbox: SandboxView;
	taken: readonly string[];
	onClose: () => void;
}

/** Sets a server up, and says what it will be able to do. */
export function ServerDialog({ view, sandbox, taken, onClose }: ServerDialogProps) {
	const say = useSay();
	const queries = useQueryClient();
	const secrets = useSecretStatus().data;
	const [draft, setDraft] = useState<ServerDraft>(() => (view ? draftOf(view.server, view.missing) : EMPTY_DRAFT));
	const [place, setPlace] = useState(NO_PLACE);
	const [strict, setStrict] = useState(false);
	const set = (change: Partial<ServerDraft>): void => setDraft({ ...draft, ...change });
	const all = problemsOf(say, draft, taken, view?.server.id);
	const problems = strict ? all : { values: {}, folders: {}, none: true };
	const values = valuesOf(draft);
	const mustChoosePlace = secrets?.store === 'none' && Object.keys(values).length > 0;
	const isProgram = draft.kind === 'stdio';
	const mustTrust = isProgram && !sandbox.works && !draft.unsandboxed;

	const save = useServerChange(async (client, config: ReturnType<typeof configOf>) => {
		if (mustChoosePlace) queries.setQueryData(['secrets', 'status'], await chooseKeyPlace(place));
		return view ? client.servers.update({ server: config, values }) : client.servers.add({ server: config, values });
	}, onClose);
	const submit = (): void => {
		setStrict(true);
		if (!all.none || mustTrust || (mustChoosePlace && !placeIsComplete(place))) return;
		save.mutate(configOf(draft, view?.server));
	};
	const address = addressOf(draft.address);
	return (
		<Dialog
			open
			onClose={onClose}
			wide
			title={view ? say('servers.editTitle', { name: view.server.title }) : say('servers.addTitle')}
			onSubmit={submit}
			footer={<FormButtons onCancel={onClose} action={say('common.save')} busy={save.isPending} />}
		>
			{view ? null : (
				<div className="form-field">
					<span className="form-label">{say('servers.kind')}</span>
					<Select
						label={say('servers.kind')}
						value={draft.kind}
						onChange={(kind) => set({ kind: kind === 'http' ? 'http' : 'stdio', values: [] })}
						options={(['stdio', 'http'] as const).map((kind) => ({
							value: kind,
							label: say(`servers.kind.${kind}`),
							hint: say(`servers.kind.${kind}Hint`),
						}))}
					/>
				</div>
			)}
			<Field label={say('servers.name')} value={draft.title} onChange={(title) => set({ title })} error={problems.title} maxLength={60} />
			{isProgram ? (
				<Field
					label={say('servers.command')}
					value={draft.command}
					onChange={(command) => set({ command })}
					hint={say('servers.commandHint')}
					error={problems.command}
					spellCheck={false}
					autoComplete="off"
				/>
			) : (
				<Field
					label={say('servers.address')}
					value={draft.address}
					onChange={(typed) => set({ address: typed })}
					error={problems.address}
					inputMode="url"
					spellCheck={false}
					autoComplete="off"
				/>
			)}
			{isProgram ? <AccessFields draft={draft} onChange={set} problems={problems} /> : null}
			<ValueFields
				legend={say(isProgram ? 'servers.env' : 'servers.headers')}
				values={draft.values}
				onChange={(next) => set({ values: next })}
				problems={problems.values}
			/>
			{isProgram ? null : (
				<details className="advanced">
					<summary>{say('servers.more')}</summary>
					<Field
						label={say('servers.clientId')}
						value={draft.clientId}
						onChange={(clientId) => set({ clientId })}
						hint={say('servers.clientIdHint')}
						spellCheck={false}
						autoComplete="off"
					/>
				</details>
			)}
			{isProgram && !sandbox.works ? (
				<div className="choices">
					<label className="choice">
						<input
							type="checkbox"
							checked={draft.unsandboxed}
							onChange={(event) => set({ unsandboxed: event.target.checked })}
							aria-invalid={strict && mustTrust}
						/>
						<span>
							<b>{say('servers.unsandboxed')}</b>
							<span className="meta block">{say('servers.unsandboxedHint')}</span>
							{strict && mustTrust ? <span className="field-error block">{say('servers.unsandboxedNeeded')}</span> : null}
						</span>
					</label>
				</div>
			) : null}
			{isProgram || address !== undefined ? (
				<Abilities host={isProgram ? undefined : new URL(address ?? '').host} access={accessOf(draft)} sandboxed={sandbox.works} />
			) : null}
			{view && isAnother(view, draft) ? <Note icon="alert">{say('servers.newServer')}</Note> : null}
			{secrets && mustChoosePlace ? <KeyPlace status={secrets} value={place} onChange={setPlace} strict={strict} /> : null}
			{save.error ? <ErrorNote error={shapeOf(save.error)} /> : null}
		</Dialog>
	);
}

function isAnother(view: ServerView, draft: ServerDraft): boolean {
	const before = draftOf(view.server, []);
	return before.command !== draft.command || before.address !== draft.address;
}
