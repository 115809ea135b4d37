import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { HearthClient } from '../../../src/contract/contract.ts';
import { call } from '../../connection/index.ts';

/** Something done to sources or to background work: what is known of both is asked for again, however it ended. */
export function useBackgroundChange<Input, Output>(
	work: (client: HearthClient, input: Input) => Promise<Output>,
	done?: (output: Output, input: Input) => void,
) {
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (input: Input) => call((client) => work(client, input)),
		onSuccess: done,
		onSettled: () =>
			Promise.all([queries.invalidateQueries({ queryKey: ['heartbeat'] }), queries.invalidateQueries({ queryKey: ['sources'] })]),
	});
}
