import type { Clock } from '../base/clock.ts';
import type { ReadDb } from '../db/brands.ts';
import type { RunId } from '../domain/ids.ts';
import type { Label } from '../domain/label.ts';
import type { Provenance, Source } from '../domain/memory.ts';
import { type Message, messageText } from '../domain/message.ts';
import { cutCodePoints } from '../domain/text.ts';
import { attachmentsOf } from '../sessions/attachment-store.ts';
import { branchTo, findMessage } from '../sessions/message-store.ts';
import { getSession } from '../sessions/session-store.ts';
import { broughtIn } from './brought-in.ts';
import { findRun } from './journal-store.ts';
import { exactQuote, likelyQuote } from './quote.ts';

/** Where a text that a run writes to memory came from (M2): who made it, and the words in front of it that it rests on. */
export type WriteProvenance = (
	by: { runId: RunId; step: number; label: Label; modelName: string | undefined },
	of: { text: string; quote?: string | undefined; reason: string },
) => Provenance;

/** Of a long message without a passage of its own that fits, in UTF-16 units. */
const WHOLE_MESSAGE = 2_000;

/** Results of tools that one text can rest on. */
const MOST_BROUGHT = 5;

/** Messages before the turn, the agent's included, in which the words are looked for. */
const MOST_BACK = 20;

/**
 * The owner's message of the turn is always a source, after the one before it that holds the words where it has none; of its attachments, and of
 * what tools brought in, those that hold the words. `whole`: a large result by its hash.
 */
export function writeProvenance(db: ReadDb, clock: Clock, whole: (hash: string) => string | undefined): WriteProvenance {
	return ({ runId, step, label, modelName }, { text, quote, reason }) => ({
		author: 'agent',
		label,
		origin: label,
		sources: sourcesOf({ db, whole }, runId, text, quote),
		runId,
		step,
		...(modelName === undefined ? {} : { modelName }),
		reason,
		at: clock.now(),
	});
}

interface Reading {
	readonly db: ReadDb;
	readonly whole: (hash: string) => string | undefined;
}

function sourcesOf({ db, whole }: Reading, runId: RunId, text: string, quote: string | undefined): Source[] {
	const run = findRun(db, runId);
	const reply = run && findMessage(db, run.messageId);
	const asked = reply?.parentId ? findMessage(db, reply.parentId) : undefined;
	if (!asked) return [];
	const wordsIn = (message: Message): string | undefined => {
		const said = messageText(message);
		return exactQuote(said, [quote, text]) ?? likelyQuote(said, text);
	};
	const inAsked = wordsIn(asked);
	const before = inAsked === undefined ? saidBefore(db, asked, wordsIn) : undefined;
	const source = (message: Message, words: string): Source => ({
		kind: 'message',
		sessionId: message.sessionId,
		messageId: message.id,
		sessionTitle: getSession(db, message.sessionId).title,
		role: message.role,
		quote: words,
		deleted: false,
	});
	const messages = [...(before ? [source(before.message, before.words)] : []), source(asked, inAsked ?? beginningOf(messageText(asked)))];
	const files = attachmentsOf(db, asked.parts).flatMap(({ info, hash, text: held }): Source[] => {
		const words = exactQuote(held, [quote, text]) ?? likelyQuote(held, text);
		return words === undefined ? [] : [{ kind: 'file', path: info.name, hash, quote: words }];
	});
	const brought = [reply, ...repliesBefore(db, asked)].flatMap((message) => (message ? broughtIn(message, { text, quote }, whole) : []));
	return [...messages, ...files, ...brought.slice(0, MOST_BROUGHT)];
}

/** Newest first. */
function repliesBefore(db: ReadDb, asked: Message): Message[] {
	return asked.parentId === null
		? []
		: branchTo(db, asked.parentId, MOST_BACK)
				.filter(({ role }) => role === 'assistant')
				.toReversed();
}

/** “Yes, do that”: the fact stands in what the owner said before. */
function saidBefore(
	db: ReadDb,
	asked: Message,
	wordsIn: (message: Message) => string | undefined,
): { message: Message; words: string } | undefined {
	let message: Message | undefined = asked;
	for (let back = 0; back < MOST_BACK && message?.parentId; back++) {
		message = findMessage(db, message.parentId);
		const words = message?.role === 'user' ? wordsIn(message) : undefined;
		if (message && words !== undefined) return { message, words };
	}
	return undefined;
}

/** The ellipsis shows that it is cut, also to who looks for a text that is to be forgotten (M4). */
function beginningOf(said: string): string {
	return said.length <= WHOLE_MESSAGE ? said : `${cutCodePoints(said, WHOLE_MESSAGE - 1)}…`;
}
