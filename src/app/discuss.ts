import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import type { ContentFiles } from '../base/content-files.ts';
import { newId } from '../base/ids.ts';
import type { Announce } from '../contract/announce.ts';
import type { StateDb } from '../db/open.ts';
import { type ContextSource, sourceName } from '../domain/context-source.ts';
import { terminal } from '../domain/errors.ts';
import { type AttachmentId, type MessageId, SessionId } from '../domain/ids.ts';
import type { Source } from '../domain/memory.ts';
import type { AttachmentInfo } from '../domain/message.ts';
import type { FindingInfo, Proposal } from '../domain/proposal.ts';
import type { Redactor } from '../firewall/ports.ts';
import { insertAttachment } from '../sessions/attachment-store.ts';
import { insertFindingChat } from '../sessions/finding-chat-store.ts';
import { getMessage, insertMessage } from '../sessions/message-store.ts';
import { cleanName } from '../sessions/read-attachment.ts';
import { beginSession, setHead, summarise } from '../sessions/session-store.ts';
import { doOnce } from './handlers/once.ts';

const Begun = z.object({ sessionId: SessionId });

export interface DiscussDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly announce: Announce;
	readonly files: ContentFiles;
	readonly redactor: Pick<Redactor, 'redact'>;
}

/**
 * A chat about a finding. Its first message is labelled external and holds what was found as a file, which every prompt puts into a frame:
 * whatever is said in this chat is said after text from outside (B2). No model is asked before the owner writes.
 */
export function discuss(deps: DiscussDeps, proposal: Proposal, requestId: string): Promise<{ sessionId: SessionId }> {
	const { db, clock, announce, files, redactor } = deps;
	const { finding } = proposal;
	if (!finding) throw terminal('invalid_input', 'Only what background work found can be discussed.', { safe: 'Nothing was done.' });
	const { text } = redactor.redact(wordsOf(proposal, finding));
	const bytes = Buffer.from(text);
	return files.put(bytes, (hash) => {
		const info: AttachmentInfo = {
			id: newId<AttachmentId>(),
			name: cleanName(`Finding from ${finding.sourceTitle}.txt`),
			mime: 'text/plain',
			bytes: bytes.length,
			kind: 'text',
			textChars: text.length,
		};
		const messageId = newId<MessageId>();
		const now = clock.now();
		const asked = { requestId, proposalId: proposal.id };
		const { result, fresh } = doOnce(deps, Begun, asked, (tx) => {
			const sessionId = beginSession(tx, `About a finding from ${finding.sourceTitle}`, now);
			insertAttachment(tx, { info, sessionId, hash, text, createdAt: now });
			insertMessage(tx, {
				id: messageId,
				sessionId,
				parentId: null,
				role: 'user',
				parts: [
					{ type: 'text', text: 'This is about something that background work found. It waits in the inbox and is not approved.' },
					{ type: 'attachment', attachment: info },
				],
				status: 'complete',
				label: 'external',
				sources: [sourceOf(proposal, finding)],
				createdAt: now,
			});
			setHead(tx, sessionId, messageId);
			insertFindingChat(tx, { sessionId, proposalId: proposal.id, sourceId: finding.sourceId });
			return { sessionId };
		});
		if (fresh) {
			announce({ type: 'session_changed', session: summarise(db.read, result.sessionId) });
			announce({ type: 'message_changed', message: getMessage(db.read, messageId), headChanged: true });
		}
		return result;
	});
}

function sourceOf({ provenance }: Proposal, { sourceTitle }: FindingInfo): ContextSource {
	const url = provenance.sources.find((source) => source.kind === 'url');
	return {
		kind: 'finding',
		name: sourceName(sourceTitle),
		label: 'external',
		...(url && { hash: url.fetchedHash, url: url.url, at: url.fetchedAt }),
	};
}

/** What was found, why, and what it rests on, word for word. */
function wordsOf({ operation, provenance }: Proposal, { sourceTitle }: FindingInfo): string {
	const text = operation.kind === 'forget' ? operation.before : (operation.text ?? '');
	return [
		`Found by background work in ${sourceTitle}; not approved.`,
		`What it found:\n${text}`,
		...(provenance.reason === undefined ? [] : [`Why, in the words of the model:\n${provenance.reason}`]),
		...provenance.sources.map((source) => `Quoted from ${placeOf(source)}:\n${source.quote}`),
	].join('\n\n');
}

function placeOf(source: Source): string {
	switch (source.kind) {
		case 'url':
			return source.url;
		case 'file':
			return source.path;
		case 'tool':
			return source.name;
		case 'finding':
			return source.title;
		case 'message':
			return source.sessionTitle;
		case 'entry':
			return 'memory';
		default:
			return source satisfies never;
	}
}
