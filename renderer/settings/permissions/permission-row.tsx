import type { IntlShape } from 'react-intl';
import { useIntl } from 'react-intl';
import type { Permission, PermissionScope } from '../../../src/domain/permission.ts';
import { shapeOf } from '../../connection/index.ts';
import { useTaskTitle } from '../../tasks/queries.ts';
import { IconButton } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { ErrorNote } from '../../ui/note.tsx';
import { limitWords, scopeWords, useJobWords } from '../../ui/permission-words.ts';
import { type Say, useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';
import { Row } from '../row.tsx';
import { AccessChoice } from './access-choice.tsx';
import { usePermissionChange } from './queries.ts';

const ICONS: Record<PermissionScope['kind'], IconName> = {
	workspace: 'folder',
	folder: 'folder',
	host: 'globe',
	command: 'terminal',
	server: 'plug',
};

/** One permission: what it names, for which work, until when, how often it was used; and the way to take it back. */
export function PermissionRow({ permission }: { permission: Permission }) {
	const say = useSay();
	const intl = useIntl();
	const jobWords = useJobWords();
	// Told by the change itself: the row may be gone before it is done.
	const change = usePermissionChange(() => showToast(say('permissions.revoked')));
	const { terms, revokedAt } = permission;
	const { scope, job } = terms;
	const taskTitle = useTaskTitle(job);
	const inForce = revokedAt === undefined && (terms.until ?? Date.now() + 1) > Date.now();
	const takeBack = (): void => change.mutate({ end: permission });
	const ended = revokedAt === undefined ? [] : [say('permissions.endedAt', { when: shortDate(intl, revokedAt) })];
	const parts = [
		jobWords(job, taskTitle),
		...limitWords(say, intl, terms),
		...mineWords(say, scope),
		usedWords(say, intl, permission),
		...ended,
	];
	const name = shortName(scope) ?? scopeWords(say, scope);
	return (
		<Row
			icon={ICONS[scope.kind]}
			title={<bdi className={scope.kind === 'command' ? 'code' : 'break'}>{name}</bdi>}
			hint={[...moreWords(say, scope), ...parts].join(' · ')}
			below={change.error ? <ErrorNote error={shapeOf(change.error)} /> : undefined}
		>
			{inForce && scope.kind === 'folder' ? (
				<AccessChoice
					path={scope.path}
					access={scope.access}
					busy={change.isPending}
					onChange={(access) => change.mutate({ give: { ...terms, scope: { ...scope, access } }, end: permission })}
				/>
			) : null}
			{inForce ? (
				<IconButton icon="x" label={say('permissions.revoke', { what: name })} disabled={change.isPending} onClick={takeBack} />
			) : null}
		</Row>
	);
}

function shortName(scope: PermissionScope): string | undefined {
	switch (scope.kind) {
		case 'workspace':
			return undefined;
		case 'folder':
			return scope.path;
		case 'host':
			return scope.host;
		case 'command':
			return scope.pattern;
		case 'server':
			return scope.tool === undefined ? scope.server : `${scope.server} · ${scope.tool}`;
	}
}

/** What its name does not say of it. */
function moreWords(say: Say, scope: PermissionScope): string[] {
	return scope.kind === 'command' || (scope.kind === 'host' && scope.posts) ? [scopeWords(say, scope)] : [];
}

function mineWords(say: Say, scope: PermissionScope): string[] {
	return scope.kind === 'folder' && scope.mine ? [say('permissions.mine')] : [];
}

function usedWords(say: Say, intl: IntlShape, { uses, lastUsedAt }: Permission): string {
	return say('permissions.used', { count: uses, last: lastUsedAt === undefined ? '' : shortDate(intl, lastUsedAt) });
}

function shortDate(intl: IntlShape, at: number): string {
	return intl.formatDate(at, { dateStyle: 'medium', timeStyle: 'short' });
}
