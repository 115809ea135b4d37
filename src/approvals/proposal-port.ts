import type { ApproveChoices, InboxCounts } from '../contract/methods/memory.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import type { ErrorShape } from '../domain/errors.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { MemoryPath, MemoryReceipt, ProposalId, Provenance, Source } from '../domain/memory.ts';
import type { Proposal, ProposalOperation, ProposalReceipt } from '../domain/proposal.ts';
import type { SkillName } from '../domain/skill.ts';
import type { WriteGrant } from '../domain/write-grant.ts';

/** Who may do what with proposals: three doors, none of which opens another. */

/** A change to memory or a skill that must wait for the owner. The same `stepKey` never waits twice. */
export type HoldRequest = Pick<Proposal, 'operation' | 'provenance' | 'label' | 'rule' | 'reason'> &
	Partial<Pick<Proposal, 'sessionId' | 'runId' | 'finding'>> & { readonly stepKey?: string | undefined };

/** When a text holds: null: no such limit; left out: as such a write has it. */
export type Validity = Pick<ApproveChoices, 'validFrom' | 'validUntil'>;

interface Write {
	readonly grant: WriteGrant;
	/** The same key never writes twice. */
	readonly key: string;
	readonly provenance: Provenance;
}

/** What the owner's decisions do to memory and skills; wired by the app. Each rejects with a HearthError and then changed nothing. */
export interface ProposalEffects {
	/** Does what was approved, or, for drift that was rejected (`keep: false`), puts back what was before. */
	apply(
		decided: { operation: ProposalOperation; text: string | null; keep: boolean; validity: Validity },
		write: Write,
	): Promise<ProposalReceipt>;
	undo(receipt: Exclude<ProposalReceipt, { outcome: 'held' }>, write: Write): Promise<ProposalReceipt>;
	/** Whether what was begun under this key is not at its end: the file may have it, and it will be finished. */
	isUnderWay(key: string): boolean;
	/** What lies in `skills/<name>/SKILL.md`; null where there is none. */
	skillText(name: SkillName): string | null;
	/** Hash of the normalised text, as the ledger has it. */
	hashText(text: string): string;
}

/** What the owner's decisions teach about sources of background work; wired by the app. */
export interface FindingPorts {
	/** How far a source is trusted, from 0 to 1; undefined where there is no such source. */
	trust(db: ReadDb, sourceId: WatchedSourceId): number | undefined;
	/** By how much its trust changed with this decision. */
	judged(tx: WriteDb, sourceId: WatchedSourceId, decision: 'approved' | 'rejected'): number;
	/** The decision was taken back: so is what it changed. */
	unjudged(tx: WriteDb, sourceId: WatchedSourceId, change: number): void;
	/** What waits and says nearly the same, of whatever source. */
	similar(db: ReadDb, id: ProposalId): ProposalId[];
	/** The slot at which something comes back, in the caller's transaction; undefined: none any more. */
	wakeAt(tx: WriteDb, id: ProposalId, at: Timestamp | undefined): void;
}

/** The reach of a tool, a run or a look: it can make something wait and nothing else (B3). */
export interface HoldPort {
	/** Throws `tool_denied` where too much of this run waits already, and where the source of a finding is gone. A finding of a task has no source. */
	hold(request: HoldRequest): Extract<MemoryReceipt, { outcome: 'held' }>;
	/**
	 * Something that says nearly the same was found again: it is counted, and its sources are named, once each. In the caller's transaction, and
	 * announced after it. Does nothing where nothing waits any more.
	 */
	fold(tx: WriteDb, id: ProposalId, sources: readonly Source[]): void;
}

/** The reach of the owner's own doors. */
export interface OwnerDecisions {
	/** `pending`: without those that are snoozed, and those that fold under another one. `findings`: only what background work found. */
	list(which: 'pending' | 'snoozed' | 'decided', limit: number, findings?: boolean): Proposal[];
	get(id: ProposalId): Proposal;
	counts(): InboxCounts;
	/** Rejects with `stale`, `conflict`, `not_found`, or with what memory rejects with; then it waits as before. */
	approve(id: ProposalId, shownHash: string, edited: string | undefined, choices?: ApproveChoices): Promise<Proposal>;
	reject(id: ProposalId, shownHash: string, reason: string | undefined): Promise<Proposal>;
	/** The owner has exactly this open now. Throws `stale` where it is another by now. */
	opened(id: ProposalId, shownHash: string): Proposal;
	/** It comes back then by itself; null: now. */
	snooze(id: ProposalId, until: Timestamp | null): Proposal;
	/** Each is decided or refused by itself. */
	decideAll(
		proposals: readonly { proposalId: ProposalId; shownHash: string }[],
		decision: 'approve' | 'reject',
		reason: string | undefined,
	): Promise<{ decided: Proposal[]; refused: { proposalId: ProposalId; error: ErrorShape }[] }>;
	rebase(id: ProposalId): Proposal;
	undo(id: ProposalId): Promise<Proposal>;
}

export interface Proposals {
	readonly port: HoldPort;
	readonly decisions: OwnerDecisions;
	/** Does to memory what was decided before a crash; each once. False: something is still to be done. */
	finish(): Promise<boolean>;
	/** These files changed: what waits for a change to them may be stale now, or fresh again. */
	memoryChanged(files: readonly MemoryPath[]): void;
	/**
	 * What lies in these folders of `skills/` is another now. What was found there before and waits would let in what is gone: it is withdrawn.
	 */
	skillsChanged(names: readonly SkillName[]): void;
	/**
	 * A source is withdrawn, in the caller's transaction: what waits of it waits no more. What that returns is to be called after it, and announces
	 * that.
	 */
	sourceWithdrawn(tx: WriteDb, sourceId: WatchedSourceId): () => void;
	/** Its time may have come: what was snoozed waits again. */
	woken(id: ProposalId): void;
	/** Resolves when no decision is under way. */
	idle(): Promise<void>;
}
