import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Logger } from '../../base/logger.ts';
import type { StateDb } from '../../db/open.ts';
import type { Compaction, KeptItem } from '../../domain/compaction.ts';
import { type ContextSource, joinSources, sourceName } from '../../domain/context-source.ts';
import { type ErrorShape, toErrorShape } from '../../domain/errors.ts';
import type { CompactionId, MessageId, RunId, SessionId } from '../../domain/ids.ts';
import { joinLabels, type Label } from '../../domain/label.ts';
import type { Message } from '../../domain/message.ts';
import { BUILTIN_PROVIDER_ID, type Usage } from '../../domain/model.ts';
import { cutCodePointsFromStart } from '../../domain/text.ts';
import type { AuditLog } from '../../firewall/ports.ts';
import { keepCompaction } from '../../sessions/compaction-store.ts';
import { branchLength, branchTo, messageAtDepth } from '../../sessions/message-store.ts';
import { summaryCrossing } from '../model-crossings.ts';
import type { ChosenModel, ModelSource } from '../models.ts';
import type { CountTokens } from '../tokens.ts';
import { ATTACHMENT_LABEL, renderMessage, renderReply, tokensOf } from '../turns.ts';
import type { WorkPort } from '../work-port.ts';
import { foldItems } from './choose.ts';
import { extractFrom, extractParts } from './extract.ts';
import { summarise } from './summarise.ts';
import { fitSummary, type Summary, summaryRoom } from './summary.ts';
import { transcriptOf } from './transcript.ts';

/**
 * Makes compactions. The only place that does, and it reaches neither tools nor memory: what is to last for good the model saves itself,
 * through the gate, with the summary before its eyes (`fitSummary`).
 */

export interface CompactorDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly models: Pick<ModelSource, 'summarise'>;
	/** Longest silence of a model in milliseconds. */
	readonly silenceMs: () => number;
	readonly audit: Pick<AuditLog, 'record'>;
	readonly work?: Pick<WorkPort, 'budgetUsed' | 'spendNow'> | undefined;
}

interface Common {
	readonly sessionId: SessionId;
	/** The one whose place it takes; everything kept by it is kept on. */
	readonly before: Compaction | undefined;
}
/** Everything up to a message, or the parts of a run's reply before `cut`. */
export type Place =
	| (Common & { readonly kind: 'chat'; readonly upTo: MessageId })
	| (Common & { readonly kind: 'reply'; readonly runId: RunId; readonly reply: Message; readonly cut: number });

export interface How {
	readonly count: CountTokens;
	readonly windowTokens: number;
	/** Absent: it is only looked at; no model is asked and nothing is kept. */
	readonly run?: undefined | { readonly id: RunId; readonly signal: AbortSignal; pause(ms: number): Promise<void> };
}

export interface Made {
	readonly compaction: Compaction;
	readonly spent?: Usage | undefined;
	/** Why the model that was to write it did not. */
	readonly failed?: ErrorShape | undefined;
}

/** Undefined where the run was stopped meanwhile. */
export type Compactor = (place: Place, how: How) => Promise<Made | undefined>;

/** Messages read at a time, between other work. */
const PAGE = 200;
/** Of the transcript that a model may be given, in UTF-16 units: the newest. */
const MOST_TRANSCRIPT = 400_000;

interface Gathered {
	items: KeptItem[];
	label: Label;
	sources: ContextSource[];
	tokens: number;
	transcript: string;
	covers: number;
}

