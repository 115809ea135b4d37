import type { Clock } from '../base/clock.ts';
import type { ReadDb } from '../db/brands.ts';
import { terminal } from '../domain/errors.ts';
import type { AttachmentId, MessageId, SessionId } from '../domain/ids.ts';
import type { EntryId } from '../domain/memory.ts';
import { type Message, type MessagePart, messageText } from '../domain/message.ts';
import type { ModelTool } from '../model/port.ts';
import type { ResolvedModel } from '../model/registry.ts';
import { attachmentsOf, getAttachments } from '../sessions/attachment-store.ts';
import { branchLength, branchTo, getMessage } from '../sessions/message-store.ts';
import { excludedParts, getSession } from '../sessions/session-store.ts';
import type { Blobs } from './blobs.ts';
import { type Assembled, assemble, type ContextInput } from './context.ts';
import type { MemoryForPrompt } from './context-memory.ts';
import type { PromptMemory } from './prompt-memory.ts';
import { windowShare } from './retry-policy.ts';
import type { ModelPlan, Progress } from './state.ts';
import { loadTokenCounter, roughTokens } from './tokens.ts';
import type { AttachedContent } from './turns.ts';

/** Reads what goes into a prompt; `assemble` decides what of it does. */

export interface PromptSources {
	readonly db: ReadDb;
	readonly clock: Clock;
	/** AGENT.md and USER.md as they are now; empty where there is none. */
	documents(): Promise<{ agent: string; owner: string }>;
	/** The bytes of an attached image by its hash; undefined where the file is gone. */
	image(hash: string): Promise<Uint8Array | undefined>;
	tools(): readonly ModelTool[];
	/** Where large results are whole. */
	readonly blobs: Pick<Blobs, 'withWhole' | 'withWholes'>;
	/** Absent where there is none. */
	readonly memory?: PromptMemory | undefined;
}

/** Messages read at first; more only where they are so short that more would fit. */
const FIRST_MESSAGES = 200;
const LEAST_CHARACTERS_PER_TOKEN = 2;

/** The prompt of a run's next model call. */
export async function promptForStep(
	sources: PromptSources,
	at: { progress: Progress; plan: ModelPlan },
	model: ResolvedModel,
): Promise<Assembled> {
	const { progress, plan } = at;
	const reply = getMessage(sources.db, progress.messageId);
	if (reply.parentId === null) throw terminal('internal', 'A reply without a message to reply to.');
	// The responder does not go on after a text: it says the same again, and what is there already is left out of that.
	const goesOn = plan.continues && model.port.kind !== 'builtin';
	const parts = plan.continues && !goesOn ? progress.parts.slice(0, plan.fromPart) : progress.parts;
	const window = Math.floor(model.info.contextTokens * windowShare(plan.overflows));
	const past = readBranch(sources.db, reply.parentId, window);
	const message = past.messages.pop();
	if (!message) throw terminal('not_found', 'The message to reply to no longer exists.');
	const memory = await memoryFor(sources, message.parts, progress.recalled);
	return assembleWith(sources, progress.sessionId, model, {
		...past,
		message,
		memory,
		reply: parts,
		continues: goesOn,
		windowTokens: window,
	});
}

/** What the next send of a draft would show the model. */
export async function promptForDraft(
	sources: PromptSources,
	draft: { sessionId: SessionId; text: string; attachmentIds: readonly AttachmentId[] },
	model: ResolvedModel,
): Promise<Assembled> {
	const { headId } = getSession(sources.db, draft.sessionId);
	const windowTokens = model.info.contextTokens;
	const past = headId === null ? { messages: [], older: 0 } : readBranch(sources.db, headId, windowTokens);
	const message = { parts: ownerParts(sources.db, draft), label: 'owner' as const };
	const memory = await memoryFor(sources, message.parts);
	return assembleWith(sources, draft.sessionId, model, { ...past, message, memory, reply: [], continues: false, windowTokens });
}

/**
 * Recall happens once a turn. Later steps, also after a restart, take the entries that the journal names, as they are by then: what was
 * edited shows its new text, what was forgotten is not there.
 */
async function memoryFor(
	{ memory }: PromptSources,
	asked: readonly MessagePart[],
	recalled?: readonly EntryId[],
): Promise<MemoryForPrompt | undefined> {
	if (!memory) return undefined;
	const found = recalled ? recalled.flatMap((id) => memory.find(id) ?? []) : await memory.recall(messageText({ parts: [...asked] }));
	return { core: memory.core(), recalled: found };
}

/** The parts of an owner's message. Throws `not_found` for an attachment of another session. */
export function ownerParts(
	db: ReadDb,
	given: { sessionId: SessionId; text: string; attachmentIds: readonly AttachmentId[] },
): MessagePart[] {
	const attachments = getAttachments(db, given.sessionId, given.attachmentIds);
	const text: MessagePart[] = given.text.trim() === '' ? [] : [{ type: 'text', text: given.text }];
	return [...text, ...attachments.map(({ info }): MessagePart => ({ type: 'attachment', attachment: info }))];
}

interface Past {
	messages: Message[];
	older: number;
}

function readBranch(db: ReadDb, headId: MessageId, windowTokens: number): Past {
	const total = branchLength(db, headId);
	for (let limit = FIRST_MESSAGES; ; limit *= 4) {
		const messages = branchTo(db, headId, limit);
		const characters = messages.reduce((sum, message) => sum + JSON.stringify(message.parts).length, 0);
		if (messages.length >= total || characters > windowTokens * LEAST_CHARACTERS_PER_TOKEN * 4)
			return { messages, older: total - messages.length };
	}
}

async function assembleWith(
	sources: PromptSources,
	sessionId: SessionId,
	model: ResolvedModel,
	given: Past & Pick<ContextInput, 'message' | 'memory' | 'reply' | 'continues' | 'windowTokens'>,
): Promise<Assembled> {
	const seesImages = model.info.seesImages === true;
	const { message, memory, reply, continues, windowTokens } = given;
	return assemble({
		documents: await sources.documents(),
		today: new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' }).format(sources.clock.now()),
		history: await Promise.all(given.messages.map((each) => sources.blobs.withWhole(each))),
		olderMessages: given.older,
		message,
		memory,
		reply: await sources.blobs.withWholes(reply),
		continues,
		attachments: await readAttachments(sources, [...given.messages.flatMap(({ parts }) => parts), ...message.parts], seesImages),
		tools: model.info.usesTools === false ? [] : sources.tools(),
		excluded: new Set(excludedParts(sources.db, sessionId)),
		seesImages,
		windowTokens,
		count: model.port.kind === 'builtin' ? roughTokens : await loadTokenCounter(),
	});
}

async function readAttachments(
	sources: PromptSources,
	parts: readonly MessagePart[],
	seesImages: boolean,
): Promise<Map<string, AttachedContent>> {
	const contents = new Map<string, AttachedContent>();
	for (const { info, hash, text } of attachmentsOf(sources.db, parts)) {
		const bytes = info.kind === 'image' && seesImages ? await sources.image(hash) : undefined;
		contents.set(info.id, bytes ? { text, base64: Buffer.from(bytes).toString('base64') } : { text });
	}
	return contents;
}
