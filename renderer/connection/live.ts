import type { LiveEvent } from '../../src/contract/events.ts';
import type { InboxCounts } from '../../src/contract/methods/memory.ts';
import type { SessionId } from '../../src/domain/ids.ts';
import type { MemoryPath } from '../../src/domain/memory.ts';
import type { Proposal } from '../../src/domain/proposal.ts';
import type { Reminder } from '../../src/domain/reminder.ts';
import type { RunSummary } from '../../src/domain/run.ts';
import type { WorkflowInstance } from '../../src/domain/workflow.ts';
import { call } from './calls.ts';
import { useConnection } from './connection-store.ts';
import { dropSession, putSession, putSessions } from './sessions-store.ts';
import { addToolOutput, dropToolOutput } from './tool-output-store.ts';
import { applyEvents, forgetTranscript, refreshAllTranscripts, refreshTranscript } from './transcripts-store.ts';

/** Least time between two changes of the stores, in milliseconds: a fast stream renders about twenty times a second, not per token. */
const FLUSH_MS = 48;
/** And the longest, however long the view is busy with one. */
const SLOWEST_FLUSH_MS = 500;
/** A change waits for this many times as long as the view was busy with the last one: a long reply leaves room for keys. */
const ROOM = 3;

let queue: { seq: number; event: LiveEvent }[] = [];
let scheduled = false;
let lastFlush = 0;
let busyMs = 0;

export function receive(seq: number, event: LiveEvent): void {
	queue.push({ seq, event });
	if (scheduled) return;
	scheduled = true;
	const interval = Math.min(SLOWEST_FLUSH_MS, Math.max(FLUSH_MS, ROOM * busyMs));
	setTimeout(flush, Math.max(0, interval - (performance.now() - lastFlush)));
}

const runListeners = new Set<(run: RunSummary) => void>();

/** Calls the listener whenever the runtime said how a run stands. Returns a function that stops it. */
export function onRunChanged(listener: (run: RunSummary) => void): () => void {
	runListeners.add(listener);
	return () => {
		runListeners.delete(listener);
	};
}

const instanceListeners = new Set<(instance: WorkflowInstance) => void>();

/** Calls the listener whenever a workflow's instance changed. Returns a function that stops it. */
export function onInstanceChanged(listener: (instance: WorkflowInstance) => void): () => void {
	instanceListeners.add(listener);
	return () => {
		instanceListeners.delete(listener);
	};
}

const reminderListeners = new Set<(reminder: Reminder) => void>();

/** Calls the listener when a reminder is due, once for each. Returns a function that stops it. */
export function onReminderDue(listener: (reminder: Reminder) => void): () => void {
	reminderListeners.add(listener);
	return () => {
		reminderListeners.delete(listener);
	};
}

type FindingsWait = Extract<LiveEvent, { type: 'findings_wait' }>;
const findingsListeners = new Set<(event: FindingsWait) => void>();

/** Calls the listener when a look found something, once for each look. Returns a function that stops it. */
export function onFindingsWait(listener: (event: FindingsWait) => void): () => void {
	findingsListeners.add(listener);
	return () => {
		findingsListeners.delete(listener);
	};
}

type TaskTold = Extract<LiveEvent, { type: 'task_told' }>;
const taskListeners = new Set<(event: TaskTold) => void>();

/** Calls the listener with what a task has to tell, once for each run. Returns a function that stops it. */
export function onTaskTold(listener: (event: TaskTold) => void): () => void {
	taskListeners.add(listener);
	return () => {
		taskListeners.delete(listener);
	};
}

const memoryListeners = new Set<(files: readonly MemoryPath[] | undefined) => void>();

/** Calls the listener with the memory files that changed; without them when any may have. Returns a function that stops it. */
export function onMemoryChanged(listener: (files: readonly MemoryPath[] | undefined) => void): () => void {
	memoryListeners.add(listener);
	return () => {
		memoryListeners.delete(listener);
	};
}

function memoryChanged(files: readonly MemoryPath[] | undefined): void {
	useConnection.setState((state) => ({ revision: { ...state.revision, memory: state.revision.memory + 1 } }));
	for (const listener of memoryListeners) listener(files);
}

/** A proposal as it was at this live position. */
export interface SeenProposal {
	readonly seq: number;
	readonly proposal: Proposal;
}

const proposalListeners = new Set<(changed: readonly SeenProposal[] | undefined) => void>();

/** Calls the listener with the proposals that changed, oldest first; without them when any may have. Returns a function that stops it. */
export function onProposalsChanged(listener: (changed: readonly SeenProposal[] | undefined) => void): () => void {
	proposalListeners.add(listener);
	return () => {
		proposalListeners.delete(listener);
	};
}

/** Said with each change of a proposal, mostly the same numbers again. */
function inboxChanged(inbox: InboxCounts): void {
	useConnection.setState((state) => {
		const same = state.inbox !== null && (Object.keys(inbox) as (keyof InboxCounts)[]).every((key) => state.inbox?.[key] === inbox[key]);
		return same ? state : { inbox };
	});
}

