import type { Clock } from '../base/clock.ts';
import type { ReadDb } from '../db/brands.ts';
import { joinSources } from '../domain/context-source.ts';
import { terminal } from '../domain/errors.ts';
import type { AttachmentId, MessageId, RunId, SessionId } from '../domain/ids.ts';
import { joinLabels } from '../domain/label.ts';
import type { EntryId } from '../domain/memory.ts';
import { type Message, type MessagePart, messageText, type NoticePart } from '../domain/message.ts';
import { addUsage, type Usage } from '../domain/model.ts';
import type { Redactor } from '../firewall/ports.ts';
import type { ModelTool } from '../model/port.ts';
import type { ResolvedModel } from '../model/registry.ts';
import { attachmentsOf, getAttachments } from '../sessions/attachment-store.ts';
import { compactionOfReply, compactionOnBranch } from '../sessions/compaction-store.ts';
import type { MessageHead } from '../sessions/message-row.ts';
import { branchLength, branchTo, findMessage, getMessageHead } from '../sessions/message-store.ts';
import { excludedParts, getSession } from '../sessions/session-store.ts';
import type { OfferedSkill } from '../tools/skills/port.ts';
import type { Blobs } from './blobs.ts';
import type { Compactor, Made } from './compact/compactor.ts';
import { SUMMARY_PART, type Summaries } from './compact/in-prompt.ts';
import { isLongReply, replyCut } from './compact/when.ts';
import { type AskedMessage, type Assembled, assemble, type ContextInput } from './context.ts';
import type { MemoryForPrompt } from './context-memory.ts';
import type { RunTerms } from './events.ts';
import { isolatedPrompt } from './isolated-prompt.ts';
import type { PromptMemory } from './prompt-memory.ts';
import { windowShare } from './retry-policy.ts';
import type { ModelPlan, Progress } from './state.ts';
import { type CountTokens, tokenCounterFor } from './tokens.ts';
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
	/** Knows whether a secret was removed from the owner's message. */
	readonly redactor: Pick<Redactor, 'hasMask'>;
	/** Where large results are whole. */
	readonly blobs: Pick<Blobs, 'withWhole' | 'withWholes'>;
	/** Absent where there is none. */
	readonly memory?: PromptMemory | undefined;
	/** Read anew for each step: what changed on the disk is offered no longer. */
	readonly skills?: (() => Promise<readonly OfferedSkill[]>) | undefined;
	/** How many findings of background work wait for the owner: all that a chat learns of them (B1). Absent where there is no background work. */
	readonly findingsWaiting?: (() => number) | undefined;
	/** Absent: older messages that do not fit are left out. */
	readonly compact?: Compactor | undefined;
}

/** Messages read at first; more only where they are so short that more would fit. */
const FIRST_MESSAGES = 200;
const LEAST_CHARACTERS_PER_TOKEN = 2;

/** What a run needs beside its state to have a summary made: its Stop ends that, too. */
export interface RunAtWork {
	readonly id: RunId;
	readonly signal: AbortSignal;
	pause(ms: number): Promise<void>;
}

export interface StepPrompt extends Assembled {
	/** What the summary cost that was made for it. */
	readonly spent?: Usage | undefined;
}

