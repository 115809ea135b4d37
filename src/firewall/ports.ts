import type { WriteDb } from '../db/brands.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { RunId } from '../domain/ids.ts';
import type { Inspection } from '../domain/inspection.ts';
import type { Json } from '../domain/json.ts';

/** Where crossings are written down (S1). */
export interface AuditLog {
	/** In the transaction of what is decided or done: either both are there or neither. */
	append(tx: WriteDb, entries: readonly AuditEntry[]): void;
	/**
	 * In a transaction of its own, in order, for what has none: a network call, a command that ended. Never rejects; what could not be written is
	 * said in health. `soon`: of what comes in hundreds, such as calls of sources: within a quarter of a second, together, and nobody waits for it.
	 */
	record(entries: readonly AuditEntry[], how?: { soon?: boolean }): Promise<void>;
}

export interface Redacted {
	readonly text: string;
	readonly found: number;
}

export interface RedactingStream {
	/** What may be shown by now; the rest is held back until more is known. */
	push(piece: string): string;
	/** All that was held back. */
	end(): string;
}

/** Keeps secrets out of whatever is stored, sent to a model, or shown (S3). */
export interface Redactor {
	/** The text with each secret in it replaced by a mask, and how many there were. Known values (keychain, environment, configuration) and shapes of keys. */
	redact(text: string): Redacted;
	/** As above without what is only called a password or a token: for what the agent itself writes, which may well make one up. */
	redactKeys(text: string): Redacted;
	/** Known values only: for the owner's own words. */
	redactKnown(text: string): Redacted;
	/** For text that comes in pieces: a secret may be cut between two of them. */
	stream(): RedactingStream;
	streamKnown(): RedactingStream;
	/** Whether a text holds a mask: then it must not be written anywhere as content. */
	hasMask(text: string): boolean;
}

/** Looks for what speaks to the agent, hides, or leaks. Hints: they only ever add a question. Nothing of it rejects or throws. */
export interface Inspector {
	/** The detectors alone, at once. */
	inspect(text: string): Inspection;
	/** Of a call's arguments on their way to a sink, with spans in their JSON. `commands`: texts among them that are for a shell. */
	inspectArguments(args: Json, commands: readonly string[]): Inspection;
	/** Of text from outside: the classifier, too, and the second opinion where the owner chose a model for it. `runId`: whose work it is for. */
	inspectOutside(text: string, runId?: RunId): Promise<Inspection>;
}
