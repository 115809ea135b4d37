import { useQuery } from '@tanstack/react-query';
import type { WorkflowInstanceId } from '../../src/domain/ids.ts';
import type { WorkflowInstance, WorkflowName } from '../../src/domain/workflow.ts';
import { call, onInstanceChanged } from '../connection/index.ts';
import { queryClient } from '../shell/queries.ts';

const LIST = ['workflows', 'instances'];
const instanceKey = (instanceId: string | undefined): unknown[] => ['workflows', 'instance', instanceId];

/** The files of `workflows/`, also those with problems. Nobody says when one is edited elsewhere: they are read anew when the owner is back. */
export function useWorkflows() {
	return useQuery({
		queryKey: ['workflows', 'list'],
		queryFn: () => call((client) => client.workflows.list(), { repeatable: true }),
		staleTime: 0,
		refetchOnWindowFocus: true,
	});
}

export function useWorkflow(name: WorkflowName | undefined) {
	return useQuery({
		queryKey: ['workflows', 'get', name],
		queryFn: () => call((client) => client.workflows.get({ name: name as WorkflowName }), { repeatable: true }),
		enabled: name !== undefined,
		staleTime: 0,
		refetchOnWindowFocus: true,
	});
}

/** What was started, newest first. */
export function useInstances() {
	return useQuery({
		queryKey: LIST,
		queryFn: async () => (await call((client) => client.workflows.instances({}), { repeatable: true })).instances,
		staleTime: 0,
	});
}

export function useInstance(instanceId: WorkflowInstanceId | undefined) {
	return useQuery({
		queryKey: instanceKey(instanceId),
		queryFn: () => call((client) => client.workflows.instance({ instanceId: instanceId as WorkflowInstanceId }), { repeatable: true }),
		enabled: instanceId !== undefined,
		staleTime: 0,
	});
}

/** Shows an instance as the runtime just said it is. */
export function putInstance(instance: WorkflowInstance): void {
	const known = queryClient.getQueryData<WorkflowInstance>(instanceKey(instance.id));
	if (known && isOlder(instance, known)) return;
	queryClient.setQueryData(instanceKey(instance.id), instance);
	queryClient.setQueryData<WorkflowInstance[]>(LIST, (list) => list && withInstance(list, instance));
}

function isOlder(a: WorkflowInstance, b: WorkflowInstance): boolean {
	return a.history.length < b.history.length;
}

function withInstance(list: readonly WorkflowInstance[], instance: WorkflowInstance): WorkflowInstance[] {
	const at = list.findIndex(({ id }) => id === instance.id);
	return at < 0 ? [instance, ...list] : list.with(at, instance);
}

onInstanceChanged(putInstance);
