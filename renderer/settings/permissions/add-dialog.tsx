import { type ReactNode, useState } from 'react';
import type { PermissionScope } from '../../../src/domain/permission.ts';
import { useDayOptions } from '../../chat/needs/always.tsx';
import { shapeOf } from '../../connection/index.ts';
import { Field, Switch } from '../../ui/controls.tsx';
import { Dialog, FormButtons } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { Select } from '../../ui/select.tsx';
import { useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useServers, useServerTools } from '../servers/queries.ts';
import { type Draft, EMPTY, isComplete, termsOf } from './draft.ts';
import { usePermissionChange } from './queries.ts';
import { useJobOptions } from './use-job-options.ts';

interface AddDialogProps {
	kind: Exclude<PermissionScope['kind'], 'workspace'>;
	onClose: () => void;
}

/** One permission that the owner gives by themselves. */
export function AddDialog({ kind, onClose }: AddDialogProps) {
	const say = useSay();
	const [draft, setDraft] = useState<Draft>(EMPTY);
	const change = (by: Partial<Draft>): void => setDraft((before) => ({ ...before, ...by }));
	const add = usePermissionChange(() => {
		showToast(say('permissions.added'));
		onClose();
	});
	const submit = (): void => {
		if (isComplete(kind, draft)) add.mutate({ give: termsOf(kind, draft) });
	};
	return (
		<Dialog
			open
			onClose={onClose}
			title={say(`permissions.add.${kind}`)}
			onSubmit={submit}
			footer={<FormButtons onCancel={onClose} action={say('permissions.allow')} busy={add.isPending} disabled={!isComplete(kind, draft)} />}
		>
			{kind === 'folder' ? <FolderFields draft={draft} onChange={change} /> : null}
			{kind === 'host' ? <HostFields draft={draft} onChange={change} /> : null}
			{kind === 'command' ? <CommandFields draft={draft} onChange={change} /> : null}
			{kind === 'server' ? <ServerFields draft={draft} onChange={change} /> : null}
			<JobFields draft={draft} onChange={change} />
			{add.error ? <ErrorNote error={shapeOf(add.error)} /> : null}
		</Dialog>
	);
}

interface FieldsProps {
	draft: Draft;
	onChange: (by: Partial<Draft>) => void;
}

function FolderFields({ draft, onChange }: FieldsProps) {
	const say = useSay();
	const accesses = (['read', 'write'] as const).map((access) => ({ value: access, label: say(`permissions.${access}`) }));
	return (
		<>
			<Field
				label={say('permissions.field.path')}
				hint={say('permissions.field.pathHint')}
				value={draft.path}
				onChange={(path) => onChange({ path })}
				spellCheck={false}
				autoComplete="off"
			/>
			<Labelled label={say('permissions.field.access')}>
				<Select
					label={say('permissions.field.access')}
					value={draft.access}
					options={accesses}
					onChange={(access) => onChange({ access: access === 'write' ? 'write' : 'read' })}
				/>
			</Labelled>
			<SwitchField
				label={say('permissions.field.mine')}
				hint={say('permissions.field.mineHint')}
				checked={draft.mine}
				onChange={(mine) => onChange({ mine })}
			/>
		</>
	);
}

function HostFields({ draft, onChange }: FieldsProps) {
	const say = useSay();
	return (
		<>
			<Field
				label={say('permissions.field.host')}
				hint={say('permissions.field.hostHint')}
				value={draft.host}
				onChange={(host) => onChange({ host })}
				spellCheck={false}
				autoComplete="off"
			/>
			<SwitchField label={say('permissions.field.posts')} checked={draft.posts} onChange={(posts) => onChange({ posts })} />
		</>
	);
}

function CommandFields({ draft, onChange }: FieldsProps) {
	const say = useSay();
	return (
		<>
			<Field
				label={say('permissions.field.command')}
				hint={say('permissions.field.commandHint')}
				value={draft.pattern}
				onChange={(pattern) => onChange({ pattern })}
				spellCheck={false}
				autoComplete="off"
			/>
			<Field
				label={say('permissions.field.hosts')}
				hint={say('permissions.field.hostsHint')}
				value={draft.hosts}
				onChange={(hosts) => onChange({ hosts })}
				spellCheck={false}
				autoComplete="off"
			/>
		</>
	);
}

function ServerFields({ draft, onChange }: FieldsProps) {
	const say = useSay();
	const servers = useServers().data?.servers ?? [];
	if (servers.length === 0) return <p className="meta">{say('permissions.field.noServers')}</p>;
	return (
		<>
			<Labelled label={say('permissions.field.server')}>
				<Select
					label={say('permissions.field.server')}
					value={draft.server}
					options={servers.map(({ server }) => ({ value: server.id, label: server.title }))}
					onChange={(server) => onChange({ server, serverTool: '' })}
				/>
			</Labelled>
			{draft.server === '' ? null : <ToolField draft={draft} onChange={onChange} />}
		</>
	);
}

function ToolField({ draft, onChange }: FieldsProps) {
	const say = useSay();
	const tools = useServerTools(draft.server as Parameters<typeof useServerTools>[0]).data?.tools ?? [];
	const options = [{ value: '', label: say('permissions.field.allTools') }, ...tools.map(({ tool }) => ({ value: tool, label: tool }))];
	return (
		<Labelled label={say('permissions.field.serverTool')}>
			<Select
				label={say('permissions.field.serverTool')}
				value={draft.serverTool}
				options={options}
				onChange={(serverTool) => onChange({ serverTool })}
			/>
		</Labelled>
	);
}

/** For which work, after what, and for how long. */
function JobFields({ draft, onChange }: FieldsProps) {
	const say = useSay();
	const jobs = useJobOptions();
	const days = useDayOptions();
	const limited = draft.job !== EMPTY.job;
	return (
		<>
			<Labelled label={say('permissions.field.job')}>
				<Select
					label={say('permissions.field.job')}
					value={draft.job}
					options={jobs}
					onChange={(job) => onChange({ job, ...(job === EMPTY.job && { outside: false }) })}
				/>
			</Labelled>
			<SwitchField
				label={say('permissions.field.outside')}
				hint={say('permissions.field.outsideHint')}
				checked={draft.outside}
				disabled={!limited}
				onChange={(outside) => onChange({ outside })}
			/>
			<Labelled label={say('permissions.field.until')}>
				<Select
					label={say('permissions.field.until')}
					value={draft.days}
					options={days}
					onChange={(chosen) => onChange({ days: chosen })}
				/>
			</Labelled>
		</>
	);
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
	return (
		<div className="form-field">
			<span className="form-label">{label}</span>
			{children}
		</div>
	);
}

interface SwitchFieldProps {
	label: string;
	hint?: string;
	checked: boolean;
	disabled?: boolean;
	onChange: (checked: boolean) => void;
}

function SwitchField({ label, hint, checked, disabled = false, onChange }: SwitchFieldProps) {
	return (
		<div className="form-field switch-field">
			<div className="grow">
				<span className="form-label">{label}</span>
				{hint ? <p className="meta">{hint}</p> : null}
			</div>
			<Switch label={label} checked={checked} disabled={disabled} onChange={onChange} />
		</div>
	);
}
