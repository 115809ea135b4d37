import { calls, type ModelServer, type RecordedRequest, type Reply } from '../model-server/index.ts';

/**
 * A turn with a plan, a run that it delegates (with an approval, an effect that its tool can look for, and a wait for an event), and a wait for
 * a time. Decided by what the request holds alone: the server may be asked any number of times, after any crash.
 */
export const TASK = 'Write to the supplier';
export const REPORT = 'The supplier has the letter and answered.';
export const END = 'All of it is done, the supplier answered.';

interface Body {
	messages: { role: string; content?: string | { text: string }[] }[];
}

export function treeWork(request: RecordedRequest): Reply {
	const { messages } = request.body as Body;
	const results = messages.filter(({ role }) => role === 'tool').length;
	return isChild(request) ? childWork(results) : parentWork(results);
}

export function isChild({ body }: RecordedRequest): boolean {
	const content = (body as Body).messages.findLast(({ role }) => role === 'user')?.content ?? '';
	return (typeof content === 'string' ? content : content.map(({ text }) => text).join('')) === TASK;
}

export const callsOfChild = (server: ModelServer): number => server.log.requests.filter(isChild).length;

function parentWork(results: number): Reply {
	const steps = [
		calls('plan', { add: [{ text: 'Note' }, { text: 'Write' }] }),
		calls('test_idempotent', { value: 'note' }),
		calls('delegate', { task: TASK, tools: ['test_effectful', 'test_finding', 'wait_for_event'] }),
		calls('wait_until', { in_minutes: 0.002, note: 'a moment' }),
		calls('plan', {
			update: [
				{ id: '1', state: 'done' },
				{ id: '2', state: 'done' },
			],
		}),
	];
	return steps[results] ?? { steps: [{ type: 'text', text: END }] };
}

function childWork(results: number): Reply {
	const steps = [
		calls('test_finding', { value: 'letter' }),
		calls('wait_for_event', { name: 'answered', note: 'their answer' }),
		calls('test_effectful', { value: 'thanks' }),
	];
	return steps[results] ?? { steps: [{ type: 'stream', text: REPORT, perSecond: 200 }] };
}
