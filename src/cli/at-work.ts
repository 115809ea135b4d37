import { setTimeout as sleep } from 'node:timers/promises';
import type { HearthClient } from '../contract/contract.ts';
import type { WorkStatus } from '../contract/methods/runs.ts';
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
		const { paused, held, nextDueAt } = await rpc.work.status();
		const { runs } = await rpc.runs.list({ status: ['running'], limit: 500 });
		// Chats go on while the rest is held.
		if (paused || held) {
			if (!runs.some(({ kind }) => kind === 'chat')) return;
		} else if (runs.length === 0 && (nextDueAt === undefined || nextDueAt > Date.now())) {
			const { instances } = await rpc.workflows.instances({ limit: MOST_INSTANCES });
			if (!instances.some(({ status }) => status === 'running')) return;
		}
		await sleep(LOOK_MS);
	}
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

/** In place of `running`; undefined where it is at work. `held`: Pause all, hours and budget are for it, as for all but chats. */
export function whyNotAtWork({ nobody, work }: AtWork, held: boolean): string | undefined {
	if (held && work.paused) return 'held by Pause all';
	if (nobody) return 'goes on when Hearth runs';
	return held && work.held ? `held until ${when(work.held.until)}` : undefined;
}

const HOW = 'start the app or `hearth web`, or do what is due now: hearth work resume';

/** Lines below what is shown; `open`: something of it is unfinished. */
export function workNotes({ nobody, work }: AtWork, open: boolean): string[] {
	if (work.paused) return [pausedText(work)];
	if (work.held) return [heldText(work.held)];
	return nobody && open ? [`Hearth does not run now, so nothing goes on by itself: ${HOW}`] : [];
}

export function pausedText({ pausedAt }: WorkStatus): string {
	const since = pausedAt === undefined ? '' : ` since ${when(pausedAt)}`;
	return `Pause all is on${since}: only chats go on. Take it back with: hearth work resume`;
}

export function heldText({ why, until }: NonNullable<WorkStatus['held']>): string {
	return `${why === 'active_hours' ? 'Outside the active hours' : 'The day’s budget is used up'}: only chats go on until ${when(until)}.`;
}
