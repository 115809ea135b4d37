import { setImmediate } from 'node:timers/promises';
import { openInterrupts } from '../../approvals/approval-store.ts';
import { getProposal, markSessionDeleted } from '../../approvals/proposal-store.ts';
import type { Clock } from '../../base/clock.ts';
import type { ContentFiles } from '../../base/content-files.ts';
import type { Logger } from '../../base/logger.ts';
import type { Announce } from '../../contract/announce.ts';
import type { SessionSummary } from '../../contract/shapes.ts';
import type { StateDb } from '../../db/open.ts';
import { terminal } from '../../domain/errors.ts';
import type { AttachmentId, RunId, SessionId } from '../../domain/ids.ts';
import type { Message } from '../../domain/message.ts';
import { sessionDeleted } from '../../memory/session-deleted.ts';
import { blobsOfSession } from '../../run/blob-store.ts';
import type { Blobs } from '../../run/blobs.ts';
import { holdsLook, runIdsOf } from '../../run/journal-store.ts';
import { staysApart } from '../../run/refusals.ts';
import { findAttachment, hashesOf, unreferencedHashes } from '../../sessions/attachment-store.ts';
import { copyBranch } from '../../sessions/branch.ts';
import { getDraft, saveDraft } from '../../sessions/draft-store.ts';
import { exportJson } from '../../sessions/export-json.ts';
import { exportMarkdown } from '../../sessions/export-markdown.ts';
import { exportName } from '../../sessions/export-name.ts';
import { allMessages, branchTo, getMessageHead } from '../../sessions/message-store.ts';
import { readPage } from '../../sessions/page.ts';
import { mergeSearchIndex, SEARCH_INDEXES, searchSessions } from '../../sessions/search-store.ts';
import {
	beginSession,
	deleteSession,
	getSession,
	listSessions,
	pinSession,
	renameSession,
	sessionsBelow,
	summarise,
} from '../../sessions/session-store.ts';
import { plainTitle } from '../../sessions/title.ts';
import type { Handlers } from '../router.ts';

/** What sessions need of the run engine. */
export interface SessionRuns {
	/** A message with the text that was announced of it so far; any other message as it is. */
	withLiveText(message: Message): Message;
	/** Ends what is still under way of sessions that were deleted. */
	endDeleted(): Promise<void>;
	/** Their journals are missing from now on, and that is right so. */
	gone(runIds: readonly RunId[]): void;
}

export interface SessionsDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly announce: Announce;
	/** The number of the last live event. */
	readonly liveSeq: () => number;
	readonly files: ContentFiles;
	readonly blobs: Pick<Blobs, 'withWhole' | 'remove'>;
	readonly runs: SessionRuns;
}

