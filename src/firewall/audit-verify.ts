import { setImmediate } from 'node:timers/promises';
import type { ReadDb } from '../db/brands.ts';
import { AuditRecord, type ChainCheck } from '../domain/audit.ts';
import type { Timestamp } from '../domain/ids.ts';
import { CHAIN_START, detailHashOf, hashedPart, hashOf, type Link, type StoredRecord } from './audit-chain.ts';
import type { AuditHead } from './audit-head.ts';
import { AUDIT_RULES } from './audit-rules.ts';
import { isGuarded, linkAt, newestLink, storedAfter } from './audit-store.ts';

/** Records between two turns of the event loop: some milliseconds. */
const BATCH = 100;

export interface VerifyOptions {
	/** Only so many records at the end; undefined: all. */
	readonly newest?: number;
	readonly now: Timestamp;
}

/**
 * Reads records anew, from the database, and computes what their hashes have to be. Finds an edited, deleted, inserted, moved or swapped
 * record, an end that is cut off or is another one than `head` knows, and a detail that went without a record that says so.
 */
export async function verifyChain(db: ReadDb, head: AuditHead, { newest, now }: VerifyOptions): Promise<ChainCheck> {
	const from = newest === undefined ? 0 : Math.max(0, newestLink(db).seq - newest);
	const start = linkAt(db, from) ?? { seq: from, hash: '' };
	const reader = new ChainReader(from === 0 ? CHAIN_START : start);
	// From the very first row, wherever it says it is.
	for (let after = from === 0 ? Number.MIN_SAFE_INTEGER : from; ; ) {
		const batch = storedAfter(db, after, BATCH);
		for (const stored of batch) reader.take(stored);
		const last = batch.at(-1);
		if (!last) break;
		after = last.seq;
		await setImmediate();
	}
	const finding = head.compare(db);
	if (finding.kind === 'broken') reader.broken(newestLink(db).seq || 1, finding.problem);
	if (!isGuarded(db)) reader.broken(newestLink(db).seq || 1, 'What keeps records from being changed was taken out of the database.');
	return reader.result(now);
}

/** Takes stored records in order. */
class ChainReader {
	readonly #start: Link;
	#last: Link;
	#records = 0;
	#forgotten = 0;
	#first: { at: number; problem: string } | undefined;
	/** Details that are gone, and of which no record said so yet. */
	readonly #unexplained = new Set<number>();
	readonly #breaks: number[] = [];

	constructor(start: Link) {
		this.#start = start;
		this.#last = start;
	}

	take(stored: StoredRecord): void {
		const problem = this.#problemOf(stored);
		if (problem !== undefined) this.broken(Math.max(1, stored.seq), problem);
		else this.#hear(stored);
		if (stored.detail === null) {
			this.#forgotten += 1;
			this.#unexplained.add(stored.seq);
		}
		this.#records += 1;
		this.#last = { seq: stored.seq, hash: stored.hash };
	}

	/** Only the first place is kept. */
	broken(at: number, problem: string): void {
		if (this.#first === undefined || at < this.#first.at) this.#first = { at, problem };
	}

	result(now: Timestamp): ChainCheck {
		for (const seq of this.#unexplained) this.broken(seq, `The detail of record ${seq} is gone, and no record says that it was forgotten.`);
		return {
			records: this.#records,
			whole: this.#first === undefined,
			...(this.#first && { brokenAt: this.#first.at, problem: this.#first.problem }),
			forgotten: this.#forgotten,
			breaks: this.#breaks,
			headHash: this.#last.seq === 0 ? null : this.#last.hash,
			checkedAt: now,
			...(this.#start.seq > 0 && { from: this.#start.seq + 1 }),
		};
	}

	#problemOf(stored: StoredRecord): string | undefined {
		const { seq } = stored;
		const next = this.#last.seq + 1;
		if (seq > next) return seq === next + 1 ? `Record ${next} is missing.` : `Records ${next} to ${seq - 1} are missing.`;
		if (seq < next) return `There is a record ${seq} before the first.`;
		if (stored.previous_hash !== this.#last.hash) return `Record ${seq} does not follow the one before it.`;
		let detailHash: unknown;
		try {
			const part = hashedPart(stored);
			if (hashOf(part) !== stored.hash) return `Record ${seq} was changed.`;
			detailHash = part.detailHash;
		} catch (error) {
			return `Record ${seq} was changed. ${error instanceof Error ? error.message : ''}`.trim();
		}
		const { detail, detail_salt: salt } = stored;
		if (detail === null && salt === null) return undefined;
		if (detail === null || salt === null || detailHashOf(detail, salt) !== detailHash) return `The detail of record ${seq} was changed.`;
		return undefined;
	}

	/** What a record that is whole says of others, and of the log. */
	#hear(stored: StoredRecord): void {
		if (stored.rule === AUDIT_RULES.broken) this.#breaks.push(stored.seq);
		if (stored.rule !== AUDIT_RULES.forgotten) return;
		const { blanked } = AuditRecord.pick({ blanked: true }).parse(hashedPart(stored));
		for (const [first, last] of blanked ?? []) for (let seq = first; seq <= last; seq++) this.#unexplained.delete(seq);
	}
}
