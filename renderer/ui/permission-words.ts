import type { IntlShape } from 'react-intl';
import type { PermissionJob, PermissionScope, PermissionTerms } from '../../src/domain/permission.ts';
import { useSessions } from '../connection/index.ts';
import { type Say, useSay } from './strings.tsx';

/** What a permission lets the agent do, in words: all of it, since the owner says yes to what stands here (B3). */

export function scopeWords(say: Say, scope: PermissionScope): string {
	switch (scope.kind) {
		case 'workspace':
			return say('permissions.scope.workspace');
		case 'folder':
			return say('permissions.scope.folder', { access: scope.access, path: scope.path });
		case 'host':
			return say('permissions.scope.host', { posts: scope.posts ? 'yes' : 'no', host: scope.host });
		case 'command': {
			const { pattern, hosts } = scope;
			if (hosts.length === 0) return say('permissions.scope.command', { pattern });
			return say('permissions.scope.commandHosts', { pattern, hosts: hosts.join(', ') });
		}
		case 'server': {
			const { server, tool } = scope;
			return tool === undefined ? say('permissions.scope.serverAll', { server }) : say('permissions.scope.server', { server, tool });
		}
	}
}

/** For which work: chats are named by their titles. `taskTitle`: of the task that it is for, where that is known. */
export function useJobWords(): (job: PermissionJob, taskTitle?: string) => string {
	const say = useSay();
	const byId = useSessions((state) => state.byId);
	return (job, taskTitle) => {
		if (job.kind === 'workflow') return say('permissions.job.workflow', { name: job.name });
		if (job.kind === 'task' && taskTitle !== undefined) return say('permissions.job.taskNamed', { title: taskTitle });
		if (job.kind !== 'chat') return say(`permissions.job.${job.kind}`);
		const title = byId[job.sessionId]?.title;
		return title === undefined ? say('permissions.job.oldChat') : say('permissions.job.chat', { title });
	};
}

/** What taint it covers, which tool, until when. */
export function limitWords(say: Say, intl: IntlShape, { label, tool, until, scope }: PermissionTerms): string[] {
	const reads = scope.kind === 'folder' && scope.access === 'read';
	const taint =
		label === 'external'
			? say('permissions.afterOutside')
			: label === 'approved'
				? say('permissions.cleanOnly')
				: say('permissions.label', { label: say(`label.${label}`) });
	return [
		// Reading a folder that was allowed is no effect: it is not asked after text from outside either.
		...(reads ? [] : [taint]),
		...(tool === undefined ? [] : [say('permissions.onlyTool', { tool })]),
		...(until === undefined
			? []
			: [say('permissions.until', { when: intl.formatDate(until, { dateStyle: 'medium', timeStyle: 'short' }) })]),
	];
}
