import { z } from 'zod';
import { crashPoint } from '../base/crash-point.ts';
import { LineFile } from '../base/line-file.ts';
import type { Logger } from '../base/logger.ts';
import type { ReadDb } from '../db/brands.ts';
import { asStorageError } from '../db/errors.ts';
import { RunId, Timestamp } from '../domain/ids.ts';
import { parseJson } from '../domain/json.ts';
import { hasToolStart, lastSeq } from './journal-store.ts';

/**
 * A second, small record beside state.db: how far each journal was, and which effects were about to begin. A database whose write-ahead log
 * was cut opens as a consistent earlier state and cannot know that more had happened; this file can. It holds no words of anybody: ids,
 * tool names, times.
 */

const Line = z.discriminatedUnion('what', [
	z.object({ what: z.literal('journal'), runId: RunId, seq: z.number().int(), at: Timestamp }),
	z.object({ what: z.literal('effect'), runId: RunId, step: z.number().int(), tool: z.string(), at: Timestamp }),
	/** Deleted with its session. */
	z.object({ what: z.literal('gone'), runId: RunId }),
	/** Found missing by a start, and not told for certain yet. */
	z.object({ what: z.literal('lost'), from: Timestamp, until: Timestamp, runs: z.array(RunId) }),
]);
type Line = z.infer<typeof Line>;

export type WitnessedEffect = Extract<Line, { what: 'effect' }>;

/** What the database no longer knows of. */
export interface LostTail {
	/** The first and the last thing that is missing, by the clock. */
	readonly from: Timestamp;
	readonly until: Timestamp;
	readonly runs: readonly RunId[];
	/** Effects that had begun, as far as is known, and of which the journal has no word. */
	readonly effects: readonly WitnessedEffect[];
}

/** From this size on only the newest lines are kept: what is older has long left the write-ahead log. */
const LARGEST_BYTES = 1024 * 1024;
const KEPT_LINES = 2_000;

export class Witness {
	/** Effects of which the journal has no word, until it has. */
	#doubtful: WitnessedEffect[] = [];
	readonly #file: LineFile<Line>;
	readonly #logger: Logger;
	#warned = false;
	#toldWhenClosed = false;

	constructor(file: string, logger: Logger) {
		this.#file = new LineFile(file, (line) => Line.safeParse(parseJson(line)).data);
		this.#logger = logger;
	}

	/** After an event was committed. Not synced: a process that is killed loses nothing of it, and a lost line only means that less is noticed. */
	journaled(runId: RunId, seq: number, at: Timestamp): void {
		this.#note({ what: 'journal', runId, seq, at });
	}

	/** Before an effect that must not happen twice; on the disk when it returns. Throws `disk_full` or `read_only`: then it must not begin. */
	effectBegins(effect: Omit<WitnessedEffect, 'what'>): void {
		try {
			this.#append({ what: 'effect', ...effect });
			this.#file.sync();
		} catch (error) {
			throw asStorageError(error);
		}
		crashPoint('effect.witnessed');
	}

	/** An effect of this tool that may have happened in this run, of which the journal has no word. Given until `isKnown`. */
	doubtful(runId: RunId, tool: string): WitnessedEffect | undefined {
		return this.#doubtful.find((effect) => effect.runId === runId && effect.tool === tool);
	}

	/** The journal has word of it. */
	isKnown(effect: WitnessedEffect): void {
		this.#doubtful = this.#doubtful.filter((other) => other !== effect);
	}

	/** After runs were deleted. */
	gone(runIds: readonly RunId[]): void {
		for (const runId of runIds) this.#note({ what: 'gone', runId });
	}

	/**
	 * At start, before anything goes on. Undefined: the database holds all that is known here. Where `settle`, what it holds is not kept here any
	 * longer; what it lacks is told at each start until a life that told it ends in an orderly way, and effects until the journal has them.
	 */
	compare(db: ReadDb, { settle }: { settle: boolean }): LostTail | undefined {
		const lines = this.#read();
		const gone = new Set(lines.flatMap((line) => (line.what === 'gone' ? [line.runId] : [])));
		const newest = new Map(lines.flatMap((line) => (line.what === 'journal' ? [[line.runId, line] as const] : [])));
		const journals = [...newest.values()].filter(({ runId, seq }) => !gone.has(runId) && lastSeq(db, runId) < seq);
		const effects = lines.filter((line) => line.what === 'effect');
		this.#doubtful = effects.filter(({ runId, at }) => !gone.has(runId) && !hasToolStart(db, runId, at));
		const lost = joined([...lines.filter((line) => line.what === 'lost'), ...[...journals, ...this.#doubtful].map(lostOf)]);
		if (settle) this.#file.replace([...this.#doubtful, ...(lost ? [lost] : [])]);
		this.#toldWhenClosed = settle && lost !== undefined;
		return lost && { from: lost.from, until: lost.until, runs: lost.runs, effects: this.#doubtful };
	}

	/** What the database lacks counts as told. */
	close(): void {
		if (this.#toldWhenClosed) this.#file.replace(this.#read().filter((line) => line.what !== 'lost'));
		this.#file.close();
	}

	#note(line: Line): void {
		try {
			this.#append(line);
		} catch (error) {
			if (!this.#warned) this.#logger.warn('witness_not_written', { error });
			this.#warned = true;
		}
	}

	#append(line: Line): void {
		this.#file.append(line);
		if (this.#file.bytes > LARGEST_BYTES) this.#file.replace(this.#read().slice(-KEPT_LINES));
	}

	#read(): Line[] {
		try {
			return this.#file.lines();
		} catch (error) {
			throw asStorageError(error);
		}
	}
}

type Lost = Extract<Line, { what: 'lost' }>;

function lostOf({ runId, at }: { runId: RunId; at: Timestamp }): Lost {
	return { what: 'lost', from: at, until: at, runs: [runId] };
}

function joined(all: readonly Lost[]): Lost | undefined {
	if (all.length === 0) return undefined;
	const from = Math.min(...all.map((lost) => lost.from));
	const until = Math.max(...all.map((lost) => lost.until));
	return { what: 'lost', from, until, runs: [...new Set(all.flatMap((lost) => lost.runs))] };
}
