import { useIntl } from 'react-intl';
import type { Permission, PermissionTerms } from '../../../src/domain/permission.ts';
import { shapeOf } from '../../connection/index.ts';
import { Switch } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { Row } from '../row.tsx';
import { usePermissionChange } from './queries.ts';

const OWN_FOLDER: PermissionTerms = { scope: { kind: 'workspace' }, label: 'approved', job: { kind: 'any' } };

interface WorkspaceRowsProps {
	/** Those in force. */
	permissions: readonly Permission[];
	/** The folder itself. */
	path: string;
}

/** Whether it is a folder permission that says of the agent's own folder that its texts are the owner's. */
export function isOfWorkspace({ terms: { scope } }: Permission, path: string): boolean {
	return scope.kind === 'folder' && scope.path === path;
}

/** The agent's own folder: allowed from the start, and by a switch; and whose words lie there. */
export function WorkspaceRows({ permissions, path }: WorkspaceRowsProps) {
	const say = useSay();
	const intl = useIntl();
	const change = usePermissionChange();
	const own = permissions.find(({ terms }) => terms.scope.kind === 'workspace' && terms.job.kind === 'any');
	const mine = permissions.find((permission) => isOfWorkspace(permission, path) && permission.terms.job.kind === 'any');
	const mineTerms: PermissionTerms = { ...OWN_FOLDER, scope: { kind: 'folder', path, access: 'read', mine: true } };
	const used = own
		? ` · ${say('permissions.used', {
				count: own.uses,
				last: own.lastUsedAt === undefined ? '' : intl.formatDate(own.lastUsedAt, { dateStyle: 'medium', timeStyle: 'short' }),
			})}`
		: '';
	return (
		<>
			<Row
				icon="folder"
				title={say('permissions.workspace')}
				hint={own ? `${say('permissions.workspaceHint')} · ${say('permissions.cleanOnly')}${used}` : say('permissions.workspaceOff')}
				below={change.error ? <ErrorNote error={shapeOf(change.error)} /> : undefined}
			>
				<Switch
					label={say('permissions.accessOf', { path: say('permissions.workspace') })}
					checked={own !== undefined}
					disabled={change.isPending}
					onChange={(on) => change.mutate(on ? { give: OWN_FOLDER } : own ? { end: own } : {})}
				/>
			</Row>
			<Row icon="user" title={say('permissions.workspaceMine')} hint={say('permissions.workspaceMineHint')}>
				<Switch
					label={say('permissions.workspaceMine')}
					checked={mine !== undefined}
					disabled={change.isPending}
					onChange={(on) => change.mutate(on ? { give: mineTerms } : mine ? { end: mine } : {})}
				/>
			</Row>
		</>
	);
}
