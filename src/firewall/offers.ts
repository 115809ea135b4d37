import { assertNever } from '../domain/assert-never.ts';
import type { RunId, SessionId } from '../domain/ids.ts';
import type { Label } from '../domain/label.ts';
import type { PermissionJob, PermissionOffer, PermissionScope } from '../domain/permission.ts';
import type { Touch } from '../domain/sink.ts';
import { plainWords } from './command-words.ts';
import { FLAGGED } from './floor.ts';
import type { Decision } from './judge.ts';
import { covers } from './permission.ts';

/**
 * What the owner may grant with a yes: one scope that names all that was asked about, for this run, or for this chat, workflow or task. Nothing
 * where no single scope names it, or where it can't be permitted in advance. Pure.
 */
export function offersFor(each: readonly Decision[], { label, runId, sessionId, workflow, task }: OfferedTo): PermissionOffer[] {
	const asked = each.filter(({ verdict }) => verdict === 'ask');
	// What is asked whoever permits it is not helped by a permission.
	if (asked.length === 0 || asked.some(({ rule }) => rule === FLAGGED)) return [];
	const touches = asked.map(({ touch }) => touch);
	const scope = touches[0] && scopeFor(touches[0]);
	if (!scope || !touches.every((touch) => touch !== undefined && covers(scope, touch))) return [];
	const most: Label = label === 'external' ? 'external' : 'approved';
	// The page that is fetched is text from outside: of the same host the next one would be asked about again.
	const inRun: Label = scope.kind === 'host' && !scope.posts ? 'external' : most;
	return [
		{ reach: 'run', terms: { scope, label: inRun, job: { kind: 'run', runId } } },
		// Of a task each run begins anew, so that its pages count as in one run.
		{ reach: 'standing', terms: { scope, label: task === undefined ? most : inRun, job: standingJob({ sessionId, workflow, task }) } },
	];
}

export interface OfferedTo {
	readonly label: Label;
	readonly runId: RunId;
	readonly sessionId: SessionId;
	readonly workflow: string | undefined;
	readonly task: string | undefined;
}

/** The narrowest work that comes again: of a task, whatever it starts. */
function standingJob({ sessionId, workflow, task }: Omit<OfferedTo, 'label' | 'runId'>): PermissionJob {
	if (task !== undefined) return { kind: 'task', taskId: task };
	return workflow === undefined ? { kind: 'chat', sessionId } : { kind: 'workflow', name: workflow };
}

/** The scope that is offered for it: no wider than one would expect. */
function scopeFor(touch: Touch): PermissionScope | undefined {
	switch (touch.sink) {
		case 'file':
			if (touch.root === 'workspace') return { kind: 'workspace' };
			return touch.root === undefined ? undefined : { kind: 'folder', path: touch.root, access: touch.access, mine: false };
		case 'shell': {
			if (!touch.sandboxed) return undefined;
			if (touch.hosts.length === 0) return { kind: 'workspace' };
			return plainWords(touch.command) && { kind: 'command', pattern: touch.command, hosts: [...touch.hosts] };
		}
		case 'network':
			return { kind: 'host', host: touch.host, posts: touch.method === 'POST' };
		case 'server':
			return { kind: 'server', server: touch.server, tool: touch.tool };
		case 'memory':
		case 'forget':
		case 'skill':
		case 'message':
		case 'task':
			return undefined;
		default:
			return assertNever(touch);
	}
}
