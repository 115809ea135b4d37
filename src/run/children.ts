import { newId } from '../base/ids.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { joinSources, sourceName } from '../domain/context-source.ts';
import type { RunId } from '../domain/ids.ts';
import type { Message } from '../domain/message.ts';
import type { RunStatus, WaitOutcome } from '../domain/run.ts';
import { cutCodePoints } from '../domain/text.ts';
import { getMessage } from '../sessions/message-store.ts';
import { titleFromText } from '../sessions/title.ts';
import type { WaitRequest } from '../tools/port.ts';
import type { WorkBeginning } from './begin.ts';
import { childrenOf, findRun } from './journal-store.ts';
import { callKey, type JudgedCall, type Progress } from './state.ts';

/** Runs that steps of other runs delegated: each with its own context, in a session of its own, reporting back a bounded summary. */

export interface Children {
	find(beginKey: string): RunId | undefined;
	begin(tx: WriteDb, child: WorkBeginning): void;
	/** After the commit: drives it, and where it is over already, ends the wait for it. */
	start(runId: RunId): void;
}

/** Runs above one another. */
export const MOST_DEPTH = 3;
/** Of a child's last words, in UTF-16 units. */
const SUMMARY_CHARS = 4_000;

type ChildRequest = Extract<WaitRequest, { kind: 'child' }>;

/** The child that a call asks for. The same call of the same step is the same child, also when the step is done again (R2). */
export function childOf(
	parentRunId: RunId,
	{ step, terms }: Progress,
	{ call, label, sources }: JudgedCall,
	{ task, tools, maxModelCalls }: ChildRequest,
	find: (beginKey: string) => RunId | undefined,
): WorkBeginning & { readonly id: RunId } {
	const beginKey = callKey(parentRunId, step, call.callId);
	return {
		id: find(beginKey) ?? newId<RunId>(),
		kind: 'child',
		beginKey,
		title: titleFromText(task) ?? '',
		task,
		label,
		...(sources && { sources: [...sources] }),
		parentRunId,
		depth: (terms.depth ?? 0) + 1,
		...(tools && { tools: [...tools] }),
		...(terms.model && { model: terms.model }),
		...(terms.test && { test: terms.test }),
		...(maxModelCalls !== undefined && { maxModelCalls }),
	};
}

export function isAtRest(status: RunStatus): boolean {
	return status === 'done' || status === 'failed' || status === 'stopped' || status === 'interrupted';
}

/** What a run that is over, or does not go on by itself, tells the one that waits for it. Undefined while it is under way. */
export function outcomeOfChild(db: ReadDb, runId: RunId): WaitOutcome | undefined {
	const run = findRun(db, runId);
	if (!run) return { type: 'child_ended', text: 'It was deleted.', isError: true, label: 'agent' };
	if (!isAtRest(run.status)) return undefined;
	const message = getMessage(db, run.messageId);
	const said = lastWords(message);
	const { label } = message;
	// First that it is a child's word, then what the child itself could see.
	const sources = joinSources([{ kind: 'child', name: sourceName(run.title || run.id), label }], message.sources);
	const ended = { type: 'child_ended' as const, label, sources };
	if (run.status === 'done') return { ...ended, text: said === '' ? 'It ended without a word.' : said, isError: false };
	const why = run.status === 'stopped' ? 'It was stopped.' : (message.error?.message ?? 'It did not come to its end.');
	return { ...ended, text: said === '' ? why : `${why} Its last words were:\n${said}`, isError: true };
}

/** The text after its last tool call; where there is none, the last text. */
export function finalWords({ parts }: Pick<Message, 'parts'>): string {
	const after = parts.slice(parts.findLastIndex((part) => part.type === 'tool') + 1);
	const texts = (of: typeof parts) => of.flatMap((part) => (part.type === 'text' && part.text.trim() !== '' ? [part.text.trim()] : []));
	return texts(after).join('\n\n') || texts(parts).at(-1) || '';
}

function lastWords(message: Pick<Message, 'parts'>): string {
	const text = finalWords(message);
	return text.length <= SUMMARY_CHARS ? text : `${cutCodePoints(text, SUMMARY_CHARS - 1)}…`;
}

/** Everything below a run that is still under way, deepest last. */
export function openBelow(db: ReadDb, runId: RunId): RunId[] {
	return childrenOf(db, runId).flatMap(({ id, status }) => [...(isAtRest(status) ? [] : [id]), ...openBelow(db, id)]);
}
