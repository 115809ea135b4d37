import { proposedText } from '../approvals/proposal-machine.ts';
import type { ProposalStep, ProposalsDeps } from '../approvals/proposals.ts';
import { sha256 } from '../base/sha256.ts';
import { assertNever } from '../domain/assert-never.ts';
import type { AuditDecision, AuditEntry } from '../domain/audit.ts';
import { type ContextSource, pageName, sourceName } from '../domain/context-source.ts';
import { asJson, canonicalJson } from '../domain/json.ts';
import type { Label } from '../domain/label.ts';
import type { Author, ChangeKind, Provenance, Source } from '../domain/memory.ts';
import type { Proposal } from '../domain/proposal.ts';
import { newAuditEntry } from '../firewall/audit-entries.ts';
import { AUDIT_RULES } from '../firewall/audit-rules.ts';
import type { AuditLog } from '../firewall/ports.ts';
import type { HeartbeatDeps } from '../heartbeat/heartbeat.ts';
import type { MemoryDeps } from '../memory/memory.ts';
import type { TaskChange, TasksDeps } from '../tasks/tasks.ts';
import { isOwnersOwn } from '../tools/skills/skill-store.ts';
import type { SkillWritesDeps } from '../tools/skills/write-path.ts';
import type { WorkspaceDeps } from '../tools/workspace/write-path.ts';

/** What other parts do, as the audit log is told of it: each in the transaction that says that it is done (S1). */

const AUTHORS: Readonly<Record<Author, string>> = {
	owner: 'You',
	agent: 'The agent',
	heartbeat: 'The heartbeat',
	import: 'An import',
	file_edit: 'You, in the file',
	tool: 'A program of a tool',
	unknown: 'Nobody knows',
};

/** One record for each change of a memory file, whoever made it. */
export function auditMemory(audit: AuditLog): Exclude<MemoryDeps['made'], undefined> {
	return (tx, { file, kind, provenance, textHash }) => {
		const { author, label, runId, step, approval } = provenance;
		audit.append(tx, [
			newAuditEntry({
				sink: 'memory',
				decision: 'written',
				rule: AUDIT_RULES.memoryWritten,
				label,
				textHash,
				...(runId !== undefined && { runId }),
				...(step !== undefined && { step }),
				...(approval && { proposalId: approval.proposalId }),
				detail: {
					from: approval ? 'Your approval' : AUTHORS[author],
					to: file,
					reason: CHANGES[kind],
					sources: sourcesOf(provenance),
				},
			}),
		]);
	};
}

const CHANGES: Readonly<Record<ChangeKind, string>> = {
	append: 'Something was added.',
	patch: 'A text was changed.',
	supersede: 'A newer text took the place of another.',
	move: 'A text was moved.',
	remove: 'A text was taken out.',
	validity: 'When a text holds was changed.',
	forget: 'A text was forgotten.',
	undo: 'A change was undone.',
	restore: 'An earlier text was put back.',
	file_edit: 'The file was changed outside Hearth.',
	drift: 'A program changed the file; what it wrote waits.',
	approve_drift: 'What a program had written counts from now on.',
};

/** One record for each file that is written, moved or deleted. */
export function auditFiles(audit: AuditLog): Exclude<WorkspaceDeps['changed'], undefined> {
	return (tx, { path, root, before, after, label, sources, runId, step, restoreId }) => {
		const what = after === null ? 'It was deleted.' : before === null ? 'It is new.' : 'It was changed.';
		audit.append(tx, [
			newAuditEntry({
				sink: 'file',
				decision: 'written',
				rule: AUDIT_RULES.fileWritten,
				label,
				textHash: after,
				...(runId !== undefined && { runId }),
				...(step !== undefined && { step }),
				detail: {
					from: restoreId === undefined ? 'The agent' : 'A restore',
					to: root === undefined ? `workspace/${path}` : path,
					reason: what,
					sources: [...sources],
				},
			}),
		]);
	};
}

const DECISIONS: Readonly<Record<ProposalStep, AuditDecision>> = {
	held: 'held',
	approved: 'approved',
	rejected: 'rejected',
	undone: 'revoked',
	written: 'written',
};
const REASONS: Readonly<Record<Exclude<ProposalStep, 'held'>, string>> = {
	approved: 'You said yes to exactly what was shown.',
	rejected: 'You said no.',
	undone: 'You took your decision back.',
	written: 'What you had approved was done.',
};

/** What waits without a call of a tool, each decision of the owner's, and a skill that is written. Memory tells of its own writes. */
export function auditProposals(audit: AuditLog): Exclude<ProposalsDeps['audit'], undefined> {
	return (tx, proposal, what) => {
		if (what === 'written' && proposal.operation.kind !== 'skill') return;
		audit.append(tx, [proposalEntry(proposal, what)]);
	};
}

