import { useQuery } from '@tanstack/react-query';
import type { Proposal } from '../../src/domain/proposal.ts';
import { call } from '../connection/index.ts';

/** What the detectors say of a proposal's text and of what it rests on. Not asked for what only flies past. */
export function useInspected({ id, shownHash }: Pick<Proposal, 'id' | 'shownHash'>, enabled: boolean) {
	return useQuery({
		queryKey: ['inspected', id, shownHash],
		queryFn: () => call((client) => client.inbox.inspected({ proposalId: id }), { repeatable: true }),
		enabled,
	}).data;
}
