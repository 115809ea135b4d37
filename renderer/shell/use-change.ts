import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { HearthClient } from '../../src/contract/contract.ts';
import { call } from '../connection/index.ts';

/** Something done by the runtime: what is known under these keys is asked for again, however it ended. */
export function useChange<Input, Output>(
	keys: readonly string[],
	work: (client: HearthClient, input: Input) => Promise<Output>,
	done?: (output: Output, input: Input) => void,
) {
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (input: Input) => call((client) => work(client, input)),
		onSuccess: done,
		onSettled: () => Promise.all(keys.map((key) => queries.invalidateQueries({ queryKey: [key] }))),
	});
}
