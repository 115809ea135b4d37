import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { HearthClient } from '../../../src/contract/contract.ts';
import type { OutgoingTest, OutgoingView } from '../../../src/contract/methods/outgoing.ts';
import { call } from '../../connection/index.ts';

const KEY = ['config', 'outgoing'];

export function useOutgoing() {
	return useQuery({ queryKey: KEY, queryFn: () => call((client) => client.outgoing.get(), { repeatable: true }) });
}

/** A change of what is set up; the answer is how it stands now. */
export function useOutgoingChange<Input>(work: (client: HearthClient, input: Input) => Promise<OutgoingView>, done: () => void) {
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (input: Input) => call((client) => work(client, input)),
		onSuccess: (view) => {
			queries.setQueryData(KEY, view);
			done();
		},
	});
}

export function useOutgoingTest() {
	return useMutation<OutgoingTest, unknown, Parameters<HearthClient['outgoing']['test']>[0]>({
		mutationFn: (what) => call((client) => client.outgoing.test(what)),
	});
}
