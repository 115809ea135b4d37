import { posix, win32 } from 'node:path';
import { hostMatches, patternCovers } from '../base/host-pattern.ts';
import { assertNever } from '../domain/assert-never.ts';
import type { RunId, SessionId, Timestamp } from '../domain/ids.ts';
import { isWithin, type Label } from '../domain/label.ts';
import type { Permission, PermissionJob, PermissionScope, PermissionTerms } from '../domain/permission.ts';
import type { Touch } from '../domain/sink.ts';
import { commandMatches } from './command-words.ts';

/** Whether a permission names what a call would touch. Pure. It never covers what it does not name. */

/** Whose call it is: the run with those that it works for, their chats, and the workflow and the task that they belong to. */
export interface JobNames {
	readonly runs: readonly RunId[];
	readonly sessions: readonly SessionId[];
	readonly workflow?: string | undefined;
	readonly task?: string | undefined;
}

export function isInForce({ terms, revokedAt }: Permission, now: Timestamp): boolean {
	return revokedAt === undefined && (terms.until === undefined || terms.until > now);
}

/** `label`: of the step. Reading a granted folder is no effect: it needs no permission that names the label. */
export function permits(terms: PermissionTerms, of: { touch: Touch; label: Label; tool: string; job: JobNames }): boolean {
	const { touch, label, tool, job } = of;
	if (terms.tool !== undefined && terms.tool !== tool) return false;
	if (!holdsFor(terms.job, job) || !covers(terms.scope, touch)) return false;
	if (touch.sink === 'file' && touch.access === 'read') return true;
	if (label === 'external' && terms.job.kind === 'any') return false;
	return isWithin(label, terms.label);
}

/** Whether that work is this. */
export function holdsFor(job: PermissionJob, names: JobNames): boolean {
	switch (job.kind) {
		case 'any':
			return true;
		case 'run':
			return names.runs.includes(job.runId);
		case 'chat':
			return names.sessions.includes(job.sessionId);
		case 'workflow':
			return names.workflow === job.name;
		case 'task':
			return names.task === job.taskId;
		default:
			return assertNever(job);
	}
}

export function covers(scope: PermissionScope, touch: Touch): boolean {
	switch (scope.kind) {
		case 'workspace':
			if (touch.sink === 'file') return touch.root === 'workspace';
			return touch.sink === 'shell' && touch.sandboxed && touch.hosts.length === 0 && isWorkspace(touch.cwd);
		case 'folder':
			return touch.sink === 'file' && (touch.access === 'read' || scope.access === 'write') && liesIn(scope.path, touch.path);
		case 'host':
			return touch.sink === 'network' && (touch.method === 'GET' || scope.posts) && isHostOf(scope.host, touch.url);
		case 'command':
			return (
				touch.sink === 'shell' &&
				touch.sandboxed &&
				isWorkspace(touch.cwd) &&
				touch.hosts.every((host) => scope.hosts.some((allowed) => patternCovers(allowed, host))) &&
				commandMatches(scope.pattern, touch.command)
			);
		case 'server':
			return touch.sink === 'server' && touch.server === scope.server && (scope.tool === undefined || touch.tool === scope.tool);
		default:
			return assertNever(scope);
	}
}

/** Its own segments count, not its beginning: `/a/bc` does not lie in `/a/b`. Only whole, settled paths: no `..`, no relative one. */
export function liesIn(folder: string, path: string): boolean {
	const [outer, inner] = [segments(folder), segments(path)];
	return outer !== undefined && inner !== undefined && outer.every((segment, at) => inner[at] === segment);
}

function segments(path: string): string[] | undefined {
	if (!posix.isAbsolute(path) && !win32.isAbsolute(path)) return undefined;
	const parts = path.split(posix.isAbsolute(path) ? '/' : /[\\/]/).filter((part) => part !== '' && part !== '.');
	return parts.includes('..') ? undefined : parts;
}

/** `workspace`, or a folder below it, as a command's touch names where it runs. */
function isWorkspace(cwd: string): boolean {
	const [first, ...rest] = cwd.split('/');
	return first === 'workspace' && !rest.includes('..');
}

function isHostOf(pattern: string, address: string): boolean {
	return URL.canParse(address) && hostMatches(pattern, new URL(address));
}
