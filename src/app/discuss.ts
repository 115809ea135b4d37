import { z } from 'zod';
import type { Clock } from '../base/clock.ts';
import type { ContentFiles } from '../base/content-files.ts';
import { newId } from '../base/ids.ts';
import type { Announce } from '../contract/announce.ts';
import type { StateDb } from '../db/open.ts';
import { type ContextSource, sourceName } from '../domain/context-source.ts';
import { terminal } from '../domain/errors.ts';
import type { SendQuestion } from '../domain/heartbeat.ts';
import { type AttachmentId, type MessageId, SessionId } from '../domain/ids.ts';
import type { Source } from '../domain/memory.ts';
import type { AttachmentInfo } from '../domain/message.ts';
import type { FindingInfo, Proposal } from '../domain/proposal.ts';
import type { AuditLog, Redactor } from '../firewall/ports.ts';
import { mayLeave, questionFor, type Recipient } from '../heartbeat/consent.ts';
import { setConsent } from '../heartbeat/consent-store.ts';
import { insertAttachment } from '../sessions/attachment-store.ts';
import { getMessage, insertMessage } from '../sessions/message-store.ts';
import { insertOutsideChat } from '../sessions/outside-chat-store.ts';
import { cleanName } from '../sessions/read-attachment.ts';
import { beginSession, setHead, summarise } from '../sessions/session-store.ts';
import { auditConsent } from './audited.ts';
import { doOnce } from './handlers/once.ts';

const Begun = z.object({ sessionId: SessionId });

export interface DiscussDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly announce: Announce;
	readonly files: ContentFiles;
	readonly redactor: Pick<Redactor, 'redact'>;
	readonly audit: AuditLog;
	/** What would answer in the chat. Undefined where it is not set up any more. */
	readonly recipient: () => Recipient | undefined;
}

interface Request {
	readonly requestId: string;
	/** The question that the owner said yes to. */
	readonly allow?: string | undefined;
}

/**
 * A chat about a finding. Its first message is labelled external and holds what was found as a file, which every prompt puts into a frame:
 * whatever is said in this chat is said after text from outside (B2). No model is asked before the owner writes; whether it may be sent to the
 * one that would be is asked first.
 */
export async function discuss(
	deps: DiscussDeps,
	proposal: Proposal,
	{ requestId, allow }: Request,
): Promise<{ sessionId: SessionId } | { asks: SendQuestion }> {
	const { db, clock, announce, files, redactor } = deps;
	const { finding } = proposal;
	if (!finding) throw terminal('invalid_input', 'Only what background work found can be discussed.', { safe: 'Nothing was done.' });
	const { text } = redactor.redact(wordsOf(proposal, finding));
	const asks = questionOf(deps, finding, text);
	if (asks && allow === undefined) return { asks };
	if (asks) consent(deps, asks, allow);
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
			insertOutsideChat(tx, { sessionId, proposalId: proposal.id, sourceId: finding.sourceId, taskId: finding.task?.taskId });
			return { sessionId };
		});
		if (fresh) {
			announce({ type: 'session_changed', session: summarise(db.read, result.sessionId) });
			announce({ type: 'message_changed', message: getMessage(db.read, messageId), headChanged: true });
		}
		return result;
	});
}

/** Undefined where it may be sent: to what is on this machine and costs nothing, or where the owner said yes before. */
function questionOf({ db, recipient }: DiscussDeps, { sourceTitle }: FindingInfo, text: string): SendQuestion | undefined {
	const to = recipient();
	if (!to || mayLeave(db.read, to)) return undefined;
	return questionFor(to, { titles: [sourceTitle], items: 1, characters: text.length });
}

function consent(
	{ db, clock, announce, audit }: DiscussDeps,
	{ shownHash, providerId, host }: SendQuestion,
	allow: string | undefined,
): void {
	if (allow !== shownHash)
		throw terminal('stale', 'Something else is asked by now.', { safe: 'Nothing was sent.', action: 'Look at the question again.' });
	db.write((tx) => {
		setConsent(tx, { providerId, host, allowed: true, at: clock.now() }, shownHash);
		auditConsent(audit)(tx, { providerId, host, allow: true, shownHash });
	});
	announce({ type: 'heartbeat_changed' });
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
