import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { HearthClient } from '../../../src/contract/contract.ts';
import type { ServerId } from '../../../src/domain/tool-server.ts';
import { call } from '../../connection/index.ts';

export function useServers() {
	return useQuery({ queryKey: ['servers', 'list'], queryFn: () => call((client) => client.servers.list(), { repeatable: true }) });
}

export function useServerTools(server: ServerId) {
	return useQuery({
		queryKey: ['servers', 'tools', server],
		queryFn: () => call((client) => client.servers.tools({ server }), { repeatable: true }),
	});
}

/** Something done to servers: what is known of them is asked for again, however it ended. */
export function useServerChange<Input, Output>(
	work: (client: HearthClient, input: Input) => Promise<Output>,
	done?: (output: Output, input: Input) => void,
) {
	const queries = useQueryClient();
	return useMutation({
		mutationFn: (input: Input) => call((client) => work(client, input)),
		onSuccess: done,
		onSettled: () => queries.invalidateQueries({ queryKey: ['servers'] }),
	});
}
