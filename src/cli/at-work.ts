import { setTimeout as sleep } from 'node:timers/promises';
import type { HearthClient } from '../contract/contract.ts';
import type { WorkStatus } from '../contract/methods/runs.ts';
import { usedBudgetOf, usedBudgets } from '../contract/used-budget.ts';
import type { RunKind, RunSummary } from '../domain/run.ts';
import type { BudgetName } from '../domain/spending.ts';
import { when } from './context.ts';
import type { Door } from './door.ts';

/** Whether what is unfinished goes on by itself now, and in words why not. */

/** How often it looks whether all is at rest. */
const LOOK_MS = 50;
/** Runs and instances come after one another: both lists are asked until neither names one at work. */
const MOST_INSTANCES = 1000;

/** Where this command is the runtime, what it took up goes on only as long as it stays: until each waits, is held, or is over. */
export async function allAtRest(rpc: HearthClient): Promise<void> {
	for (;;) {
		const work = await rpc.work.status();
		const { runs } = await rpc.runs.list({ status: ['running'], limit: 500 });
		// Chats go on while the rest is held.
		if (work.paused || work.held) {
			if (!runs.some(({ kind }) => kind === 'chat')) return;
		} else if (!(await someGoOn(rpc, work, runs)) && (work.nextDueAt === undefined || work.nextDueAt > Date.now())) {
			const { instances } = await rpc.workflows.instances({ limit: MOST_INSTANCES });
			if (usedBudgetOf(work, 'workflow') || !instances.some(({ status }) => status === 'running')) return;
		}
		await sleep(LOOK_MS);
	}
}

/** Not all of them are kept by a budget of the day. */
async function someGoOn(rpc: HearthClient, work: WorkStatus, runs: readonly RunSummary[]): Promise<boolean> {
	for (const run of runs) if (!isHeldByBudget(work, await rootOf(rpc, run))) return true;
	return false;
}

/** A chat whose budget is used up ends with an error; nothing holds it. */
function isHeldByBudget(work: WorkStatus, { kind }: Pick<RunSummary, 'kind'>): boolean {
	return kind !== 'chat' && usedBudgetOf(work, kind) !== undefined;
}

async function rootOf(rpc: HearthClient, { parentRunId, ...run }: RunSummary): Promise<Pick<RunSummary, 'kind'>> {
	return parentRunId === undefined ? run : rootOf(rpc, (await rpc.runs.get({ runId: parentRunId })).run);
}

/** What is unfinished goes on by itself only where `nobody` is false and nothing is held. */
export interface AtWork {
	/** No Hearth runs that would drive it: this command only looks. */
	readonly nobody: boolean;
	readonly work: WorkStatus;
}

export async function atWork({ door, rpc }: { door: Pick<Door, 'own'>; rpc: HearthClient }): Promise<AtWork> {
	return { nobody: door.own, work: await rpc.work.status() };
}

/** In place of `running`; undefined where it is at work. `kind`: Pause all, hours and budgets hold all but chats, and what those delegated. */
export function whyNotAtWork({ nobody, work }: AtWork, kind: RunKind): string | undefined {
	const isHeld = kind !== 'chat' && kind !== 'child';
	if (isHeld && work.paused) return 'held by Pause all';
	if (nobody) return 'goes on when Hearth runs';
	const until = isHeld ? (work.held ?? usedBudgetOf(work, kind))?.until : undefined;
	return until === undefined ? undefined : `held until ${when(until)}`;
}

const HOW = 'start the app or `hearth web`, or do what is due now: hearth work resume';

/** Lines below what is shown; `open`: something of it is unfinished. */
export function workNotes({ nobody, work }: AtWork, open: boolean): string[] {
	if (work.paused) return [pausedText(work)];
	const notes = [...(work.held ? [heldText(work.held)] : []), ...budgetNotes(work)];
	if (notes.length > 0) return notes;
	return nobody && open ? [`Hearth does not run now, so nothing goes on by itself: ${HOW}`] : [];
}

export function pausedText({ pausedAt, restoredFrom }: WorkStatus): string {
	if (restoredFrom !== undefined)
		return `This profile was restored from a back-up of ${when(restoredFrom)}, so nothing runs by itself yet: it would run here too what the profile it is of runs. Let it go on with: hearth work resume`;
	const since = pausedAt === undefined ? '' : ` since ${when(pausedAt)}`;
	return `Pause all is on${since}: only chats go on. Take it back with: hearth work resume`;
}

export function heldText({ why, until }: NonNullable<WorkStatus['held']>): string {
	return `${why === 'active_hours' ? 'Outside the active hours' : `The day’s budget for ${BUDGET_OF.unattended} is used up`}: only chats go on until ${when(until)}.`;
}

/** Budgets of one kind that are used up. */
export function budgetNotes(work: Pick<WorkStatus, 'budgets'>): string[] {
	return usedBudgets(work)
		.filter(({ budget }) => budget !== 'unattended')
		.map(({ budget, until }) => {
			const then = budget === 'chat' ? 'no reply is made' : 'they are held';
			return `The day’s budget for ${BUDGET_OF[budget]} is used up: ${then} until ${when(until)}. Raise it with: hearth work budget ${budget}`;
		});
}

export const BUDGET_OF: Record<BudgetName, string> = {
	unattended: 'all that goes on by itself',
	chat: 'chats',
	heartbeat: 'looks at sources',
	task: 'tasks',
	workflow: 'workflows',
};
