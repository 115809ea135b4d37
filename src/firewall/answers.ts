import { newId } from '../base/ids.ts';
import { sha256 } from '../base/sha256.ts';
import type { WriteDb } from '../db/brands.ts';
import type { AuditEntry } from '../domain/audit.ts';
import { terminal } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import { canonicalJson } from '../domain/json.ts';
import type { PermissionId, PermissionTerms } from '../domain/permission.ts';
import type { Interrupt, InterruptAnswer } from '../domain/run.ts';
import { touchName } from '../domain/touch-name.ts';
import { scopeName } from './permission-name.ts';
import { insertPermission } from './permission-store.ts';
import type { AuditLog } from './ports.ts';

/**
 * The owner's answer to a question about an action: a record of it, and the permission that they gave with it, in the transaction of the
 * answer. An answer that is carried out twice gives once. Throws `invalid_input` where the offer was not among those shown (B3).
 */
export function recordAnswer(tx: WriteDb, audit: AuditLog, interrupt: Interrupt, answer: InterruptAnswer, at: Timestamp): void {
	const { detail } = interrupt;
	if (detail.kind !== 'approval') return;
	const approved = answer.type === 'approve';
	const { tool, args, label, risk, flags, sources, touches } = detail;
	const entry: AuditEntry = {
		sink: touches[0]?.sink ?? 'tool',
		decision: approved ? 'approved' : 'rejected',
		rule: detail.rule,
		label,
		risk,
		flags: flags.slice(0, 50),
		textHash: sha256(canonicalJson(args)),
		latencyMs: 0,
		runId: interrupt.runId,
		step: interrupt.step,
		callId: interrupt.callId,
		sessionId: interrupt.sessionId,
		interruptId: interrupt.id,
		detail: {
			from: 'You',
			to: touches.map(touchName).join('; ').slice(0, 500) || tool,
			reason: approved ? 'You said yes to exactly what was shown.' : 'You said no.',
			sources,
			tool,
		},
	};
	audit.append(tx, [entry]);
	if (answer.type !== 'approve' || answer.offer === undefined) return;
	const offer = detail.offers[answer.offer];
	if (!offer) throw terminal('invalid_input', 'That was not among what you were offered.', { safe: 'Nothing was granted.' });
	const { until } = answer;
	const terms = until === undefined || (offer.terms.until ?? until) < until ? offer.terms : { ...offer.terms, until };
	const id = newId<PermissionId>();
	if (!insertPermission(tx, { id, terms, origin: 'approval', createdAt: at, interruptId: interrupt.id })) return;
	audit.append(tx, [
		permissionEntry('granted', id, terms, { interruptId: interrupt.id, runId: interrupt.runId, sessionId: interrupt.sessionId }),
	]);
}

/** What the audit log says of a permission that was given or ended. */
export function permissionEntry(
	decision: 'granted' | 'revoked',
	permissionId: PermissionId,
	terms: PermissionTerms,
	place: Pick<AuditEntry, 'interruptId' | 'runId' | 'sessionId'> = {},
): AuditEntry {
	return {
		sink: 'permission',
		decision,
		rule: 'owner',
		label: 'owner',
		risk: 'none',
		flags: [],
		textHash: sha256(canonicalJson(terms)),
		latencyMs: 0,
		permissionId,
		...place,
		detail: {
			from: 'You',
			to: scopeName(terms.scope).slice(0, 500),
			reason:
				decision === 'granted'
					? `For steps labelled ${terms.label} at most; ${terms.job.kind === 'any' ? 'for all work' : `for one ${terms.job.kind}`}.`
					: 'You took it back.',
			sources: [],
		},
	};
}
