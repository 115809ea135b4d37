import type { Proposals } from '../approvals/proposal-port.ts';
import { deleteFindings } from '../approvals/proposal-store.ts';
import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { Logger } from '../base/logger.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { Announce } from '../contract/announce.ts';
import type { SourceTraces } from '../contract/methods/heartbeat.ts';
import type { StateDb } from '../db/open.ts';
import { HearthError, terminal } from '../domain/errors.ts';
import type { WatchedSourceId } from '../domain/heartbeat.ts';
import type { SessionId } from '../domain/ids.ts';
import type { EntryId } from '../domain/memory.ts';
import { countItemsOf } from '../heartbeat/item-store.ts';
import { deleteSource, getSource, markWithdrawn, withdrawnSources } from '../heartbeat/source-store.ts';
import {
	countPendingOfSource,
	deleteItems,
	entriesOfSource,
	forgettingOf,
	lookSessions,
	notedOfSource,
	remindersOfSource,
	setForgetting,
} from '../heartbeat/trace-store.ts';
import type { Memory } from '../memory/port.ts';
import { chatsOfSource } from '../sessions/outside-chat-store.ts';
import { deleteSession, findSession } from '../sessions/session-store.ts';
import type { Reminders } from '../tools/reminders/reminders.ts';
import type { SessionRuns } from './handlers/sessions.ts';
import type { ToForget, Withdrawal } from './handlers/sources.ts';

const AGAIN_MS = 5_000;

export interface WithdrawalDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly announce: Announce;
	readonly memory: Pick<Memory, 'reconcile'>;
	readonly proposals: Pick<Proposals, 'sourceWithdrawn'>;
	readonly reminders: Pick<Reminders, 'remove'>;
	readonly runs: Pick<SessionRuns, 'gone' | 'endDeleted'>;
	/** On the owner's word; rejects while a reply is being made. */
	readonly forget: (entryId: EntryId) => Promise<void>;
	readonly isReplying: () => boolean;
	/** With all that is in it; what is under way in it ends. */
	readonly deleteChat: (sessionId: SessionId) => Promise<void>;
}

export interface OpenWithdrawal extends Withdrawal {
	/** Ends what a crash cut off. Never rejects; what can't be ended is tried again. */
	goOn(): Promise<void>;
	close(): Promise<void>;
}

/**
 * Withdrawing a source: it is marked, and what waits of it is turned down, in one transaction, with the entries that are to be forgotten. Then
 * its texts go: items, what looks at it were given, findings, the named chats and entries. Each step may be done again, and the source's row goes last.
 */
export function createWithdrawal(deps: WithdrawalDeps): OpenWithdrawal {
	const { db, clock, logger, announce, reminders } = deps;
	const sequencer = new Sequencer();
	let again: NodeJS.Timeout | undefined;
	let closed = false;

	async function traces(id: WatchedSourceId): Promise<SourceTraces> {
		getSource(db.read, id);
		// The owner's last edits are known first.
		await deps.memory.reconcile();
		return {
			items: countItemsOf(db.read, id).items,
			pending: countPendingOfSource(db.read, id),
			entries: entriesOfSource(db.read, id).map(({ approvedAt, ...entry }) => ({ ...entry, ...(approvedAt !== null && { approvedAt }) })),
			reminders: remindersOfSource(db.read, id),
			noted: notedOfSource(db.read, id),
			chats: chatsOfSource(db.read, id),
		};
	}

	async function remove(id: WatchedSourceId, forget: ToForget): ReturnType<Withdrawal['remove']> {
		const { items, pending, entries, chats } = await traces(id);
		const known = new Set<string>([...entries.map(({ entryId }) => entryId), ...chats.map(({ sessionId }) => sessionId)]);
		if ([...forget.entries, ...forget.chats].some((named) => !known.has(named))) throw otherTraces();
		if (forget.entries.length > 0 && deps.isReplying()) throw busy();
		const tell = db.write((tx) => {
			markWithdrawn(tx, id, clock.now());
			setForgetting(tx, id, forget);
			return deps.proposals.sourceWithdrawn(tx, id);
		});
		tell();
		crashPoint('source.withdrawn');
		await sequencer.run(id, () => finish(id));
		return { items, pending, forgotten: forget.entries.length };
	}

	/** Rejects with what hindered it; then it is tried again. */
	async function finish(id: WatchedSourceId): Promise<void> {
		if (!withdrawnSources(db.read).includes(id)) return;
		try {
			const { entries, others, chats } = forgettingOf(db.read, id);
			if (others) for (const { reminderId } of remindersOfSource(db.read, id)) reminders.remove(reminderId);
			// What rests on the same words as an entry goes before it: they stay where anything rests on them.
			await dropTexts(id, others);
			// What is said in them is then nothing that has to be searched for an entry's words.
			for (const sessionId of chats) if (findSession(db.read, sessionId)) await deps.deleteChat(sessionId);
			for (const entryId of entries) await deps.forget(entryId);
			db.write((tx) => {
				deleteFindings(tx, id, { entries, others });
				deleteSource(tx, id);
			});
			logger.info('source_withdrawn', { sourceId: id, forgotten: entries.length });
			announce({ type: 'sources_changed' });
		} catch (error) {
			if (!(error instanceof HearthError && error.code === 'conflict')) logger.warn('source_not_withdrawn_yet', { sourceId: id, error });
			tryAgainSoon();
			throw error;
		}
	}

	/** What was read of it and not approved: its items, what models were given of them and said; with `others` what became no memory, too. */
	async function dropTexts(id: WatchedSourceId, others: boolean): Promise<void> {
		const looks = lookSessions(db.read, id);
		db.write(
			(tx) => {
				for (const sessionId of new Set(looks.map((look) => look.sessionId))) if (findSession(tx, sessionId)) deleteSession(tx, sessionId);
				deleteItems(tx, id);
				deleteFindings(tx, id, { entries: [], others });
			},
			{ makesRoom: true },
		);
		deps.runs.gone(looks.map(({ runId }) => runId));
		await deps.runs.endDeleted();
	}

	async function goOn(): Promise<void> {
		clearTimeout(again);
		for (const id of withdrawnSources(db.read)) await sequencer.run(id, () => finish(id)).catch(() => undefined);
	}

	function tryAgainSoon(): void {
		clearTimeout(again);
		if (!closed) again = setTimeout(() => void goOn(), AGAIN_MS).unref();
	}

	return {
		traces,
		remove,
		goOn,
		close: async () => {
			closed = true;
			clearTimeout(again);
			await sequencer.idle();
		},
	};
}

function otherTraces(): HearthError {
	return terminal('stale', 'What came of this source is no longer what you were shown.', {
		safe: 'Nothing was removed.',
		action: 'Look at it again.',
	});
}

function busy(): HearthError {
	return terminal('conflict', 'Hearth is writing a reply, which may hold what is to be forgotten and save it again.', {
		safe: 'Nothing was removed.',
		action: 'Wait for the reply or stop it, then remove the source once more.',
	});
}
