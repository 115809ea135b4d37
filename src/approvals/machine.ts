import { sha256 } from '../base/sha256.ts';
import { assertNever } from '../domain/assert-never.ts';
import { terminal } from '../domain/errors.ts';
import { asJson, canonicalJson, type Json } from '../domain/json.ts';
import type { Interrupt, InterruptAnswer, InterruptDetail, InterruptKind, WaitOutcome } from '../domain/run.ts';

/** The rules of interrupts, pure. An interrupt is open until it is answered once, or expires with its run. */

const FITTING: Record<InterruptKind, readonly InterruptAnswer['type'][]> = {
	approval: ['approve', 'reject', 'stop'],
	question: ['reply', 'skip', 'stop'],
	did_it_happen: ['happened', 'run_again', 'skip', 'stop'],
	// What these wait for is not the owner's to say; that it is not worth waiting for is.
	timer: ['skip', 'stop'],
	event: ['skip', 'stop'],
	child: ['skip', 'stop'],
};

/** What ends a wait that is not the owner's. */
const ENDS: Record<InterruptKind, readonly WaitOutcome['type'][]> = {
	approval: [],
	question: [],
	did_it_happen: [],
	timer: ['time_came'],
	event: ['event_came', 'timed_out'],
	child: ['child_ended'],
};

export function answerFits(kind: InterruptKind, answer: InterruptAnswer['type']): boolean {
	return FITTING[kind].includes(answer);
}

export function outcomeFits(kind: InterruptKind, outcome: WaitOutcome['type']): boolean {
	return ENDS[kind].includes(outcome);
}

/** SHA-256, in hex, of exactly what the owner is shown (B3). */
export function shownHashOf(detail: InterruptDetail): string {
	return sha256(canonicalJson(shownOf(detail)));
}

function shownOf(detail: InterruptDetail): Json {
	switch (detail.kind) {
		case 'approval': {
			const { kind, tool, args, effect, label, rule, reason, touches, sources, flags, risk, offers, card } = detail;
			const firewall = { touches, sources, flags, risk, offers };
			return {
				kind,
				tool,
				...titled(detail),
				args,
				effect,
				label,
				rule,
				reason,
				firewall: asJson(firewall),
				...(card && { card: asJson(card) }),
			};
		}
		case 'question':
			return { kind: detail.kind, question: detail.question, choices: detail.choices ?? [] };
		case 'did_it_happen': {
			const { kind, tool, args, startedAt, found } = detail;
			return { kind, tool, ...titled(detail), args, startedAt, ...(found !== undefined && { found }) };
		}
		case 'timer':
			return { kind: detail.kind, dueAt: detail.dueAt, note: detail.note };
		case 'event':
			return { kind: detail.kind, name: detail.name, note: detail.note, until: detail.until ?? null };
		case 'child':
			return { kind: detail.kind, childRunId: detail.childRunId, task: detail.task };
		default:
			return assertNever(detail);
	}
}

function titled({ title }: { title?: string | undefined }): { title?: string } {
	return title === undefined ? {} : { title };
}

/**
 * Refuses an answer that must change nothing: `stale` where it was given to something else than what is asked,
 * `conflict` where the question is no longer open, `invalid_input` where the answer does not fit the question.
 */
export function checkAnswer(interrupt: Interrupt, shownHash: string, answer: InterruptAnswer): void {
	if (interrupt.status === 'answered')
		throw terminal('conflict', 'This was already answered.', { safe: 'The first answer holds; nothing happened twice.' });
	if (interrupt.status === 'expired')
		throw terminal('conflict', 'This question is no longer open: its reply was stopped.', {
			action: 'Use Retry on the reply to be asked again.',
		});
	if (shownHash !== interrupt.shownHash)
		throw terminal('stale', 'What you were shown is not what Hearth is asking about.', {
			safe: 'Nothing was done.',
			action: 'Look at the question again and answer that one.',
		});
	if (!answerFits(interrupt.detail.kind, answer.type)) throw terminal('invalid_input', 'That answer does not fit this question.');
}