/** The prompt of a run's next model call. What does not fit becomes a summary first. */
export async function promptForStep(
	sources: PromptSources,
	at: { progress: Progress; plan: ModelPlan },
	model: ResolvedModel,
	run: RunAtWork,
): Promise<StepPrompt> {
	const { progress, plan } = at;
	const reply = getMessageHead(sources.db, progress.messageId);
	if (reply.parentId === null) throw terminal('internal', 'A reply without a message to reply to.');
	// The responder does not go on after a text: it says the same again, and what is there already is left out of that.
	const goesOn = plan.continues && model.port.kind !== 'builtin';
	const parts = plan.continues && !goesOn ? progress.parts.slice(0, plan.fromPart) : progress.parts;
	const message = findMessage(sources.db, reply.parentId);
	if (!message) throw terminal('not_found', 'The message to reply to no longer exists.');
	const { isolated } = progress.terms;
	if (isolated) return isolatedPrompt(isolated.instructions, message, model);
	return assembleWith(sources, progress.sessionId, model, {
		headId: message.parentId,
		message: askedOf(message, progress.terms),
		memory: await memoryFor(sources, message.parts, progress.recalled),
		reply: parts,
		plan: progress.plan,
		continues: goesOn,
		windowTokens: Math.floor(model.info.contextTokens * windowShare(plan.overflows)),
		work: {
			run,
			reply: { ...reply, label: joinLabels(reply.label, progress.label), sources: joinSources(reply.sources, progress.sources) },
			fromPart: plan.fromPart,
		},
	});
}

function askedOf({ parts, label, sources }: Message, { kind, test }: RunTerms): AskedMessage {
	return { parts, label, sources, ...(kind !== undefined && kind !== 'chat' && { task: kind }), ...(test && { test }) };
}

