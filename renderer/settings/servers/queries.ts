import { useQuery } from '@tanstack/react-query';
import type { HearthClient } from '../../../src/contract/contract.ts';
import type { ServerId } from '../../../src/domain/tool-server.ts';
import { call } from '../../connection/index.ts';
import { useChange } from '../../shell/use-change.ts';

export function useServers() {
	return useQuery({ queryKey: ['servers', 'list'], queryFn: () => call((client) => client.servers.list(), { repeatable: true }) });
}

export function useServerTools(server: ServerId) {
	return useQuery({
		queryKey: ['servers', 'tools', server],
		queryFn: () => call((client) => client.servers.tools({ server }), { repeatable: true }),
	});
}

/** Something done to servers: what is known of them is asked for again. */
export function useServerChange<Input, Output>(
	work: (client: HearthClient, input: Input) => Promise<Output>,
	done?: (output: Output, input: Input) => void,
) {
	return useChange(['servers'], work, done);
}
