import type { HoldPort } from '../approvals/proposal-port.ts';
import type { Clock } from '../base/clock.ts';
import type { Announce } from '../contract/announce.ts';
import type { WriteDb } from '../db/brands.ts';
import type { StateDb } from '../db/open.ts';
import { MessageId, type RunId, type SessionId } from '../domain/ids.ts';
import { joinLabels, type Label } from '../domain/label.ts';
import type { Message } from '../domain/message.ts';
import type { Occurrence, TaskResult } from '../domain/task.ts';
import type { Inspector } from '../firewall/ports.ts';
import { findRun } from '../run/journal-store.ts';
import { findMessage, getMessage, insertMessage } from '../sessions/message-store.ts';
import { insertOutsideChat } from '../sessions/outside-chat-store.ts';
import { beginSession, findSession, getSession, setHead, summarise, touchSession } from '../sessions/session-store.ts';
import type { WorkspaceFiles } from '../tools/workspace/port.ts';
import { whichRun, zoneOf } from './doers/message.ts';
import type { DeliverResult, Standing, TaskForWork } from './ports.ts';
import { resultPath } from './result-path.ts';
import { findTask, setTaskChat } from './task-store.ts';
import { workKindOf } from './work-kind.ts';

export interface ResultsDeps {
	readonly db: StateDb;
	readonly clock: Pick<Clock, 'now'>;
	readonly announce: Announce;
	readonly workspace: Pick<WorkspaceFiles, 'change'>;
	readonly hold: Pick<HoldPort, 'hold'>;
	readonly inspector: Pick<Inspector, 'inspect'>;
	/** The owner's zone. */
	readonly zone: () => string;
}

type Place = NonNullable<Occurrence['result']>;

/** What is to be put somewhere, and the run that said it. */
interface Said {
	readonly task: TaskForWork;
	readonly occurrence: Occurrence;
	readonly text: string;
	readonly label: Label;
	readonly runId: RunId;
	readonly step: number;
	readonly reply: Message;
}

const WITHOUT_WORDS = 'It ended without a word.';
const RULE = 'task_result';
/** What detectors say of a text that is no attempt on the agent. */
const MERELY_PRIVATE: ReadonlySet<string> = new Set(['personal_data', 'secret']);

/**
 * Results, each put in its place under the key of its occurrence, however often that is asked for. What was made from text of others is in the
 * task's own chat, in the inbox, or in a labelled file, and in no other conversation (B1); a notification holds none of it.
 */
export function createDeliverResult(deps: ResultsDeps): DeliverResult {
	const { db, announce } = deps;

	/** What a run said; nothing of one that is gone. */
	function saidBy(task: TaskForWork, occurrence: Occurrence, { text, label }: Extract<Standing, { kind: 'done' }>): Said | undefined {
		const run = occurrence.runId === undefined ? undefined : findRun(db.read, occurrence.runId);
		const reply = run && findMessage(db.read, run.messageId);
		return run && reply && { task, occurrence, text: text || WITHOUT_WORDS, label, runId: run.id, step: run.step, reply };
	}

	async function put(said: Said, result: TaskResult): Promise<Place> {
		switch (result.kind) {
			case 'chat':
				return intoChat(deps, said);
			case 'inbox':
				return intoInbox(deps, said);
			case 'file':
				return intoFile(deps, said, result.path);
			case 'notification':
				return { sessionId: said.reply.sessionId, messageId: said.reply.id };
		}
	}

	return async (task, occurrence, standing) => {
		const { work, title } = task.draft;
		const kind = workKindOf(task.draft, occurrence);
		// It told the owner itself.
		if (kind === 'reminder') return undefined;
		const told = { type: 'task_told' as const, taskId: task.id, occurrenceId: occurrence.id, title };
		if (standing.kind === 'failed') {
			announce({ ...told, what: 'failed' });
			return undefined;
		}
		// A task that is for something else by now does not say any more where its words belong.
		const result: TaskResult = work.kind === 'prompt' ? work.result : { kind: 'chat' };
		const said = kind === 'prompt' ? saidBy(task, occurrence, standing) : undefined;
		const place = said && (await put(said, result));
		// Whoever wants a file does not want to be told of each.
		if (kind === 'prompt' && result.kind === 'file') return place;
		const { text } = standing;
		announce({ ...told, what: 'result', ...(standing.label !== 'external' && text !== '' && { text }) });
		return place;
	};
}