/** What the next send of a draft would show the model. A summary that sending would have made is shown as it is without a model. */
export async function promptForDraft(
	sources: PromptSources,
	draft: { sessionId: SessionId; text: string; attachmentIds: readonly AttachmentId[] },
	model: ResolvedModel,
): Promise<Assembled> {
	const { headId } = getSession(sources.db, draft.sessionId);
	const message = { parts: ownerParts(sources.db, draft), label: 'owner' as const };
	const memory = await memoryFor(sources, message.parts);
	const windowTokens = model.info.contextTokens;
	return assembleWith(sources, draft.sessionId, model, { headId, message, memory, reply: [], continues: false, windowTokens });
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

/** Without the first `covers` messages. */
function readBranch(db: ReadDb, headId: MessageId | null, windowTokens: number, covers: number): Past {
	const own = headId === null ? 0 : branchLength(db, headId) - covers;
	if (headId === null || own <= 0) return { messages: [], older: 0 };
	for (let limit = FIRST_MESSAGES; ; limit *= 4) {
		const messages = branchTo(db, headId, Math.min(limit, own));
		const characters = messages.reduce((sum, message) => sum + JSON.stringify(message.parts).length, 0);
		if (messages.length >= own || characters > windowTokens * LEAST_CHARACTERS_PER_TOKEN * 4)
			return { messages, older: own - messages.length };
	}
}

interface Given extends Pick<ContextInput, 'message' | 'memory' | 'reply' | 'plan' | 'continues' | 'windowTokens'> {
	/** The last message before the owner's. */
	readonly headId: MessageId | null;
	/** Absent where it is only looked at. */
	readonly work?: { readonly run: RunAtWork; readonly reply: MessageHead; readonly fromPart: number };
}

async function assembleWith(sources: PromptSources, sessionId: SessionId, model: ResolvedModel, given: Given): Promise<StepPrompt> {
	const { db, compact } = sources;
	const { headId, message, memory, plan, continues, windowTokens, work } = given;
	const excluded = new Set(excludedParts(db, sessionId));
	const count = await tokenCounterFor(model.port);
	const seesImages = model.info.seesImages === true;
	const fixed = {
		documents: await sources.documents(),
		today: new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' }).format(sources.clock.now()),
		message,
		memory,
		skills: await sources.skills?.(),
		findingsWaiting: sources.findingsWaiting?.() ?? 0,
		plan,
		continues,
		tools: model.info.usesTools === false ? [] : sources.tools(),
		excluded,
		seesImages,
		windowTokens,
		count,
	};
	const before = {
		chat: headId === null ? undefined : compactionOnBranch(db, sessionId, headId),
		reply: work && compactionOfReply(db, work.run.id, work.fromPart),
	};
	// Parts that a summary stands for are not read whole again.
	const told = before.reply?.covers ?? 0;
	const parts = [...given.reply.slice(0, told), ...(await sources.blobs.withWholes(given.reply.slice(told)))];
	const searchable = getSession(db, sessionId).kind === 'chat';
	const assembleNow = async ({ chat, reply }: Pick<Summaries, 'chat' | 'reply'>): Promise<{ prompt: Assembled; history: Message[] }> => {
		const past = readBranch(db, headId, windowTokens, excluded.has(SUMMARY_PART) ? 0 : (chat?.covers ?? 0));
		const history = await Promise.all(past.messages.map((each) => sources.blobs.withWhole(each)));
		const prompt = assemble({
			...fixed,
			history,
			olderMessages: past.older,
			reply: parts.slice(reply?.covers ?? 0),
			summaries: { chat, reply, searchable },
			attachments: await readAttachments(sources, [...history.flatMap((each) => each.parts), ...message.parts], seesImages),
		});
		return { prompt, history };
	};

	let { prompt, history } = await assembleNow(before);
	const how = { count, windowTokens, run: work?.run };
	const cut = work && compact && nextReplyCut(parts, prompt, { ...work, from: told, toolsOffered: prompt.tools.length > 0, count });
	const madeOfReply =
		work && compact && cut !== undefined
			? await compact(
					{ kind: 'reply', sessionId, before: before.reply, runId: work.run.id, reply: { ...work.reply, parts: [...given.reply] }, cut },
					how,
				)
			: undefined;
	if (madeOfReply) ({ prompt, history } = await assembleNow({ ...before, reply: madeOfReply.compaction }));
	const upTo = compact && !excluded.has(SUMMARY_PART) ? lastToTell(history, prompt) : undefined;
	const madeOfChat = compact && upTo ? await compact({ kind: 'chat', sessionId, before: before.chat, upTo }, how) : undefined;
	if (madeOfChat) ({ prompt } = await assembleNow({ chat: madeOfChat.compaction, reply: madeOfReply?.compaction ?? before.reply }));
	const made = [madeOfReply, madeOfChat].flatMap((each) => each ?? []);
	const spent = made.reduce<Usage | undefined>((sum, each) => addUsage(sum, each.spent), undefined);
	const removed = sources.redactor.hasMask(messageText({ parts: [...message.parts] }));
	const masked: NoticePart[] = removed ? [{ type: 'notice', code: 'secrets_removed', values: {} }] : [];
	return { ...prompt, notices: [...masked, ...withReasons(prompt.notices, made)], ...(spent && { spent }) };
}

function nextReplyCut(
	parts: readonly MessagePart[],
	{ pressure: { budget, replyTokens } }: Assembled,
	{ from, fromPart: before, toolsOffered, count }: { from: number; fromPart: number; toolsOffered: boolean; count: CountTokens },
): number | undefined {
	return isLongReply(replyTokens, budget) ? replyCut(parts, { from, before, budget, toolsOffered, count }) : undefined;
}

/** The last message of those that a summary is to stand for; undefined where everything fits. */
function lastToTell(history: readonly Message[], { pressure: { messagesLeft, messagesToKeep } }: Assembled): MessageId | undefined {
	if (messagesLeft === 0) return undefined;
	const kept = messagesToKeep();
	return (kept < history.length ? history.at(-kept - 1)?.id : history[0]?.parentId) ?? undefined;
}

/** Why no model wrote it, where one should have. */
function withReasons(notices: readonly NoticePart[], made: readonly Made[]): NoticePart[] {
	return notices.map((notice) => {
		const failed = made.find(({ compaction }) => compaction.id === notice.values.id)?.failed;
		return failed ? { ...notice, values: { ...notice.values, reason: failed.code } } : notice;
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
		contents.set(info.id, bytes ? { text, hash, base64: Buffer.from(bytes).toString('base64') } : { text, hash });
	}
	return contents;
}
