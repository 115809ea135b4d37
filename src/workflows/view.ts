import type { ReadDb } from '../db/brands.ts';
import type { WorkflowInstance } from '../domain/workflow.ts';
import { findRun } from '../run/journal-store.ts';
import { stateOf } from './definition.ts';
import { diagramOf } from './diagram.ts';
import type { Loaded } from './journal.ts';
import { alarmAt, placeOf, valuesOf } from './state.ts';

/** An instance as it is shown. */
export function viewOf(db: ReadDb, { instance, definition, state }: Loaded): WorkflowInstance {
	const { at } = state;
	const run = at.kind === 'acting' ? findRun(db, at.runId) : undefined;
	const due = [alarmAt(definition, state), run?.waitsUntil].filter((time) => time !== undefined);
	const action = at.kind === 'moving' ? undefined : stateOf(definition, at.in.name).action;
	const last = state.history.at(-1);
	return {
		id: instance.id,
		workflow: instance.workflow,
		title: instance.title,
		version: instance.version,
		sessionId: instance.sessionId,
		state: placeOf(state),
		status: statusOf(at.kind, run?.status),
		...((at.kind === 'failed' || at.kind === 'resting') && { error: at.error }),
		startedAt: instance.createdAt,
		enteredAt: at.kind === 'moving' ? (last?.at ?? instance.createdAt) : at.in.since,
		...(due.length > 0 && { dueAt: Math.min(...due) }),
		...(at.kind === 'acting' && action?.kind === 'event' && { waitsFor: action.name }),
		...(state.kept.length > 0 && { kept: state.kept.map(({ name }) => name) }),
		...(at.kind === 'acting' && { runId: at.runId }),
		data: valuesOf(state.data),
		history: [...state.history],
		diagram: diagramOf(definition),
	};
}

type Kind = Loaded['state']['at']['kind'];

function statusOf(kind: Kind, run: string | undefined): WorkflowInstance['status'] {
	if (kind === 'done' || kind === 'failed' || kind === 'stopped') return kind;
	if (kind === 'resting') return 'sleeping';
	return kind === 'acting' && (run === 'waiting' || run === 'sleeping') ? run : 'running';
}