export function createSessionsHandlers(deps: SessionsDeps): Handlers['sessions'] {
	const { db, clock, announce, liveSeq, runs } = deps;

	function changed(sessionId: SessionId): SessionSummary {
		const session = summarise(db.read, sessionId);
		announce({ type: 'session_changed', session });
		return session;
	}

	/** A file that leaves Hearth holds large results too. */
	const wholes = (messages: readonly Message[]) => Promise.all(messages.map((message) => deps.blobs.withWhole(message)));

	return {
		list: async () => ({ sessions: listSessions(db.read), seq: liveSeq() }),

		create: async (input) => {
			const given = plainTitle(input.title ?? '');
			return changed(db.write((tx) => beginSession(tx, given === '' ? undefined : given, clock.now())));
		},

		get: async ({ sessionId }) => summarise(db.read, sessionId),

		rename: async ({ sessionId, title }) => {
			const plain = plainTitle(title);
			if (plain === '') throw terminal('invalid_input', 'A chat needs a name with at least one visible character.');
			db.write((tx) => renameSession(tx, sessionId, plain));
			return changed(sessionId);
		},

		pin: async ({ sessionId, pinned }) => {
			db.write((tx) => pinSession(tx, sessionId, pinned));
			return changed(sessionId);
		},

		delete: async ({ sessionId }) => {
			getSession(db.read, sessionId);
			// Before its run ends: the run's journal may have to wait for the room that this makes.
			const { ids, runIds, hashes, blobs, files, proposals } = db.write(
				(tx) => {
					const ids = sessionsBelow(tx, sessionId);
					const runIds = ids.flatMap((id) => runIdsOf(tx, id));
					const hashes = ids.flatMap((id) => hashesOf(tx, id));
					const blobs = ids.flatMap((id) => blobsOfSession(tx, id));
					deleteSession(tx, sessionId);
					// What was remembered of it stays, and says that the conversation is gone (M2).
					const files = ids.flatMap((id) => sessionDeleted(tx, id));
					return { ids, runIds, hashes, blobs, files: [...new Set(files)], proposals: ids.flatMap((id) => markSessionDeleted(tx, id)) };
				},
				{ makesRoom: true },
			);
			runs.gone(runIds);
			await runs.endDeleted();
			for (const id of ids) announce({ type: 'session_deleted', sessionId: id });
			if (files.length > 0) announce({ type: 'memory_changed', files });
			for (const id of proposals) announce({ type: 'proposal_changed', proposal: getProposal(db.read, id).proposal });
			await tidyUp(deps, hashes, blobs);
		},

		branch: async ({ messageId }) => {
			if (holdsLook(db.read, getMessageHead(db.read, messageId).sessionId)) throw staysApart();
			return changed(db.write((tx) => copyBranch(tx, messageId, clock.now(), runs.withLiveText)));
		},

		export: async ({ sessionId, format }) => {
			const session = getSession(db.read, sessionId);
			const now = clock.now();
			if (format === 'json') {
				const messages = await wholes(allMessages(db.read, sessionId).map(runs.withLiveText));
				return { filename: exportName(session.title, 'json'), mime: 'application/json', text: exportJson(session, messages, now) };
			}
			const messages = session.headId === null ? [] : await wholes(branchTo(db.read, session.headId).map(runs.withLiveText));
			return { filename: exportName(session.title, 'md'), mime: 'text/markdown', text: exportMarkdown(session, messages, now) };
		},

		search: async ({ query, sessionId, limit }) => {
			if (sessionId !== undefined) getSession(db.read, sessionId);
			return searchSessions(db.read, query, { sessionId, limit });
		},

		messages: async (input) => {
			// Without an await in between: the page, the live text and `seq` are of the same moment.
			const page = readPage(db.read, input);
			return {
				...page,
				messages: page.messages.map(runs.withLiveText),
				interrupts: openInterrupts(db.read, { sessionId: input.sessionId }),
				seq: liveSeq(),
			};
		},

		draft: async ({ sessionId }) => {
			getSession(db.read, sessionId);
			const draft = getDraft(db.read, sessionId);
			const attachments = draft.attachmentIds.flatMap((id) => findAttachment(db.read, id as AttachmentId)?.info ?? []);
			return { text: draft.text, attachmentIds: attachments.map(({ id }) => id), attachments };
		},

		saveDraft: async ({ sessionId, text, attachmentIds }) => {
			db.write((tx) => {
				getSession(tx, sessionId);
				saveDraft(tx, sessionId, { text, attachmentIds }, clock.now());
			});
		},
	};
}

/**
 * Takes what a deleted session left behind out of the files. The session itself is gone already: a failure here is logged,
 * and the next deletion or start makes it good.
 */
async function tidyUp({ db, files, blobs, logger }: SessionsDeps, hashes: readonly string[], ofRuns: readonly string[]): Promise<void> {
	try {
		await files.remove(hashes, (given) => unreferencedHashes(db.read, given));
		await blobs.remove(ofRuns);
		for (const index of SEARCH_INDEXES) {
			for (let first = true, more = true; more; first = false) {
				more = db.write((tx) => mergeSearchIndex(tx, index, first));
				await setImmediate();
			}
		}
	} catch (error) {
		logger.warn('session_leftovers', { error });
	}
}
