import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import type { AuditEntry, ChainCheck } from '../domain/audit.ts';
import { type ErrorShape, needsOwner, retryable } from '../domain/errors.ts';
import { localMinute } from '../domain/local-day.ts';
import { newAuditEntry } from './audit-entries.ts';
import { fitted } from './audit-fit.ts';
import { AuditHead, type HeadFinding } from './audit-head.ts';
import { AUDIT_RULES } from './audit-rules.ts';
import { appendRecords, newestLink } from './audit-store.ts';
import { verifyChain } from './audit-verify.ts';
import type { AuditLog, Redactor } from './ports.ts';

export interface AuditDeps {
	readonly db: StateDb;
	/** Path of the second record of the chain's end. */
	readonly headFile: string;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly redactor: Pick<Redactor, 'redact'>;
	/** Sets or clears what the owner is told in health. */
	readonly warn: (warning: ErrorShape | undefined) => void;
	/** Told some time after records were added: the number of the newest. */
	readonly grew: (newest: number) => void;
}

export interface OpenAuditLog extends AuditLog {
	/**
	 * At start, before anything is added. Where `settle`, what is wrong is written down as a record; else this life leaves the second record as it
	 * is, so that the next one finds it, too.
	 */
	begin(options: { settle: boolean }): void;
	/** Of the newest records only, or of all. */
	verify(options?: { newest?: number }): Promise<ChainCheck>;
	/** Writes down what still waits, and the end of the chain. */
	close(): void;
}

/** From a commit to the second record, and to views. Milliseconds; promised is a second. */
const SETTLE_MS = 500;
/** What may wait for others is written down with them after so long. */
const TOGETHER_MS = 250;
/** After a start the newest records are looked at, once it is out of everybody's way. */
const LOOK_AFTER_MS = 5_000;
const LOOKED_AT = 1_000;
/** Entries that wait while the database takes none; beyond it they are counted only. */
const MOST_WAITING = 2_000;

export function createAuditLog({ db, headFile, clock, logger, redactor, warn, grew }: AuditDeps): OpenAuditLog {
	const head = new AuditHead(headFile, logger);
	let keepsHead = false;
	let settling: NodeJS.Timeout | undefined;
	let waiting: AuditEntry[] = [];
	let lost = 0;
	let flushing: Promise<void> | undefined;
	let foundAtStart: string | undefined;
	let broken: string | undefined;
	let looking: NodeJS.Timeout | undefined;
	let closed = false;
	let together: NodeJS.Timeout | undefined;

	const settle = (): void => {
		clearTimeout(settling);
		settling = undefined;
		// Read by the connection that sees only what is committed.
		const newest = newestLink(db.read);
		if (keepsHead) head.note(newest, clock.now());
		grew(newest.seq);
	};
	const append = (tx: WriteDb, entries: readonly AuditEntry[]): void => {
		if (entries.length === 0) return;
		appendRecords(
			tx,
			entries.map((entry) => fitted(entry, (text) => redactor.redact(text).text)),
			clock.now(),
		);
		settling ??= setTimeout(settleSafely, SETTLE_MS).unref();
	};
	function settleSafely(): void {
		try {
			settle();
		} catch (error) {
			logger.warn('audit_not_settled', { error });
		}
	}

	/** All that waits, in one transaction. What can't be written stays for the next time. */
	function flush(): void {
		const batch = waiting;
		waiting = [];
		if (batch.length === 0) return;
		try {
			db.write((tx) => append(tx, batch));
		} catch (error) {
			waiting = [...batch, ...waiting];
			logger.warn('audit_not_written', { error, records: waiting.length });
		}
	}
	function flushSoon(): Promise<void> {
		flushing ??= Promise.resolve().then(() => {
			flushing = undefined;
			flush();
		});
		return flushing;
	}
	const stopListening = db.onWrite((failure) => {
		if (!failure && waiting.length > 0) void flushSoon();
	});
	function tell(): void {
		const problem = foundAtStart ?? broken;
		warn(problem === undefined ? (lost > 0 ? notWritten(lost) : undefined) : brokenLog(problem));
	}

	/** What the start found becomes a record. Where that can't be written, the next start finds it again. */
	function explain(finding: HeadFinding): void {
		if (finding.kind !== 'broken' && finding.kind !== 'restored') return;
		logger.warn('audit_head', { found: finding.kind });
		try {
			db.write((tx) => append(tx, [finding.kind === 'broken' ? brokenEntry(finding.problem) : restoredEntry(finding.madeAt)]));
			settle();
		} catch (error) {
			keepsHead = false;
			logger.warn('audit_head_not_explained', { error });
		}
	}
	async function verify(options: { newest?: number } = {}): Promise<ChainCheck> {
		const found = await verifyChain(db.read, head, { ...options, now: clock.now() });
		if (found.problem !== undefined || options.newest === undefined) broken = found.problem;
		tell();
		// Written down by now, and fitting again: this life tells it all the same.
		return foundAtStart === undefined || !found.whole
			? found
			: { ...found, whole: false, problem: foundAtStart, brokenAt: found.breaks.at(-1) };
	}
	async function look(): Promise<void> {
		try {
			await verify({ newest: LOOKED_AT });
		} catch (error) {
			if (!closed) logger.warn('audit_not_looked_at', { error });
		}
	}

	return {
		append,
		record: (entries, { soon = false } = {}) => {
			const room = Math.max(0, MOST_WAITING - waiting.length);
			waiting.push(...entries.slice(0, room));
			if (entries.length > room) {
				lost += entries.length - room;
				tell();
			}
			if (!soon) return flushSoon();
			together ??= setTimeout(() => {
				together = undefined;
				flush();
			}, TOGETHER_MS).unref();
			return Promise.resolve();
		},
		begin: (options) => {
			const finding = head.compare(db.read);
			if (finding.kind === 'broken') foundAtStart = finding.problem;
			tell();
			keepsHead = options.settle || finding.kind === 'fits' || finding.kind === 'started';
			// Nothing is added before that is known: a crash right after the first record finds it.
			if (finding.kind === 'started') head.note(newestLink(db.read), clock.now());
			if (options.settle) explain(finding);
			looking = setTimeout(() => void look(), LOOK_AFTER_MS).unref();
		},
		verify,
		close: () => {
			closed = true;
			clearTimeout(looking);
			clearTimeout(together);
			stopListening();
			flush();
			settleSafely();
			head.close();
		},
	};
}

function brokenEntry(problem: string): AuditEntry {
	return newAuditEntry({
		sink: 'audit',
		decision: 'failed',
		rule: AUDIT_RULES.broken,
		label: 'owner',
		detail: { from: 'Hearth', to: 'Audit log', reason: problem },
	});
}

function restoredEntry(madeAt: number): AuditEntry {
	return newAuditEntry({
		sink: 'audit',
		decision: 'done',
		rule: AUDIT_RULES.restored,
		label: 'owner',
		detail: {
			from: 'Back-up',
			to: 'This profile',
			reason: `Restored from a back-up of ${localMinute(madeAt)}.`,
		},
	});
}

function brokenLog(problem: string): ErrorShape {
	return needsOwner('audit_broken', `The audit log is not whole. ${problem}`, {
		safe: 'What you see in it was not repaired or hidden.',
		action: 'Open Audit and verify it. If you put an older state.db in place yourself, or the power went, this is why.',
	}).shape;
}

function notWritten(records: number): ErrorShape {
	return retryable('internal', `${records} records could not be written into the audit log.`, {
		safe: 'Decisions were made as always.',
		action: 'Make sure that the disk has room.',
	}).shape;
}
