import type { SessionId } from '../../../src/domain/ids.ts';
import type { PermissionJob, PermissionScope, PermissionTerms } from '../../../src/domain/permission.ts';
import { untilOf } from '../../chat/needs/always.tsx';

/** What is typed and chosen for a permission, before it is given. */
export interface Draft {
	readonly path: string;
	readonly access: 'read' | 'write';
	readonly mine: boolean;
	readonly host: string;
	readonly posts: boolean;
	readonly pattern: string;
	/** Separated by blanks. */
	readonly hosts: string;
	readonly server: string;
	/** '': all of them. */
	readonly serverTool: string;
	/** As `jobValue` writes it. */
	readonly job: string;
	readonly outside: boolean;
	readonly days: string;
}

export const EMPTY: Draft = {
	path: '',
	access: 'read',
	mine: false,
	host: '',
	posts: false,
	pattern: '',
	hosts: '',
	server: '',
	serverTool: '',
	job: 'any',
	outside: false,
	days: '0',
};

type Kind = Exclude<PermissionScope['kind'], 'workspace'>;

const NEEDED: Record<Kind, 'path' | 'host' | 'pattern' | 'server'> = { folder: 'path', host: 'host', command: 'pattern', server: 'server' };

export function isComplete(kind: Kind, draft: Draft): boolean {
	return draft[NEEDED[kind]].trim() !== '';
}

export function termsOf(kind: Kind, draft: Draft): PermissionTerms {
	const job = jobOf(draft.job);
	const outside = draft.outside && job.kind !== 'any';
	return { scope: scopeOf(kind, draft), label: outside ? 'external' : 'approved', job, ...untilOf(Number(draft.days)) };
}

function scopeOf(kind: Kind, draft: Draft): PermissionScope {
	switch (kind) {
		case 'folder':
			return { kind, path: draft.path.trim(), access: draft.access, mine: draft.mine };
		case 'host':
			return { kind, host: draft.host.trim(), posts: draft.posts };
		case 'command':
			return { kind, pattern: draft.pattern.trim(), hosts: draft.hosts.split(/[\s,]+/).filter((host) => host !== '') };
		case 'server':
			return { kind, server: draft.server, ...(draft.serverTool !== '' && { tool: draft.serverTool }) };
	}
}

/** A job as the value of a choice. */
export function jobValue(job: Exclude<PermissionJob, { kind: 'run' }>): string {
	if (job.kind === 'any') return EMPTY.job;
	if (job.kind === 'task') return `task:${job.taskId}`;
	return job.kind === 'chat' ? `chat:${job.sessionId}` : `workflow:${job.name}`;
}

function jobOf(value: string): PermissionJob {
	const [kind, name = ''] = [value.split(':', 1)[0], value.slice(value.indexOf(':') + 1)];
	if (kind === 'chat') return { kind, sessionId: name as SessionId };
	if (kind === 'task') return { kind, taskId: name };
	return kind === 'workflow' ? { kind, name } : { kind: 'any' };
}
