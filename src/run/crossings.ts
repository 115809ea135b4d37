import { sha256 } from '../base/sha256.ts';
import type { AuditDecision, AuditEntry, AuditSink } from '../domain/audit.ts';
import { sourceName } from '../domain/context-source.ts';
import type { Inspection } from '../domain/inspection.ts';
import { canonicalJson, type Json } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import { cutCodePoints } from '../domain/text.ts';
import { touchName } from '../domain/touch-name.ts';
import type { Decision } from '../firewall/judge.ts';
import type { Verdict } from '../firewall/policy-rule.ts';
import type { Caller, Crossings } from './gate-port.ts';

/** What the audit log is told of a judged call: one record for each thing that it would touch (S1). Names and hashes, no content. */

const DECISIONS: Record<Verdict, AuditDecision> = { allow: 'allowed', ask: 'asked', hold: 'held', deny: 'refused' };
const MOST_NAME = 500;
/** Sources that a line names. */
const NAMED_SOURCES = 3;
const MOST_FLAGS = 50;

interface JudgedText {
	readonly callId: string;
	readonly tool: string;
	readonly label: Label;
	readonly args: Json;
	readonly inspection?: Inspection | undefined;
	/** `performance.now()` when its judging began. */
	readonly since: number;
}

export function crossingsOf(call: JudgedText, caller: Caller, decisions: readonly Decision[]): Crossings {
	const textHash = hashOf(call);
	const audit = decisions.map((decision) => entryOf(call, textHash, caller, decision));
	const permissionIds = [...new Set(decisions.flatMap(({ permissionId }) => (permissionId === undefined ? [] : [permissionId])))];
	return { audit, permissionIds };
}

/** A call that came to no judgement: it can't be read, there is no such tool, it asks for what can't be. */
export function refusedCrossing(call: JudgedText, caller: Caller, rule: string, reason: string, sink: AuditSink = 'tool'): Crossings {
	return { audit: [{ ...entryOf(call, hashOf(call), caller, { verdict: 'deny', rule, reason }), sink }], permissionIds: [] };
}

/** Of all the arguments: they may be long, and touch many things. */
function hashOf({ args }: JudgedText): string {
	return sha256(canonicalJson(args));
}

function entryOf(call: JudgedText, textHash: string, caller: Caller, { verdict, rule, reason, touch, permissionId }: Decision): AuditEntry {
	const { callId, tool, label, inspection, since } = call;
	const { runId, sessionId, step, sources } = caller;
	return {
		sink: touch?.sink ?? 'tool',
		decision: DECISIONS[verdict],
		rule,
		label,
		risk: inspection?.risk ?? 'none',
		flags: inspection?.flags.slice(0, MOST_FLAGS) ?? [],
		textHash,
		latencyMs: performance.now() - since,
		runId,
		step,
		callId,
		sessionId,
		...(permissionId !== undefined && { permissionId }),
		detail: {
			from: fromLine(caller),
			to: cutCodePoints(touch ? touchName(touch) : tool, MOST_NAME),
			reason,
			sources: [...sources],
			tool,
		},
	};
}

/** The least trusted of what the step had seen. */
function fromLine({ sources, seen }: Caller): string {
	if (sources.length === 0) return `Text labelled ${seen}`;
	const more = sources.length - NAMED_SOURCES;
	const names = sources.slice(0, NAMED_SOURCES).map(({ name }) => name);
	return sourceName(`${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`);
}
