import type { Clock } from '../base/clock.ts';
import { crashPoint } from '../base/crash-point.ts';
import type { Announce } from '../contract/announce.ts';
import type { StateDb } from '../db/open.ts';
import type { RunId } from '../domain/ids.ts';
import type { MessagePart } from '../domain/message.ts';
import type { StreamedPart } from './events.ts';
import { appendChunks } from './journal-store.ts';
import { joinStreamed, lastTextIndex, withStreamed } from './parts.ts';
import type { ModelPlan, Progress } from './state.ts';

/** Longest time that text is in memory only. A crash loses at most this and the commit's own time: well under 250 ms. */
const SAVE_EVERY_MS = 60;
/** Deltas of one frame travel together; the first after a pause goes at once. */
const ANNOUNCE_EVERY_MS = 16;

interface LiveTextDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly announce: Announce;
	/** Told the first time that saving fails (a full disk): the text stays in memory and is tried again with the next batch. */
	readonly onSaveError: (error: unknown) => void;
}

/**
 * The text of one model step while it streams: saved in batches, announced in frames. What may still turn out to be a tool
 * call is saved but not yet shown.
 */
export class LiveText {
	readonly #deps: LiveTextDeps;
	readonly #runId: RunId;
	readonly #progress: Progress;
	readonly #plan: ModelPlan;
	readonly #step: number;
	/** Shown, in order. */
	#shown: StreamedPart[] = [];
	/** Shown but not announced yet; it belongs at the end of `#shown`. */
	#pending: StreamedPart[] = [];
	#unsaved: StreamedPart[] = [];
	#savedChunks = 0;
	#saveFailed = false;
	#announceTimer: NodeJS.Timeout | undefined;
	#saveTimer: NodeJS.Timeout | undefined;
	#lastAnnounced = Number.NEGATIVE_INFINITY;

	constructor(deps: LiveTextDeps, at: { runId: RunId; progress: Progress; plan: ModelPlan }) {
		this.#deps = deps;
		this.#runId = at.runId;
		this.#progress = at.progress;
		this.#plan = at.plan;
		this.#step = at.progress.step;
	}

	/** Text came in; it is saved soon. */
	received(type: StreamedPart['type'], text: string): void {
		if (text === '') return;
		push(this.#unsaved, type, text);
		this.#saveTimer ??= setTimeout(() => this.save(), SAVE_EVERY_MS);
	}

	/** Text may be shown. */
	show(type: StreamedPart['type'], text: string): void {
		if (text === '') return;
		push(this.#pending, type, text);
		const wait = this.#lastAnnounced + ANNOUNCE_EVERY_MS - this.#deps.clock.monotonic();
		if (wait <= 0) this.flush();
		else this.#announceTimer ??= setTimeout(() => this.flush(), wait);
	}

	/** Everything that may be shown, announced or not. */
	parts(): StreamedPart[] {
		return joinStreamed([...this.#shown, ...this.#pending]);
	}

	/** The message's parts as far as they were announced: what a snapshot at the current live position must hold. */
	announcedParts(): MessagePart[] {
		const shown = this.#plan.continues ? this.#shown.filter((part) => part.type === 'text') : this.#shown;
		return withStreamed(this.#progress.parts, shown, this.#plan);
	}

	flush(): void {
		clearTimeout(this.#announceTimer);
		this.#announceTimer = undefined;
		const pending = this.#pending;
		this.#pending = [];
		for (const part of pending) this.#announcePart(part);
		this.#lastAnnounced = this.#deps.clock.monotonic();
	}

	#announcePart(part: StreamedPart): void {
		const { parts, sessionId, messageId } = this.#progress;
		const continued = this.#plan.continues ? lastTextIndex(parts, this.#plan.fromPart) : -1;
		const before = this.#shown;
		this.#shown = joinStreamed([...before, part]);
		// Thinking before a continued text moves that text's place: it is told with the finished step.
		if (continued >= 0 && part.type === 'reasoning') return;
		const place = continued >= 0 ? continued : parts.length + this.#shown.length - 1;
		const offset = continued >= 0 ? lengthOf(parts[continued]) + textLength(before) : lengthOf(this.#shown.at(-1)) - part.text.length;
		this.#deps.announce({ type: 'message_delta', sessionId, messageId, part: place, kind: part.type, offset, text: part.text });
	}

	/** Commits what is not saved yet. Never throws. */
	save(): void {
		clearTimeout(this.#saveTimer);
		this.#saveTimer = undefined;
		const batch = this.#unsaved;
		if (batch.length === 0) return;
		try {
			this.#deps.db.write((tx) => appendChunks(tx, this.#runId, this.#step, this.#savedChunks + 1, batch));
			this.#savedChunks += batch.length;
			this.#unsaved = [];
			crashPoint('stream.flushed');
		} catch (error) {
			if (!this.#saveFailed) this.#deps.onSaveError(error);
			this.#saveFailed = true;
		}
	}

	/** Stops the timers; nothing is announced or saved from here on. */
	close(): void {
		clearTimeout(this.#announceTimer);
		clearTimeout(this.#saveTimer);
	}
}

function push(parts: StreamedPart[], type: StreamedPart['type'], text: string): void {
	const last = parts.at(-1);
	if (last?.type === type) last.text += text;
	else parts.push({ type, text });
}

function lengthOf(part: MessagePart | undefined): number {
	return part?.type === 'text' || part?.type === 'reasoning' ? part.text.length : 0;
}

function textLength(parts: readonly StreamedPart[]): number {
	return parts.reduce((sum, part) => sum + (part.type === 'text' ? part.text.length : 0), 0);
}
