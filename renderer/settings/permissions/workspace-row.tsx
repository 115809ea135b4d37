import { useIntl } from 'react-intl';
import type { Permission, PermissionTerms } from '../../../src/domain/permission.ts';
import { shapeOf } from '../../connection/index.ts';
import { Switch } from '../../ui/controls.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { useSay } from '../../ui/strings.tsx';
import { Row } from '../row.tsx';
import { usePermissionChange } from './queries.ts';

const OWN_FOLDER: PermissionTerms = { scope: { kind: 'workspace' }, label: 'approved', job: { kind: 'any' } };

/** The agent's own folder: allowed from the start, and by a switch. */
export function WorkspaceRow({ permissions }: { permissions: readonly Permission[] }) {
	const say = useSay();
	const intl = useIntl();
	const change = usePermissionChange();
	const own = permissions.find(({ terms }) => terms.scope.kind === 'workspace' && terms.job.kind === 'any');
	const used = own
		? ` · ${say('permissions.used', {
				count: own.uses,
				last: own.lastUsedAt === undefined ? '' : intl.formatDate(own.lastUsedAt, { dateStyle: 'medium', timeStyle: 'short' }),
			})}`
		: '';
	return (
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
	);
}
