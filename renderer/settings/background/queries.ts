import type { HearthClient } from '../../../src/contract/contract.ts';
import { useChange } from '../../shell/use-change.ts';

/** Something done to sources or to background work: what is known of both is asked for again. */
export function useBackgroundChange<Input, Output>(
	work: (client: HearthClient, input: Input) => Promise<Output>,
	done?: (output: Output, input: Input) => void,
) {
	return useChange(['heartbeat', 'sources'], work, done);
}
