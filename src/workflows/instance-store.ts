import type { z } from 'zod';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { all, get, runOne, sql } from '../db/sql.ts';
import { terminal } from '../domain/errors.ts';
import type { SessionId, Timestamp, WorkflowInstanceId } from '../domain/ids.ts';
import type { EventName } from '../domain/run.ts';
import type { WorkflowName, WorkflowStateName } from '../domain/workflow.ts';
import { WorkflowEvent } from './events.ts';
import type { InstanceState } from './state.ts';

/** Rows of `workflow_instances` and `workflow_events`. */

export interface StoredInstance {
	readonly id: WorkflowInstanceId;
	readonly workflow: WorkflowName;
	readonly title: string;
	readonly version: string;
	/** The YAML that it started with and keeps. */
	readonly definition: string;
	readonly sessionId: SessionId;
	readonly createdAt: Timestamp;
}

interface Row {
	id: WorkflowInstanceId;
	workflow: WorkflowName;
	title: string;
	version: string;
	definition: string;
	session_id: SessionId;
	created_at: number;
}

export function insertInstance(
	db: WriteDb,
	instance: StoredInstance & { readonly requestId: string; readonly state: WorkflowStateName },
): void {
	const { id, workflow, title, version, definition, sessionId, requestId, state, createdAt } = instance;
	runOne(
		db,
		sql`INSERT INTO workflow_instances (id, workflow, title, version, definition, session_id, state, status, request_id, created_at, updated_at)
		VALUES (${id}, ${workflow}, ${title}, ${version}, ${definition}, ${sessionId}, ${state}, 'moving', ${requestId}, ${createdAt}, ${createdAt})`,
	);
}

export function findInstance(db: ReadDb, id: WorkflowInstanceId): StoredInstance | undefined {
	const row = get<Row>(db, sql`SELECT * FROM workflow_instances WHERE id = ${id}`);
	return row && instanceOf(row);
}

/** Throws `not_found`. */
export function getInstance(db: ReadDb, id: WorkflowInstanceId): StoredInstance {
	const found = findInstance(db, id);
	if (!found) throw terminal('not_found', 'That workflow instance no longer exists.', { action: 'List them with: hearth workflows list' });
	return found;
}

export function findByRequest(db: ReadDb, requestId: string): StoredInstance | undefined {
	const row = get<Row>(db, sql`SELECT * FROM workflow_instances WHERE request_id = ${requestId}`);
	return row && instanceOf(row);
}

/** Newest first. */
export function listInstances(db: ReadDb, limit: number): StoredInstance[] {
	return all<Row>(db, sql`SELECT * FROM workflow_instances ORDER BY created_at DESC, rowid DESC LIMIT ${limit}`).map(instanceOf);
}

/** Those that go on by themselves: none that sleeps, waits for the owner or rests until its timer comes, however many there are. */
export function instancesToGoOn(db: ReadDb): WorkflowInstanceId[] {
	return all<{ id: WorkflowInstanceId }>(
		db,
		sql`SELECT i.id FROM workflow_instances i
			WHERE i.status NOT IN ('done', 'failed', 'stopped') AND (
				i.status IN ('moving', 'entered', 'stopping')
				OR (i.status = 'acting' AND NOT EXISTS (
					SELECT 1 FROM runs r WHERE r.instance_id = i.id AND r.status IN ('running', 'waiting', 'sleeping'))))
			ORDER BY i.rowid`,
	).map(({ id }) => id);
}

/** Those in a state that may wait for this event: its run does, or it is not begun. */
export function instancesThatMayWaitFor(db: ReadDb, name: EventName): WorkflowInstanceId[] {
	return all<{ id: WorkflowInstanceId }>(
		db,
		sql`SELECT i.id FROM workflow_instances i
			WHERE i.status NOT IN ('done', 'failed', 'stopped') AND (
				i.status IN ('entered', 'resting')
				OR i.id IN (SELECT r.instance_id FROM runs r JOIN interrupts w ON w.run_id = r.id
					WHERE w.kind = 'event' AND w.awaited = ${name} AND w.status = 'open'))
			ORDER BY i.rowid`,
	).map(({ id }) => id);
}

export function readEvents(db: ReadDb, id: WorkflowInstanceId): WorkflowEvent[] {
	return all<{ event: string }>(db, sql`SELECT event FROM workflow_events WHERE instance_id = ${id} ORDER BY seq`).map(({ event }) =>
		WorkflowEvent.parse(JSON.parse(event)),
	);
}

export function insertEvent(db: WriteDb, id: WorkflowInstanceId, seq: number, event: z.input<typeof WorkflowEvent>): void {
	runOne(
		db,
		sql`INSERT INTO workflow_events (instance_id, seq, event, at)
		VALUES (${id}, ${seq}, ${JSON.stringify(WorkflowEvent.parse(event))}, ${event.at})`,
	);
}

export function setInstanceState(
	db: WriteDb,
	id: WorkflowInstanceId,
	state: WorkflowStateName,
	at: InstanceState['at'],
	now: Timestamp,
): void {
	runOne(db, sql`UPDATE workflow_instances SET state = ${state}, status = ${at.kind}, updated_at = ${now} WHERE id = ${id}`);
}

function instanceOf(row: Row): StoredInstance {
	return {
		id: row.id,
		workflow: row.workflow,
		title: row.title,
		version: row.version,
		definition: row.definition,
		sessionId: row.session_id,
		createdAt: row.created_at,
	};
}
