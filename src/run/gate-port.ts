import type { WriteDb } from '../db/brands.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { ContextSource } from '../domain/context-source.ts';
import type { RunId, SessionId, Timestamp } from '../domain/ids.ts';
import type { Inspection } from '../domain/inspection.ts';
import type { Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import type { PermissionId } from '../domain/permission.ts';
import type { Plan } from '../domain/plan.ts';
import type { Interrupt, InterruptAnswer, InterruptDetail } from '../domain/run.ts';
import type { Touch } from '../domain/sink.ts';
import type { TaskNeed } from '../domain/task.ts';
import type { EffectClass, LiveResource, ToolResult } from '../domain/tool.ts';
import type { Law } from '../firewall/judge.ts';
import type { JobNames } from '../firewall/permission.ts';
import type { AuditLog } from '../firewall/ports.ts';
import type { HoldMemoryWrite, Verified, WaitRequest } from '../tools/port.ts';
import type { RunEventOf, RunTerms } from './events.ts';
import type { RunJob } from './run-job.ts';
import type { WriteProvenance } from './write-provenance.ts';

/** The words between the gate and those who ask it. */

/** What the gate judges by, and where it writes its decisions down. */
export interface FirewallDoor {
	/** The rules and permissions as they are now. */
	law(): Law;
	/** For which work a run's calls are, as permissions name it. */
	jobOf(runId: RunId, sessionId: SessionId): RunJob;
	/** Of arguments, with spans in their JSON; `commands`: texts among them that are for a shell. Never throws. */
	inspectArguments(args: Json, commands: readonly string[]): Inspection;
	/** Of a text that others may have written, as the model will read it. Never rejects. */
	inspectOutside(text: string, runId: RunId): Promise<Inspection>;
	/** Whether a text holds the mask of a secret. */
	hasMask(text: string): boolean;
	/** A result of this label without the secrets in it, before anything else is done with it (S3). */
	redacted(text: string, label: Label): string;
	readonly audit: AuditLog;
	/** A call goes through on them. */
	used(tx: WriteDb, permissionIds: readonly PermissionId[], at: Timestamp): void;
	/** The owner answered: written down, and what they granted with it holds from now on. */
	answered(tx: WriteDb, interrupt: Interrupt, answer: InterruptAnswer, at: Timestamp): void;
	/** Permissions were given, used or ended; told after the commit. */
	changed(): void;
}

/** How calls that would change memory get there. */
export interface MemoryDoor {
	readonly hold: HoldMemoryWrite;
	readonly provenance: WriteProvenance;
}

/** Whose call it is. */
export interface Caller {
	readonly runId: RunId;
	readonly sessionId: SessionId;
	readonly step: number;
	readonly terms: RunTerms;
	/** The join over everything the step that made the call could see (B2), and where that came from. */
	readonly seen: Label;
	readonly sources: readonly ContextSource[];
	readonly now: Timestamp;
	readonly job: JobNames;
	/** Addresses in the owner's own words of this turn. Asked only where a call would reach the network. */
	addresses(): ReadonlySet<string>;
}

/** What is written down with the event that lets a call go on, or not: both or neither (S1). */
export interface Crossings {
	readonly audit: readonly AuditEntry[];
	/** Permissions that let it through. */
	readonly permissionIds: readonly PermissionId[];
}

interface Read {
	readonly args: Json;
	readonly effect: EffectClass;
	readonly label: Label;
	readonly repaired: boolean;
	readonly touches: readonly Touch[];
	readonly crossings: Crossings;
}

export type Judgement =
	| ({ readonly kind: 'allow' } & Read)
	| ({ readonly kind: 'ask'; readonly detail: InterruptDetail } & Read)
	/** It waits instead of running. */
	| ({ readonly kind: 'wait'; readonly request: WaitRequest } & Read)
	| {
			readonly kind: 'refuse';
			readonly why: RunEventOf<'tool_refused'>['why'];
			readonly args: Json;
			readonly result: ToolResult;
			/** What a test run would have done. */
			readonly need?: TaskNeed | undefined;
			readonly crossings: Crossings;
	  };

/** A call that was judged. `label`: what it was judged by; `modelName`: who made it. */
export interface GateCall {
	readonly tool: string;
	readonly callId: string;
	readonly args: Json;
	readonly label: Label;
	readonly modelName?: string | undefined;
	/** What the owner's yes to this very call named. */
	readonly approvedTouches?: readonly Touch[] | undefined;
}

export interface GateOutcome {
	readonly result: ToolResult;
	readonly label: Label;
	readonly sources?: ContextSource[] | undefined;
	readonly plan?: Plan | undefined;
	readonly opened?: LiveResource[] | undefined;
	readonly closed?: string[] | undefined;
	readonly stopped: boolean;
	/** Of a tool that was left behind: resolves when it has really ended. */
	readonly ended?: Promise<void>;
}

/** What a tool found out about a call, as it is written down. */
export type VerifiedOutcome =
	| ({ readonly happened: 'yes' } & Omit<GateOutcome, 'stopped' | 'ended'>)
	| Exclude<Verified, { happened: 'yes' }>;