/** A skill that the owner writes or removes by themselves; what they approve is told with its proposal. */
export function auditSkills(audit: AuditLog): Exclude<SkillWritesDeps['made'], undefined> {
	return (tx, change) => {
		if (!isOwnersOwn(change)) return;
		const { name, after } = change;
		audit.append(tx, [
			newAuditEntry({
				sink: 'skill',
				decision: 'written',
				rule: AUDIT_RULES.skillWritten,
				label: 'owner',
				textHash: after === null ? null : sha256(after),
				detail: { from: 'You', to: `skills/${name}/SKILL.md`, reason: after === null ? 'It was removed.' : 'It was written.' },
			}),
		]);
	};
}

/** The owner's word on whether text of their sources may go to this provider. `allow` is absent where they took it back. */
export function auditConsent(audit: AuditLog): HeartbeatDeps['consented'] {
	return (tx, { providerId, host, allow, shownHash }) => {
		const reasons = {
			yes: 'Text of your sources may go there.',
			no: 'Text of your sources may not go there.',
			undone: 'You are asked again.',
		};
		const said = allow === undefined ? 'undone' : allow ? 'yes' : 'no';
		audit.append(tx, [
			newAuditEntry({
				sink: 'permission',
				decision: CONSENTS[said],
				rule: AUDIT_RULES.backgroundModel,
				label: 'owner',
				textHash: shownHash ?? null,
				detail: { from: 'You', to: `${providerId}, ${host}`, reason: reasons[said] },
			}),
		]);
	};
}

const CONSENTS = { yes: 'granted', no: 'refused', undone: 'revoked' } as const;

const TASK_CHANGES: Readonly<Record<TaskChange, string>> = {
	added: 'It was made.',
	changed: 'It was changed.',
	removed: 'It was removed, with its history.',
	paused: 'It was paused.',
	resumed: 'It goes on.',
	run: 'You let it run now.',
};

/** The owner's word on a task. What its runs do is told by themselves. */
export function auditTask(audit: AuditLog): TasksDeps['audited'] {
	return (tx, { draft, label }, what) => {
		audit.append(tx, [
			newAuditEntry({
				sink: 'task',
				decision: what === 'removed' ? 'revoked' : 'approved',
				rule: AUDIT_RULES.task,
				label,
				textHash: sha256(canonicalJson(asJson(draft))),
				detail: { from: 'You', to: sourceName(draft.title), reason: TASK_CHANGES[what] },
			}),
		]);
	};
}

/** Of a finding neither title nor reason is told: they are words of others, or a model's about them, and this is no place of the quarantine (B1). */
function proposalEntry(
	{ id, operation, label, rule, reason, runId, sessionId, provenance, finding }: Proposal,
	what: ProposalStep,
): AuditEntry {
	const text = proposedText(operation);
	const isSkill = operation.kind === 'skill';
	const rules = { held: rule, written: AUDIT_RULES.skillWritten };
	return newAuditEntry({
		sink: isSkill ? 'skill' : operation.kind === 'forget' ? 'forget' : 'memory',
		decision: DECISIONS[what],
		rule: what === 'held' || what === 'written' ? rules[what] : AUDIT_RULES.proposal,
		label,
		textHash: text === null ? null : sha256(text),
		proposalId: id,
		...(runId !== undefined && { runId }),
		...(sessionId !== undefined && { sessionId }),
		detail: {
			from: what === 'held' ? AUTHORS[provenance.author] : 'You',
			to: targetName(operation),
			reason: what !== 'held' ? REASONS[what] : finding ? 'Background work found it; it waits for you.' : reason,
			sources: sourcesOf(provenance).map((source) =>
				finding && source.kind === 'finding' ? { ...source, name: finding.sourceTitle } : source,
			),
		},
	});
}

function targetName(operation: Proposal['operation']): string {
	switch (operation.kind) {
		case 'skill':
			return `skills/${operation.name}/SKILL.md`;
		case 'notice':
			return 'You, as a notice';
		case 'task':
			return 'Your reminders';
		default:
			return operation.file;
	}
}

function sourcesOf({ sources, origin }: Provenance): ContextSource[] {
	return sources.map((source) => contextSource(source, origin));
}

function contextSource(source: Source, label: Label): ContextSource {
	switch (source.kind) {
		case 'message':
			return source.role === 'user'
				? { kind: 'owner_message', name: sourceName(source.sessionTitle), label: 'owner' }
				: { kind: 'reply', name: sourceName(source.sessionTitle), label };
		case 'finding':
			return { kind: 'finding', name: sourceName(source.title), label };
		case 'url':
			return { kind: 'page', name: pageName(source.url), label, hash: source.fetchedHash };
		case 'file':
			return { kind: 'file', name: sourceName(source.path), label, ...(source.hash !== undefined && { hash: source.hash }) };
		case 'tool':
			return { kind: source.of, name: source.name, label, ...(source.hash !== undefined && { hash: source.hash }) };
		case 'entry':
			return { kind: 'memory', name: 'Another entry', label };
		default:
			return assertNever(source);
	}
}
