import { assertNever } from '../domain/assert-never.ts';
import type { PermissionJob, PermissionOffer, PermissionScope, PermissionTerms } from '../domain/permission.ts';
import type { Touch } from '../domain/sink.ts';
import { when } from './context.ts';

/** Permissions and what calls touch, in words for a terminal. */

/** All of it: the owner says yes to what stands here. */
export function scopeText(scope: PermissionScope): string {
	switch (scope.kind) {
		case 'workspace':
			return 'files of workspace/ and sandboxed commands there, without network';
		case 'folder':
			return `${scope.access === 'write' ? 'read and write' : 'read'} everything below ${scope.path}${scope.mine ? ' (your own texts)' : ''}`;
		case 'host':
			return `reach ${scope.host}${scope.posts ? ', sending too' : ''}`;
		case 'command': {
			const hosts = scope.hosts.length > 0 ? `reaching ${scope.hosts.join(', ')}` : 'without network';
			return `run in the sandbox, ${hosts}: ${scope.pattern}`;
		}
		case 'server':
			return scope.tool === undefined ? `use all tools of the server ${scope.server}` : `use ${scope.tool} of the server ${scope.server}`;
		default:
			return assertNever(scope);
	}
}

export function jobText(job: PermissionJob): string {
	switch (job.kind) {
		case 'any':
			return 'all work';
		case 'run':
			return `the run ${job.runId}`;
		case 'chat':
			return `the chat ${job.sessionId}`;
		case 'workflow':
			return `the workflow ${job.name}`;
		case 'task':
			return `the task ${job.taskId}`;
		default:
			return assertNever(job);
	}
}

export function termsText({ tool, scope, label, job, until }: PermissionTerms): string {
	const outside = label === 'external' ? 'also after text from outside' : 'not after text from outside';
	const most = label === 'external' || label === 'approved' ? outside : `only for steps labelled ${label} or better`;
	return [
		scopeText(scope),
		`for ${jobText(job)}`,
		most,
		...(tool === undefined ? [] : [`only by ${tool}`]),
		until === undefined ? (job.kind === 'run' ? 'until that run ends' : 'until you take it back') : `until ${when(until)}`,
	].join('; ');
}

export function offerText({ reach, terms }: PermissionOffer): string {
	return `${reach === 'run' ? 'for this run' : 'from now on'}: ${termsText(terms)}`;
}

/** What is not drawn in a terminal, and would be said yes to unseen. */
const UNSEEN = /\p{Cf}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|\u034f|[\u115f\u1160\u3164\uffa0]/gu;

/** Text that a model wrote: each line behind a bar, so that none passes for one of Hearth's; what can't be seen is named. */
export function exactText(text: string): string {
	const seen = text.replace(UNSEEN, (sign) => `<U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`);
	return seen
		.split(/\r\n|[\n\r]/)
		.map((line) => `  | ${line}`)
		.join('\n');
}

/** What a call would touch, whole. */
export function touchText(touch: Touch): string {
	switch (touch.sink) {
		case 'memory':
			return 'memory';
		case 'forget':
			return 'memory, to forget';
		case 'skill':
			return `the procedure ${touch.name}`;
		case 'file':
			return `${touch.access === 'write' ? 'writes' : 'reads'} ${touch.path}${touch.root === undefined ? ' (in no folder that you granted)' : ''}`;
		case 'shell': {
			const hosts = touch.hosts.length > 0 ? `reaching ${touch.hosts.join(', ')}` : 'without network';
			const how = touch.sandboxed ? `in the sandbox, ${hosts}` : 'WITHOUT a sandbox, with all of your rights';
			return `runs in ${touch.cwd}, ${how}:\n${exactText(touch.command)}`;
		}
		case 'network':
			return `${touch.method} ${touch.url}`;
		case 'message':
			return `a message by ${touch.via} to ${touch.to.join(', ')}`;
		case 'task':
			return `a task (times in ${touch.zone}):\n${exactText(touch.restated)}`;
		case 'server':
			return `${touch.tool} of the tool server ${touch.server}${touch.readOnly ? ' (only reads)' : ''}`;
		default:
			return assertNever(touch);
	}
}
