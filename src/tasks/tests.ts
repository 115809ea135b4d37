import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ReadDb, WriteDb } from '../db/brands.ts';
import { isFullDisk } from '../db/errors.ts';
import type { StateDb } from '../db/open.ts';
import type { RunId, Timestamp } from '../domain/ids.ts';
import { asJson, canonicalJson } from '../domain/json.ts';
import type { ModelRef } from '../domain/model.ts';
import type { PermissionTerms } from '../domain/permission.ts';
import { type TaskDraft, type TaskNeed, type TaskTest, TestId } from '../domain/task.ts';
import type { RunEngine } from '../run/engine.ts';
import { childrenOf, readEvents } from '../run/journal-store.ts';
import { idUsedBefore } from '../run/refusals.ts';
import { usedByRun } from '../run/run-use.ts';
import { insertOutsideChat } from '../sessions/outside-chat-store.ts';
import { deleteSession } from '../sessions/session-store.ts';
import { taskMessage } from './doers/message.ts';
import { runOf, standingOf } from './doers/prompt.ts';
import { boundTo } from './grants.ts';
import { deleteTest, findTest, getTest, insertTest, oldTests, type StoredTest } from './test-store.ts';

/** A run of a draft in which nothing has an effect, so that the owner sees what it says and what it would need, before there is a task. */

export interface TaskTestsDeps {
	readonly db: StateDb;
	readonly clock: Pick<Clock, 'now'>;
	readonly logger: Logger;
	readonly engine: Pick<RunEngine, 'beginWork' | 'start'>;
	readonly model: () => ModelRef | undefined;
	readonly zone: () => string;
	/** Throws a HearthError for what could never be done; says what would happen where nothing has to run for that. */
	readonly check: (draft: TaskDraft) => string | undefined;
	/** Until the run ends. */
	readonly permit: (tx: WriteDb, terms: readonly PermissionTerms[]) => void;
	/** Journals are missing from now on, and that is right so. */
	readonly gone: (runIds: readonly RunId[]) => void;
}

export interface TaskTests {
	/** `permissions`: what the owner allows it, for this test only: what only reads is done on them. The same request makes one. Throws `invalid_input`, `conflict`. */
	test(draft: TaskDraft, permissions: readonly PermissionTerms[], requestId: string): TaskTest;
	/** Throws `not_found`. */
	result(id: TestId): TaskTest;
	/** Cheap where there is nothing to collect. Never throws. */
	collect(): void;
}

const KEPT_MS = 7 * 86_400_000;
const AT_ONCE = 20;

export function createTaskTests(deps: TaskTestsDeps): TaskTests {
	const { db, clock, logger, engine, model, zone, check } = deps;

	function begin(tx: WriteDb, id: TestId, draft: TaskDraft, permissions: readonly PermissionTerms[]): StoredTest {
		const { work } = draft;
		const test = { id, draft, createdAt: clock.now() };
		if (work.kind !== 'prompt') return test;
		const message = taskMessage({ draft, prompt: work.text, label: 'owner', zone: zone() });
		const { runId, sessionId } = engine.beginWork(tx, {
			...runOf(draft, work, message, model),
			beginKey: `task-test:${id}`,
			title: `Test of ${draft.title}`,
			test: true,
		});
		insertOutsideChat(tx, { sessionId });
		deps.permit(tx, boundTo({ kind: 'run', runId }, permissions));
		return { ...test, runId, sessionId };
	}

	function view(test: StoredTest): TaskTest {
		const { id, draft, runId, sessionId, createdAt } = test;
		const of = { id, draft, createdAt };
		if (runId === undefined) return { ...of, state: 'done', text: check(draft) ?? '', label: 'owner', needs: [], tokens: 0, costUsd: 0 };
		const { tokens, costUsd } = usedByRun(db.read, runId);
		const standing = standingOf(db.read, runId);
		const own = { ...of, runId, ...(sessionId !== undefined && { sessionId }), tokens, costUsd, needs: needsOf(db.read, runId) };
		switch (standing.kind) {
			case 'going_on':
			case 'waiting':
				return { ...own, state: 'running', text: '', label: 'owner' };
			case 'stopped':
				return { ...own, state: 'stopped', text: '', label: 'owner' };
			case 'done':
				return { ...own, state: 'done', text: standing.text, label: standing.label };
			case 'failed':
				return { ...own, state: 'failed', text: standing.text, label: standing.label, error: standing.error };
		}
	}

	return {
		test: (draft, permissions, requestId) => {
			const id = TestId.parse(requestId);
			check(draft);
			const { test, fresh } = db.write((tx) => {
				const before = findTest(tx, id);
				if (before && canonicalJson(asJson(before.draft)) !== canonicalJson(asJson(draft))) throw idUsedBefore();
				if (before) return { test: before, fresh: false };
				const begun = begin(tx, id, draft, permissions);
				insertTest(tx, begun);
				return { test: begun, fresh: true };
			});
			if (fresh && test.runId !== undefined) engine.start(test.runId);
			return view(test);
		},
		result: (id) => view(getTest(db.read, id)),
		collect: () => {
			try {
				for (let old = due(db.read, clock.now()); old.length > 0; old = due(db.read, clock.now())) {
					db.write((tx) => {
						for (const { id, sessionId } of old) {
							deleteTest(tx, id);
							if (sessionId !== undefined) deleteSession(tx, sessionId);
						}
					});
					deps.gone(old.flatMap(({ runId }) => runId ?? []));
				}
			} catch (error) {
				if (!isFullDisk(error)) logger.warn('tests_not_collected', { error });
			}
		},
	};
}

function due(db: ReadDb, now: Timestamp): StoredTest[] {
	return oldTests(db, now - KEPT_MS, AT_ONCE);
}

/** All that it, and what it delegated, did not do, each once, in order. */
function needsOf(db: ReadDb, runId: RunId): TaskNeed[] {
	const own = readEvents(db, runId).flatMap((event) => (event.type === 'tool_refused' && event.need ? [event.need] : []));
	const all = [...own, ...childrenOf(db, runId).flatMap(({ id }) => needsOf(db, id))];
	const byKey = new Map(all.map((need) => [canonicalJson(asJson({ ...need, what: need.terms ? '' : need.what })), need]));
	return [...byKey.values()];
}
