import type { HearthClient } from '../../src/contract/contract.ts';
import { createStrings } from '../../src/contract/strings/index.ts';
import type { Json } from '../../src/domain/json.ts';
import type { WorkflowInstance, WorkflowName } from '../../src/domain/workflow.ts';
import { sayProblem } from '../chat/session-actions.ts';
import { call } from '../connection/index.ts';
import { showToast } from '../ui/toast.tsx';
import { putInstance } from './workflow-queries.ts';

const strings = createStrings();

async function change(work: (client: HearthClient) => Promise<WorkflowInstance>): Promise<boolean> {
	try {
		putInstance(await call(work));
		return true;
	} catch (error) {
		sayProblem(error);
		return false;
	}
}

/** `requestId` names the wish: the same one tried again starts nothing twice. Rejects. */
export async function startWorkflow(
	name: WorkflowName,
	{ title, data, requestId }: { title: string; data: Record<string, Json>; requestId: string },
): Promise<WorkflowInstance> {
	const named = title.trim() === '' ? {} : { title: title.trim() };
	const instance = await call((client) => client.workflows.start({ name, data, requestId, ...named }), { repeatable: true });
	putInstance(instance);
	return instance;
}

export async function signalInstance({ id }: WorkflowInstance, name: string, payload: Json): Promise<boolean> {
	const done = await change((client) => client.workflows.signal({ instanceId: id, name, payload, label: 'owner' }));
	if (done) showToast(strings('workflow.signalled'));
	return done;
}

export function stopInstance({ id }: WorkflowInstance): Promise<boolean> {
	return change((client) => client.workflows.stop({ instanceId: id }));
}

export function retryInstance({ id }: WorkflowInstance): Promise<boolean> {
	return change((client) => client.workflows.retry({ instanceId: id }));
}
