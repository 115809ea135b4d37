import type { AuditDetail, AuditEntry } from '../domain/audit.ts';
import type { ContextSource } from '../domain/context-source.ts';
import type { RunId, SessionId } from '../domain/ids.ts';
import { joinLabels, type Label } from '../domain/label.ts';
import type { RequestRecord } from '../net/guarded-fetch.ts';
import { AUDIT_RULES } from './audit-rules.ts';

/** What is written down of each kind of crossing: made here, so that all look alike and none holds content (S1). */

type NewEntry = Pick<AuditEntry, 'sink' | 'decision' | 'rule' | 'label'> &
	Partial<Omit<AuditEntry, 'detail'>> & { readonly detail: Omit<AuditDetail, 'sources'> & { readonly sources?: readonly ContextSource[] } };

/** With what is not said: no risk, nothing hashed, no time taken. */
export function newAuditEntry({ detail, ...entry }: NewEntry): AuditEntry {
	return { risk: 'none', flags: [], textHash: null, latencyMs: 0, ...entry, detail: { ...detail, sources: [...(detail.sources ?? [])] } };
}

/** The step that a crossing belongs to, and all that it could see. */
export interface AuditedStep {
	readonly runId: RunId;
	readonly sessionId: SessionId;
	readonly step?: number;
	readonly callId?: string;
	readonly label: Label;
	readonly sources: readonly ContextSource[];
}

/** What goes into the prompt of a model. `textHash`: of all of it. */
export function promptSent(
	by: AuditedStep,
	to: { readonly model: string; readonly remote: boolean; readonly textHash: string },
): AuditEntry {
	return newAuditEntry({
		...placeOf(by),
		sink: 'prompt',
		decision: 'allowed',
		rule: AUDIT_RULES.promptModel,
		label: by.label,
		textHash: to.textHash,
		detail: {
			from: sourcesName(by.sources),
			to: to.model,
			reason: to.remote ? 'It goes to a model that is not on this machine.' : 'It stays on this machine.',
			sources: by.sources,
		},
	});
}

/** What the owner is shown of a reply. */
export function replyShown(by: AuditedStep, from: { readonly model: string; readonly textHash: string }): AuditEntry {
	return newAuditEntry({
		...placeOf(by),
		sink: 'screen',
		decision: 'shown',
		rule: AUDIT_RULES.replyShown,
		label: by.label,
		textHash: from.textHash,
		detail: { from: `Reply of ${from.model}`, to: 'Your screen', reason: 'A chat shows its replies.', sources: by.sources },
	});
}

/** A call over the network that is over: which host, how it ended, how much. Never path, query or content (S3). */
export function networkCall({ purpose, by, method, host, status, bytes, ms, error }: RequestRecord): AuditEntry {
	const ended = error ?? (status === null ? 'no answer' : `${status}`);
	return newAuditEntry({
		sink: 'network',
		decision: error === undefined ? 'done' : 'failed',
		rule: AUDIT_RULES.networkCall,
		label: by?.label ?? 'owner',
		...(by && { runId: by.runId, sessionId: by.sessionId, step: by.step, ...(by.callId !== undefined && { callId: by.callId }) }),
		detail: {
			from: by?.tool ?? 'Hearth',
			to: host,
			reason: `For: ${purpose.replaceAll('_', ' ')}.`,
			outcome: `${method} ${ended}, ${bytes} bytes, ${Math.round(ms)} ms`,
			...(by && { tool: by.tool }),
		},
	});
}

/** Something of Hearth's was written to a place of the owner's choice. `path`: where. */
export function exported(what: string, path: string, outcome: string): AuditEntry {
	return newAuditEntry({
		sink: 'file',
		decision: 'done',
		rule: AUDIT_RULES.exported,
		label: 'owner',
		detail: { from: what, to: path, reason: 'You exported it.', outcome },
	});
}

function placeOf({ runId, sessionId, step, callId }: AuditedStep): Partial<AuditEntry> {
	return { runId, sessionId, ...(step !== undefined && { step }), ...(callId !== undefined && { callId }) };
}

/** The least trusted one by name, and how many more there are. */
function sourcesName(sources: readonly ContextSource[]): string {
	const worst = joinLabels(...sources.map(({ label }) => label));
	const first = sources.find(({ label }) => label === worst);
	if (!first) return 'The run';
	return sources.length === 1 ? first.name : `${first.name} and ${sources.length - 1} more`;
}
