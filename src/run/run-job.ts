import type { ReadDb } from '../db/brands.ts';
import type { RunId, SessionId, WorkflowInstanceId } from '../domain/ids.ts';
import { messageText } from '../domain/message.ts';
import type { RunSummary } from '../domain/run.ts';
import type { JobNames } from '../firewall/permission.ts';
import { findMessage } from '../sessions/message-store.ts';
import { findRun } from './journal-store.ts';
import { addressesIn } from './named-addresses.ts';

/** For which work a run's calls are. */
export interface RunJob {
	readonly job: JobNames;
	/** Addresses in the owner's own words of this turn; none in work that no chat began. */
	addresses(): ReadonlySet<string>;
}

/** More levels than delegated work can have. */
const MOST_ABOVE = 20;

/** Delegated work belongs to the runs and chats that it is done for: what was permitted to them holds for it. */
export function runJobs(
	db: ReadDb,
	workflowOf: (instanceId: WorkflowInstanceId) => string | undefined = () => undefined,
	taskOf: (root: RunSummary) => string | undefined = () => undefined,
): (runId: RunId, sessionId: SessionId) => RunJob {
	return (runId, sessionId) => {
		const line = withThoseAbove(db, runId);
		const root = line.at(-1);
		const instanceId = line.find((run) => run.instanceId !== undefined)?.instanceId;
		const workflow = instanceId && workflowOf(instanceId);
		const task = root && taskOf(root);
		const job = {
			runs: [runId, ...line.map(({ id }) => id).filter((id) => id !== runId)],
			sessions: [...new Set([sessionId, ...line.map((run) => run.sessionId)])],
			...(workflow !== undefined && { workflow }),
			...(task !== undefined && { task }),
		};
		return { job, addresses: () => (root ? addressesOf(db, root) : new Set()) };
	};
}

/** The run, the one that it works for, and so on up. */
function withThoseAbove(db: ReadDb, runId: RunId): RunSummary[] {
	const line: RunSummary[] = [];
	let run = findRun(db, runId);
	while (run && line.length < MOST_ABOVE) {
		line.push(run);
		run = run.parentRunId && findRun(db, run.parentRunId);
	}
	return line;
}

/** Only text that the owner typed counts: no attachment, no message that somebody else wrote. */
function addressesOf(db: ReadDb, run: RunSummary): ReadonlySet<string> {
	if (run.kind !== 'chat') return new Set();
	const asked = findMessage(db, run.messageId)?.parentId;
	const message = asked ? findMessage(db, asked) : undefined;
	return message?.role === 'user' && message.label === 'owner' ? addressesIn(messageText(message)) : new Set();
}
