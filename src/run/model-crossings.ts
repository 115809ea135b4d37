import { createHash } from 'node:crypto';
import { sha256 } from '../base/sha256.ts';
import type { AuditEntry } from '../domain/audit.ts';
import type { RunId } from '../domain/ids.ts';
import { joinLabels } from '../domain/label.ts';
import type { MessagePart } from '../domain/message.ts';
import { type AuditedStep, promptSent, replyShown } from '../firewall/audit-entries.ts';
import { isOnThisMachine } from '../model/addresses.ts';
import type { Assembled } from './context.ts';
import type { ChosenModel } from './models.ts';
import type { Progress } from './state.ts';

/** What the audit log is told of a call of a model: what it was given, and what of its answer the owner is shown (S1). */

export function promptCrossing(runId: RunId, progress: Progress, prompt: Assembled, { model }: ChosenModel): AuditEntry {
	return promptSent(stepOf(runId, progress, prompt), {
		model: model.info.name,
		remote: !isOnThisMachine(model.provider),
		textHash: hashOfPrompt(prompt),
	});
}

/** What a model is given to sum up. */
export function summaryCrossing(by: AuditedStep, texts: readonly string[], { model }: ChosenModel): AuditEntry {
	const remote = !isOnThisMachine(model.provider);
	return promptSent(by, { model: model.info.name, remote, textHash: sha256(texts.join('\n')) });
}

/** None where there is no text, or nobody looks. */
export function replyCrossings(
	runId: RunId,
	progress: Progress,
	prompt: Assembled,
	{ model }: ChosenModel,
	parts: readonly MessagePart[],
): AuditEntry[] {
	const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
	if (text === '' || (progress.terms.kind ?? 'chat') !== 'chat') return [];
	return [replyShown(stepOf(runId, progress, prompt), { model: model.info.name, textHash: sha256(text) })];
}

function stepOf(runId: RunId, { sessionId, step, label }: Progress, prompt: Assembled): AuditedStep {
	return { runId, sessionId, step, label: joinLabels(label, prompt.label), sources: prompt.sources };
}

/** Piece by piece: with images it may be many megabytes. */
function hashOfPrompt({ system, messages, tools }: Assembled): string {
	const hash = createHash('sha256').update(system);
	for (const message of messages) hash.update(JSON.stringify(message));
	for (const { name, description, parameters } of tools) hash.update(JSON.stringify([name, description, parameters]));
	return hash.digest('hex');
}
