import { Button, IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/controls.tsx';
import { Select } from '../../ui/select.tsx';
import { useSay } from '../../ui/strings.tsx';
import type { DraftProblems, FolderDraft, ServerDraft } from './server-values.ts';

interface AccessFieldsProps {
	draft: ServerDraft;
	onChange: (change: Partial<ServerDraft>) => void;
	problems: DraftProblems;
}

/** What a program may see and reach from its sandbox. */
export function AccessFields({ draft, onChange, problems }: AccessFieldsProps) {
	const say = useSay();
	const { folders } = draft;
	const change = (key: number, by: Partial<FolderDraft>): void =>
		onChange({ folders: folders.map((one) => (one.key === key ? { ...one, ...by } : one)) });
	const next = Math.max(0, ...folders.map(({ key }) => key + 1));
	const accesses = (['read', 'write'] as const).map((access) => ({ value: access, label: say(`servers.${access}`) }));
	return (
		<fieldset className="pairs">
			<legend className="form-label">{say('servers.access')}</legend>
			{folders.map(({ key, path, access }, index) => (
				<div className="pair" key={key}>
					<Field
						label={say('servers.folder', { number: index + 1 })}
						value={path}
						onChange={(typed) => change(key, { path: typed })}
						hint={say('servers.folderHint')}
						error={problems.folders[key]}
						spellCheck={false}
						autoComplete="off"
					/>
					<Select
						label={say('servers.folderAccess', { number: index + 1 })}
						value={access}
						onChange={(chosen) => change(key, { access: chosen === 'write' ? 'write' : 'read' })}
						options={accesses}
					/>
					<IconButton
						icon="x"
						label={say('servers.removeValue', { name: path || say('servers.folder', { number: index + 1 }) })}
						onClick={() => onChange({ folders: folders.filter((one) => one.key !== key) })}
					/>
				</div>
			))}
			<Button size="sm" icon="plus" onClick={() => onChange({ folders: [...folders, { key: next, path: '', access: 'read' }] })}>
				{say('servers.addFolder')}
			</Button>
			<div className="form-field">
				<span className="form-label">{say('servers.home')}</span>
				<Select
					label={say('servers.home')}
					value={draft.home}
					onChange={(home) => onChange({ home: home as ServerDraft['home'] })}
					options={(['hidden', 'read', 'write'] as const).map((home) => ({ value: home, label: say(`servers.home.${home}`) }))}
				/>
			</div>
			<div className="form-field">
				<span className="form-label">{say('servers.network')}</span>
				<Select
					label={say('servers.network')}
					value={draft.network}
					onChange={(network) => onChange({ network: network as ServerDraft['network'] })}
					options={(['none', 'hosts', 'all'] as const).map((network) => ({ value: network, label: say(`servers.network.${network}`) }))}
				/>
			</div>
			{draft.network === 'hosts' ? (
				<Field
					label={say('servers.hosts')}
					value={draft.hosts}
					onChange={(hosts) => onChange({ hosts })}
					hint={say('servers.hostsHint')}
					error={problems.hosts}
					spellCheck={false}
					autoComplete="off"
				/>
			) : null}
		</fieldset>
	);
}
