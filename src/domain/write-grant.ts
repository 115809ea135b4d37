import type { RunId } from './ids.ts';
import type { ProposalId } from './memory.ts';

/**
 * The leave to write memory. Without one nothing writes. Minted in three places only: the gate (for a call it allowed), approvals (for
 * what the owner approved) and handlers of an owner's own action; test/arch keeps it so.
 */
export interface WriteGrant {
	readonly by: 'gate' | 'approval' | 'owner';
	readonly runId?: RunId;
	readonly proposalId?: ProposalId;
	readonly [granted]: true;
}
declare const granted: unique symbol;

export function mintWriteGrant(grant: Pick<WriteGrant, 'by' | 'runId' | 'proposalId'>): WriteGrant {
	return { ...grant } as WriteGrant;
}