function actionsChanged(): void {
	useConnection.setState((state) => ({ revision: { ...state.revision, actions: state.revision.actions + 1 } }));
}

/** Drops what has not been applied: it belongs to a life of the runtime that is over. */
export function dropQueue(): void {
	queue = [];
	dropToolOutput();
}

function flush(): void {
	scheduled = false;
	const began = performance.now();
	lastFlush = began;
	requestIdleCallback(
		() => {
			busyMs = performance.now() - began;
		},
		{ timeout: SLOWEST_FLUSH_MS },
	);
	const batch = queue;
	queue = [];
	const messages: { seq: number; sessionId: SessionId; event: LiveEvent }[] = [];
	const outputs: Extract<LiveEvent, { type: 'tool_output' }>[] = [];
	const proposals: SeenProposal[] = [];
	for (const { seq, event } of batch) {
		switch (event.type) {
			case 'message_delta':
				messages.push({ seq, sessionId: event.sessionId, event });
				break;
			case 'message_changed':
			case 'message_grew':
				messages.push({ seq, sessionId: event.message.sessionId, event });
				break;
			case 'interrupt_changed':
				actionsChanged();
				messages.push({ seq, sessionId: event.interrupt.sessionId, event });
				break;
			case 'tool_output':
				outputs.push(event);
				break;
			case 'proposal_changed':
				proposals.push({ seq, proposal: event.proposal });
				break;
			default:
				applyOther(event);
		}
	}
	addToolOutput(outputs);
	// All of a batch at once, and after the counts that came with them: lists are compared with those.
	if (proposals.length > 0) for (const listener of proposalListeners) listener(proposals);
	for (const sessionId of applyEvents(messages)) void refreshTranscript(sessionId);
}

const REVISED = {
	models_changed: 'models',
	config_changed: 'config',
	secrets_changed: 'secrets',
	workflows_changed: 'workflows',
	audit_grew: 'audit',
	servers_changed: 'servers',
	permissions_changed: 'permissions',
	skills_changed: 'skills',
	reminders_changed: 'reminders',
	sources_changed: 'sources',
	heartbeat_changed: 'heartbeat',
	tasks_changed: 'tasks',
} as const;

function applyOther(event: LiveEvent): void {
	switch (event.type) {
		case 'session_changed':
			putSession(event.session);
			return;
		case 'session_deleted':
			dropSession(event.sessionId);
			forgetTranscript(event.sessionId);
			actionsChanged();
			// Its runs went with it, and theirs.
			useConnection.setState((state) => ({ revision: { ...state.revision, runs: state.revision.runs + 1 } }));
			return;
		case 'health_changed':
			useConnection.setState({ health: event.health });
			return;
		case 'reminder_due':
			for (const listener of reminderListeners) listener(event.reminder);
			return;
		case 'findings_wait':
			for (const listener of findingsListeners) listener(event);
			return;
		case 'task_told':
			for (const listener of taskListeners) listener(event);
			return;
		case 'run_changed':
			for (const listener of runListeners) listener(event.run);
			return;
		case 'workflow_changed':
			for (const listener of instanceListeners) listener(event.instance);
			return;
		case 'memory_changed':
			memoryChanged(event.files);
			return;
		case 'inbox_changed':
			inboxChanged(event.counts);
			return;
		case 'work_changed':
			useConnection.setState({ work: event.work });
			return;
		case 'index_changed':
			useConnection.setState({ index: event.index });
			return;
		case 'models_changed':
		case 'config_changed':
		case 'secrets_changed':
		case 'workflows_changed':
		case 'audit_grew':
		case 'servers_changed':
		case 'permissions_changed':
		case 'skills_changed':
		case 'reminders_changed':
		case 'sources_changed':
		case 'heartbeat_changed':
		case 'tasks_changed': {
			const key = REVISED[event.type];
			useConnection.setState((state) => ({ revision: { ...state.revision, [key]: state.revision[key] + 1 } }));
			return;
		}
		default:
	}
}

/** After the first connection or a gap: the list and what is open are taken anew. */
export async function takeSnapshots(): Promise<void> {
	const list = await call((client) => client.sessions.list(), { repeatable: true });
	putSessions(list.sessions);
	useConnection.setState((state) => ({
		index: null,
		revision: {
			...state.revision,
			models: state.revision.models + 1,
			config: state.revision.config + 1,
			secrets: state.revision.secrets + 1,
			workflows: state.revision.workflows + 1,
			runs: state.revision.runs + 1,
			audit: state.revision.audit + 1,
			servers: state.revision.servers + 1,
			skills: state.revision.skills + 1,
			reminders: state.revision.reminders + 1,
			permissions: state.revision.permissions + 1,
			sources: state.revision.sources + 1,
			heartbeat: state.revision.heartbeat + 1,
			tasks: state.revision.tasks + 1,
		},
	}));
	memoryChanged(undefined);
	inboxChanged(await call((client) => client.inbox.counts(), { repeatable: true }));
	actionsChanged();
	for (const listener of proposalListeners) listener(undefined);
	useConnection.setState({ work: await call((client) => client.work.status(), { repeatable: true }) });
	await refreshAllTranscripts();
}
