import { RunId, WorkflowInstanceId } from '../../src/domain/ids.ts';
import { WorkflowName } from '../../src/domain/workflow.ts';

export const TIMELINE = '/timeline';
export const WORKFLOWS = `${TIMELINE}/workflows`;
const ABOUT = 'about';

/** What the timeline shows, as the address after `#` says it. `step`: a number, or what is said of the run as a whole. */
export type TimelinePlace =
	| { readonly kind: 'runs'; readonly runId?: RunId; readonly step?: number | 'about' }
	| { readonly kind: 'workflows'; readonly instanceId?: WorkflowInstanceId; readonly about?: true; readonly name?: WorkflowName };

export function runPlace(runId: string, step?: number | 'about'): string {
	const run = `${TIMELINE}/${encodeURIComponent(runId)}`;
	return step === undefined ? run : `${run}/${step}`;
}

export function instancePlace(instanceId: string, what?: 'about'): string {
	const instance = `${WORKFLOWS}/${encodeURIComponent(instanceId)}`;
	return what === undefined ? instance : `${instance}/${what}`;
}

export function workflowPlace(name: string): string {
	return `${WORKFLOWS}/file/${encodeURIComponent(name)}`;
}

/** The list of runs for an address that names nothing. */
export function parsePlace(location: string): TimelinePlace {
	const [first, second, third] = parts(location);
	if (first === 'workflows') {
		if (second === 'file') {
			const name = WorkflowName.safeParse(third);
			return { kind: 'workflows', ...(name.success && { name: name.data }) };
		}
		const instance = WorkflowInstanceId.safeParse(second);
		return { kind: 'workflows', ...(instance.success && { instanceId: instance.data, ...(third === ABOUT && { about: true }) }) };
	}
	const run = RunId.safeParse(first);
	if (!run.success) return { kind: 'runs' };
	const step = second === ABOUT ? ABOUT : /^[1-9]\d{0,8}$/.test(second ?? '') ? Number(second) : undefined;
	return { kind: 'runs', runId: run.data, ...(step !== undefined && { step }) };
}

function parts(location: string): string[] {
	try {
		return location
			.slice(TIMELINE.length)
			.split('/')
			.filter(Boolean)
			.map((part) => decodeURIComponent(part));
	} catch {
		// A broken escape: the address was typed by hand and names nothing.
		return [];
	}
}
