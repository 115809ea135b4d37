import { findProposal, proposalsOfStep } from '../../approvals/proposal-store.ts';
import type { ReadDb } from '../../db/brands.ts';
import type { StateDb } from '../../db/open.ts';
import type { AuditRecord } from '../../domain/audit.ts';
import { terminal } from '../../domain/errors.ts';
import type { ProposalId } from '../../domain/memory.ts';
import { callNameOf } from '../../firewall/audit-chain.ts';
import { exported } from '../../firewall/audit-entries.ts';
import type { OpenAuditLog } from '../../firewall/audit-log.ts';
import { exportLines, listRecords } from '../../firewall/audit-query.ts';
import { findRecord, linkAt, newestLink } from '../../firewall/audit-store.ts';
import { findRun } from '../../run/journal-store.ts';
import type { Handlers } from '../router.ts';

/** `audit.*` of the contract: the log is read, checked and exported. */
export function createAuditHandlers({ db, log, liveSeq }: { db: StateDb; log: OpenAuditLog; liveSeq: () => number }): Handlers['audit'] {
	return {
		list: async ({ before, limit, ...query }) => {
			// Before it is read: what comes meanwhile is told again.
			const seq = liveSeq();
			const { records, hasMore } = await listRecords(db.read, query, { before, limit });
			return { records, hasMore, total: newestLink(db.read).seq, seq };
		},
		get: async ({ seq }) => {
			const record = findRecord(db.read, seq);
			if (!record)
				throw terminal('not_found', `There is no record ${seq}.`, { action: 'Verify the log: that says whether one is missing.' });
			return { record, nextHash: linkAt(db.read, seq + 1)?.hash ?? null, ...around(db, record) };
		},
		verify: () => log.verify(),
		export: async ({ after, limit, ...query }) => {
			const begins = after === undefined;
			const part = await exportLines(db.read, query, { after: after ?? 0, limit });
			if (begins)
				await log.record([exported('Audit log', 'A file of yours', Object.keys(query).length > 0 ? 'A part of it' : 'All of it')]);
			return part;
		},
	};
}

/** What it is about, where that still exists. */
function around({ read }: StateDb, record: AuditRecord) {
	const { runId, proposalId } = record;
	const run = runId === undefined ? undefined : findRun(read, runId);
	const proposed = proposalId ?? proposedBy(read, record);
	const proposal = proposed === undefined ? undefined : findProposal(read, proposed)?.proposal;
	return {
		...(run && { run: { runId: run.id, title: run.title } }),
		...(proposal && { proposal: { proposalId: proposal.id, status: proposal.status } }),
	};
}

/** A call that was held has its proposal since: the gate decides first. */
function proposedBy(db: ReadDb, { runId, step, callId, decision }: AuditRecord): ProposalId | undefined {
	if (decision !== 'held' || runId === undefined || step === undefined) return undefined;
	return proposalsOfStep(db, runId, step).find(({ stepKey }) => callNameOf(stepKey.slice(`${runId}:${step}:`.length)) === callId)?.id;
}