/** A chat of the task's own. It knows how far it is to be trusted from what is in it; other chats don't find what is external (B1). */
function intoChat({ db, clock, announce, zone }: ResultsDeps, { task, occurrence, text, label, reply }: Said): Place {
	const messageId = MessageId.parse(`${occurrence.id}-result`);
	const headId = MessageId.parse(`${occurrence.id}-run`);
	const put = db.write((tx) => {
		const before = findMessage(tx, messageId);
		if (before) return { sessionId: before.sessionId, fresh: false };
		const now = clock.now();
		const sessionId = chatOf(tx, task, now);
		const { headId: parentId } = getSession(tx, sessionId);
		const own = { sessionId, status: 'complete' as const, createdAt: now };
		const heading = whichRun(task.draft, occurrence, zone());
		insertMessage(tx, {
			...own,
			id: headId,
			parentId,
			role: 'user',
			parts: [{ type: 'text', text: heading }],
			label: joinLabels('agent', task.label),
		});
		const { sources, model, modelName } = reply;
		const by = { ...(model && { model }), ...(modelName !== undefined && { modelName }) };
		insertMessage(tx, {
			...own,
			id: messageId,
			parentId: headId,
			role: 'assistant',
			parts: [{ type: 'text', text }],
			label,
			sources,
			...by,
		});
		setHead(tx, sessionId, messageId);
		touchSession(tx, sessionId, now);
		return { sessionId, fresh: true };
	});
	if (put.fresh) {
		announce({ type: 'session_changed', session: summarise(db.read, put.sessionId) });
		for (const id of [headId, messageId]) announce({ type: 'message_changed', message: getMessage(db.read, id), headChanged: true });
	}
	return { sessionId: put.sessionId, messageId };
}

/** The owner may have deleted the one that there was. */
function chatOf(tx: WriteDb, { id, draft }: TaskForWork, now: number): SessionId {
	const known = findTask(tx, id)?.chatId;
	if (known !== undefined && findSession(tx, known)) return known;
	const sessionId = beginSession(tx, draft.title, now);
	insertOutsideChat(tx, { sessionId, taskId: id });
	setTaskChat(tx, id, sessionId);
	return sessionId;
}

/** A notice that waits for the owner, whatever it says. */
function intoInbox({ clock, hold, inspector }: ResultsDeps, { task, occurrence, text, label, runId, step, reply }: Said): Place {
	const stepKey = `task:${occurrence.id}`;
	const { title } = task.draft;
	const flagged = inspector.inspect(text).flags.filter(({ kind }) => !MERELY_PRIVATE.has(kind)).length;
	const { modelName } = reply;
	const { proposalId } = hold.hold({
		operation: { kind: 'notice', text },
		provenance: {
			author: 'agent',
			label,
			origin: label,
			sources: [{ kind: 'finding', findingId: stepKey, title, quote: '' }],
			runId,
			step,
			...(modelName !== undefined && { modelName }),
			reason: `The result of the task “${title}”.`,
			at: clock.now(),
		},
		label,
		rule: RULE,
		reason: `The result of the task “${title}”.`,
		runId,
		finding: {
			sourceTitle: title,
			task: { taskId: task.id, occurrenceId: occurrence.id },
			urgency: 'normal',
			quotes: [],
			conflicts: [],
			conflictsWith: [],
			flagged,
		},
		stepKey,
	});
	return { proposalId };
}

/** With its label and in the ledger of changes, as a file that a tool wrote. What was there before is kept. */
async function intoFile(
	{ workspace, zone }: ResultsDeps,
	{ task, occurrence, text, label, runId, step, reply }: Said,
	path: string,
): Promise<Place> {
	const bytes = Buffer.from(`${text.trimEnd()}\n`, 'utf8');
	const by = { runId, step, stepKey: `task:${occurrence.id}`, label, sources: reply.sources };
	const where = resultPath(path, occurrence.slot, zoneOf(task.draft.when) ?? zone());
	const { change } = await workspace.change(where, () => ({ bytes, keepsLabel: false }), by);
	return { file: change.path };
}
