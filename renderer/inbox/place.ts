import { ProposalId } from '../../src/domain/memory.ts';

export const INBOX = '/inbox';

export function proposalPlace(proposalId: string): string {
	return `${INBOX}/${encodeURIComponent(proposalId)}`;
}

/** The proposal that an address names. */
export function proposalOf(param: string | undefined): ProposalId | undefined {
	const id = ProposalId.safeParse(param);
	return id.success ? id.data : undefined;
}
