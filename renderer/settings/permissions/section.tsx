import { useState } from 'react';
import type { Permission, PermissionScope } from '../../../src/domain/permission.ts';
import { shapeOf } from '../../connection/index.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Note } from '../../ui/note.tsx';
import { type StringId, useSay } from '../../ui/strings.tsx';
import { SectionHead } from '../row.tsx';
import { AddDialog } from './add-dialog.tsx';
import { PermissionRow } from './permission-row.tsx';
import { Policy } from './policy.tsx';
import { usePermissions, useSandbox } from './queries.ts';
import { isOfWorkspace, WorkspaceRows } from './workspace-row.tsx';

type Added = Exclude<PermissionScope['kind'], 'workspace'>;

/** What the agent may do without asking: what was given for all work, what for some of it, and the rules around both. */
export function PermissionsSection() {
	const say = useSay();
	const listed = usePermissions();
	const [adding, setAdding] = useState<Added>();
	const all = listed.data?.permissions ?? [];
	const now = Date.now();
	const inForce = all.filter(({ revokedAt, terms }) => revokedAt === undefined && (terms.until ?? now + 1) > now);
	const ended = all.filter((permission) => !inForce.includes(permission));
	const general = (kind: Added): Permission[] => inForce.filter(({ terms }) => terms.scope.kind === kind && terms.job.kind === 'any');
	const standing = inForce.filter(({ terms }) => terms.job.kind !== 'any' || terms.scope.kind === 'server');
	return (
		<section>
			<SectionHead title={say('settings.permissions')} lead={say('permissions.lead')} />
			{listed.error ? <ErrorNote error={shapeOf(listed.error)} /> : null}
			{listed.data ? (
				<>
					<Head title="permissions.folders" action="permissions.addFolder" onAdd={() => setAdding('folder')} />
					<div className="tbl">
						<WorkspaceRows permissions={inForce} path={listed.data.workspace} />
						<Rows permissions={general('folder').filter((permission) => !isOfWorkspace(permission, listed.data.workspace))} />
					</div>
					<Head title="permissions.hosts" action="permissions.addHost" onAdd={() => setAdding('host')} />
					<Table permissions={general('host')} none="permissions.noHosts" />
					<Head title="permissions.commands" action="permissions.addCommand" onAdd={() => setAdding('command')} />
					<NoSandbox />
					<Table permissions={general('command')} none="permissions.noCommands" />
					<Head title="permissions.standing" action="permissions.addServer" onAdd={() => setAdding('server')} />
					<p className="meta">{say('permissions.standingLead')}</p>
					<Table permissions={standing} none="permissions.noStanding" />
					{ended.length > 0 ? (
						<details className="advanced">
							<summary>{say('permissions.ended', { count: ended.length })}</summary>
							<div className="tbl">
								<Rows permissions={ended} />
							</div>
						</details>
					) : null}
					<Note icon="lock">{say('permissions.outside')}</Note>
					<Policy />
				</>
			) : null}
			{adding ? <AddDialog kind={adding} onClose={() => setAdding(undefined)} /> : null}
		</section>
	);
}

/** Where no sandbox works nothing of commands can be permitted in advance, and that is said. */
function NoSandbox() {
	const say = useSay();
	const { data } = useSandbox();
	if (data?.kind !== 'none') return null;
	return (
		<Note tone="ask" title={say('permissions.noSandbox')}>
			<p>{[data.why, data.action].filter(Boolean).join(' ')}</p>
		</Note>
	);
}

function Head({ title, action, onAdd }: { title: StringId; action: StringId; onAdd: () => void }) {
	const say = useSay();
	return (
		<h3>
			{say(title)}
			<Button icon="plus" onClick={onAdd}>
				{say(action)}
			</Button>
		</h3>
	);
}

function Table({ permissions, none }: { permissions: readonly Permission[]; none: StringId }) {
	const say = useSay();
	if (permissions.length === 0) return <p className="meta">{say(none)}</p>;
	return (
		<div className="tbl">
			<Rows permissions={permissions} />
		</div>
	);
}

function Rows({ permissions }: { permissions: readonly Permission[] }) {
	return permissions.map((permission) => <PermissionRow key={permission.id} permission={permission} />);
}