export function createCompactor(deps: CompactorDeps): Compactor {
	const { db, clock, logger } = deps;

	async function chosenModel({ sessionId }: Place): Promise<ChosenModel | undefined> {
		const chosen = await deps.models.summarise(sessionId);
		return chosen.ref.providerId === BUILTIN_PROVIDER_ID ? undefined : chosen;
	}

	async function write(
		place: Place,
		gathered: Gathered,
		{ count, windowTokens }: How,
		run: NonNullable<How['run']>,
	): Promise<Pick<Made, 'spent' | 'failed'> & Partial<Pick<Compaction, 'text' | 'model'>>> {
		try {
			const chosen = await chosenModel(place);
			if (!chosen) return {};
			const refused = deps.work?.budgetUsed(run.id);
			if (refused) return { failed: refused };
			const { text: room } = summaryRoom(windowTokens);
			const given = { before: place.before?.text ?? '', transcript: gathered.transcript, items: gathered.items, room };
			// S1: written down before it leaves.
			const seen = { runId: run.id, sessionId: place.sessionId, label: gathered.label, sources: gathered.sources };
			await deps.audit.record([summaryCrossing(seen, [given.before, given.transcript], chosen)]);
			const used = (usage: Usage): void => deps.work?.spendNow(run.id, usage);
			const outcome = await summarise(chosen, given, { ...run, count, silenceMs: deps.silenceMs(), used });
			return outcome.ok ? { text: outcome.text, model: chosen.ref, spent: outcome.usage } : { failed: outcome.error, spent: outcome.usage };
		} catch (error) {
			// Extraction needs no model: a summary never fails a reply.
			return { failed: toErrorShape(error) };
		}
	}

	return async (place, how) => {
		const gathered = place.kind === 'chat' ? await gatherMessages(deps.db, place, how) : gatherParts(deps.db, place, how);
		const { run } = how;
		const written = run ? await write(place, gathered, how, run) : {};
		if (run?.signal.aborted) return undefined;
		if (written.failed) logger.warn('summary_not_written', { sessionId: place.sessionId, error: written.failed });
		const summary: Summary = {
			// Without new words of a model those of before go on: they stand for what they stood for.
			text: written.text ?? place.before?.text ?? '',
			items: gathered.items,
			label: gathered.label,
			sources: gathered.sources,
			covers: gathered.covers,
			...(place.kind === 'reply' && { within: { runId: place.runId, upToPart: place.cut } }),
		};
		const tokensAfter = fitSummary(summary, { ...how, room: how.windowTokens, excluded: false, searchable: true, askToSave: false }).tokens;
		const compaction: Compaction = {
			...summary,
			items: gathered.items,
			id: newId<CompactionId>(),
			sessionId: place.sessionId,
			upTo: place.kind === 'chat' ? place.upTo : place.reply.id,
			method: written.text === undefined ? 'extract' : 'model',
			...(written.model && { model: written.model }),
			tokensBefore: gathered.tokens,
			tokensAfter,
			createdAt: clock.now(),
		};
		const kept = run ? db.write((tx) => keepCompaction(tx, compaction)) : compaction;
		return { compaction: kept, spent: written.spent, failed: written.failed };
	};
}

async function gatherMessages({ read }: StateDb, place: Extract<Place, { kind: 'chat' }>, { count, run }: How): Promise<Gathered> {
	const { before, upTo } = place;
	const covers = branchLength(read, upTo);
	let { items, label, sources, tokens } = startOf(before);
	let transcript = '';
	for (let from = before?.covers ?? 0; from < covers && !run?.signal.aborted; from += PAGE) {
		const to = Math.min(covers, from + PAGE);
		const last = messageAtDepth(read, upTo, to - 1);
		const messages = last === undefined ? [] : branchTo(read, last, to - from);
		items = foldItems(items, extractFrom(messages, from + 1));
		label = joinLabels(label, ...messages.map((message) => message.label));
		sources = joinSources(sources, ...messages.map((message) => message.sources));
		for (const { parts } of messages)
			for (const part of parts) {
				if (part.type !== 'attachment') continue;
				label = joinLabels(label, ATTACHMENT_LABEL);
				sources = joinSources(sources, [{ kind: 'attachment', name: sourceName(part.attachment.name), label: ATTACHMENT_LABEL }]);
				tokens += Math.ceil(part.attachment.textChars / CHARACTERS_PER_TOKEN);
			}
		tokens += messages.reduce((sum, message) => sum + tokensOf(renderMessage(message, BARE), count), 0);
		transcript = cutCodePointsFromStart(`${transcript}\n\n${transcriptOf(messages, from + 1)}`, MOST_TRANSCRIPT);
		await turn();
	}
	return { items, label, sources, tokens, transcript, covers };
}

const CHARACTERS_PER_TOKEN = 4;
const BARE = { attachments: new Map(), seesImages: false, toolsOffered: true };

function gatherParts({ read }: StateDb, { before, reply, cut }: Extract<Place, { kind: 'reply' }>, { count }: How): Gathered {
	const start = startOf(before);
	const from = before?.covers ?? 0;
	const parts = reply.parts.slice(from, cut);
	const number = branchLength(read, reply.id);
	return {
		items: foldItems(start.items, extractParts(reply, from, cut, number)),
		label: joinLabels(start.label, reply.label, ...parts.map((part) => (part.type === 'tool' && part.label) || 'owner')),
		sources: joinSources(start.sources, reply.sources, ...parts.map((part) => (part.type === 'tool' ? part.sources : undefined))),
		tokens: start.tokens + tokensOf(renderReply(parts, BARE), count),
		transcript: cutCodePointsFromStart(transcriptOf([{ ...reply, parts }], number), MOST_TRANSCRIPT),
		covers: cut,
	};
}

function startOf(before: Compaction | undefined): Pick<Gathered, 'items' | 'label' | 'sources' | 'tokens'> {
	return { items: before?.items ?? [], label: before?.label ?? 'owner', sources: before?.sources ?? [], tokens: before?.tokensBefore ?? 0 };
}
