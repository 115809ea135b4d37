import type { HoldPort } from '../approvals/proposal-port.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import { terminal } from '../domain/errors.ts';
import type { TaskDraft } from '../domain/task.ts';
import { WorkflowName } from '../domain/workflow.ts';
import type { Inspector } from '../firewall/ports.ts';
import { listSources } from '../heartbeat/source-store.ts';
import type { Witness } from '../run/witness.ts';
import { createCheckWork } from '../tasks/check-work.ts';
import { createPromptDoer } from '../tasks/doers/prompt.ts';
import { reminderDoer } from '../tasks/doers/reminder.ts';
import { createWorkflowDoer, type WorkflowPort } from '../tasks/doers/workflow.ts';
import type { DeliverResult } from '../tasks/ports.ts';
import { createDeliverResult } from '../tasks/results.ts';
import { createTaskTests, type TaskTests } from '../tasks/tests.ts';
import type { Doers } from '../tasks/work-kind.ts';
import type { Reminders } from '../tools/reminders/reminders.ts';
import { findInstance } from '../workflows/instance-store.ts';
import type { Workflows } from '../workflows/workflows.ts';
import type { Agent } from './agent.ts';
import type { ConfigStore } from './config.ts';
import type { Live } from './live.ts';
import type { TaskPermissions } from './task-permissions.ts';
import type { Work } from './work.ts';

export interface TaskWorkDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly config: Pick<ConfigStore, 'get'>;
	readonly live: Pick<Live, 'announce'>;
	readonly inspector: Inspector;
	readonly hold: Pick<HoldPort, 'hold'>;
	readonly witness: Pick<Witness, 'gone'>;
	readonly work: Pick<Work, 'zone'>;
	readonly agent: Pick<Agent, 'engine' | 'workspace' | 'workflows' | 'unattendedTools' | 'isSetUp'>;
	readonly reminders: Pick<Reminders, 'setNow' | 'changed'>;
	readonly permissions: Pick<TaskPermissions, 'permit'>;
}

/** What tasks are for, as it is done, tried and told. */
export interface TaskWorkParts {
	readonly doers: Doers;
	readonly deliver: DeliverResult;
	readonly tests: TaskTests;
	/** Throws a HearthError for what could never be done. */
	readonly check: (draft: TaskDraft) => void;
}

export function createTaskWork(deps: TaskWorkDeps): TaskWorkParts {
	const { db, config, live, agent, reminders, permissions, witness } = deps;
	const { zone } = deps.work;
	const model = () => config.get().models.background ?? undefined;
	const check = createCheckWork({
		tools: () => agent.unattendedTools().map(({ name }) => name),
		isSetUp: agent.isSetUp,
		checkWorkflow: (name, data, { event }) => {
			const extra = event ? { name: EVENT_INPUT, value: null, label: 'external' as const } : undefined;
			return agent.workflows.check({ name: nameOf(name), data, extra }).definition;
		},
		checkState: (workflow, state) => agent.workflows.checkState(nameOf(workflow), state),
		isSource: (id) => listSources(db.read).some((source) => source.id === id),
		now: () => deps.clock.now(),
	});
	return {
		doers: {
			prompt: createPromptDoer({ db: db.read, engine: agent.engine, model, zone }),
			workflow: createWorkflowDoer({ db: db.read, logger: deps.logger, workflows: workflowPort(db, agent.workflows) }),
			reminder: reminderDoer({
				remind: (tx, { key, ...words }) => reminders.setNow(tx, { ...words, stepKey: key }),
				told: reminders.changed,
			}),
		},
		deliver: createDeliverResult({ ...deps, announce: live.announce, workspace: agent.workspace, zone }),
		tests: createTaskTests({
			...deps,
			engine: agent.engine,
			model,
			zone,
			check,
			permit: permissions.permit,
			gone: (runIds) => witness.gone(runIds),
		}),
		check,
	};
}

/** What fired a task is given to a workflow that asks for an input of this name. */
const EVENT_INPUT = 'event';

function workflowPort(db: StateDb, workflows: Workflows): WorkflowPort {
	return {
		startIn: (tx, { name, event, ...input }) =>
			workflows.startIn(tx, { ...input, name: nameOf(name), extra: event && { name: EVENT_INPUT, ...event } }),
		look: (id) => workflows.look(id),
		retry: (id) => workflows.retry(id),
		stop: (id) => workflows.stop(id),
		find: (id) => (findInstance(db.read, id) ? workflows.get(id) : undefined),
	};
}

function nameOf(name: string): WorkflowName {
	const found = WorkflowName.safeParse(name);
	if (found.success) return found.data;
	throw terminal('invalid_input', `“${name}” can’t be the name of a workflow.`, { safe: 'Nothing was changed.' });
}
