import type { HearthClient } from '../../contract/contract.ts';
import type { TasksStatus } from '../../contract/methods/tasks.ts';
import type { Occurrence } from '../../domain/task.ts';
import { confirm } from '../ask.ts';
import { pausedText } from '../at-work.ts';
import { type CommandContext, dueText, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { everyTask, findOccurrence, findTask } from '../find-task.ts';
import { oneLine } from '../memory-text.ts';
import { table } from '../output.ts';
import { shortIds } from '../short-ids.ts';
import { occurrenceTable, occurrenceText, slotText, stateText, taskTable, waitsText } from '../task-text.ts';

const LOOK_MS = 100;
/** Longest wait for the place of a result. */
const PLACED_MS = 5_000;
const SHOWN_RUNS = 5;
const YEAR_MS = 366 * 86_400_000;

export async function listTasks({ rpc, door, output }: CommandContext): Promise<number> {
	const { tasks, status } = await everyTask(rpc);
	const work = await rpc.work.status();
	const lines = [
		tasks.length > 0 ? taskTable(tasks) : 'There is no task yet. Make one with: hearth tasks add "every weekday at 9 …"',
		...(work.paused ? [pausedText(work)] : []),
		...missedLines(status),
		...(door.own && status.on > 0 ? [NOBODY] : []),
	];
	output.result({ tasks, status }, lines.join('\n\n'));
	return EXIT.ok;
}

const NOBODY = 'Hearth does not run now, so no task does: start the app, or `hearth serve`.';

function missedLines({ missed, needOwner }: TasksStatus): string[] {
	if (missed === 0 && needOwner === 0) return [];
	return [
		missed === 0
			? 'A task needs you: hearth tasks show ID'
			: `${missed === 1 ? 'One run was' : `${missed} runs were`} missed: hearth tasks history`,
	];
}

export async function showTask({ rpc, output }: CommandContext, given: string): Promise<number> {
	const task = await findTask(rpc, given);
	const now = Date.now();
	const [{ runs }, { occurrences }] = await Promise.all([
		rpc.tasks.coming({ from: now, to: now + YEAR_MS, taskId: task.id, limit: SHOWN_RUNS }),
		rpc.tasks.history({ taskId: task.id, limit: SHOWN_RUNS }),
	]);
	const { id, draft, restated, zone, problem, missed } = task;
	const text = [
		`${draft.title} (${id})`,
		restated,
		`State: ${stateText(task)}. Times are those of ${zone}.`,
		...(problem ? [`It stopped: ${problem.message} ${problem.action ?? ''}\nThen go on with: hearth tasks resume ${id}`] : []),
		...(runs.length > 0 ? ['The next runs:', ...runs.map(({ slot }) => `  ${slotText(slot)}`)] : [waitsText(draft)]),
		...(missed.length > 0 ? ['Missed, and not seen to (hearth tasks decide RUN, or skip RUN):', occurrenceTable(missed)] : []),
		...(occurrences.length > 0 ? ['The last runs:', occurrenceTable(occurrences)] : []),
	];
	output.result({ task, coming: runs, history: occurrences }, text.join('\n'));
	return EXIT.ok;
}

/** Now, whatever the hour, and stays until it is over or waits. */
export async function runTask(context: CommandContext, given: string): Promise<number> {
	const { id } = await findTask(context.rpc, given);
	return follow(context, await context.rpc.tasks.run({ taskId: id }));
}

export async function pauseTask({ rpc, output }: CommandContext, given: string, { until }: { until?: number }): Promise<number> {
	const { id } = await findTask(rpc, given);
	const task = await rpc.tasks.pause({ taskId: id, ...(until !== undefined && { until }) });
	output.result(task, `“${task.draft.title}” is ${stateText(task)}. Go on with: hearth tasks resume ${id}`);
	return EXIT.ok;
}

export async function resumeTask({ rpc, output }: CommandContext, given: string): Promise<number> {
	const { id } = await findTask(rpc, given);
	const task = await rpc.tasks.resume({ taskId: id });
	output.result(task, `“${task.draft.title}” goes on.${task.next ? ` The next run is due ${dueText(task.next.dueAt)}.` : ''}`);
	return EXIT.ok;
}

export async function removeTask({ rpc, output }: CommandContext, given: string, { yes }: { yes?: boolean }): Promise<number> {
	const { id, draft } = await findTask(rpc, given);
	if (!yes && !(await confirm(`Remove “${draft.title}” with its history and what it was permitted?`))) {
		output.result({ removed: false }, 'Left as it is.');
		return EXIT.needsOwner;
	}
	await rpc.tasks.remove({ taskId: id });
	output.result({ removed: true, taskId: id }, `Removed: ${draft.title}`);
	return EXIT.ok;
}

export async function taskHistory(
	{ rpc, output }: CommandContext,
	given: string | undefined,
	{ limit = 50 }: { limit?: number },
): Promise<number> {
	const task = given === undefined ? undefined : await findTask(rpc, given);
	const found = await rpc.tasks.history({ ...(task && { taskId: task.id }), limit });
	const more = found.hasMore ? '\n\nThere are older ones: --limit shows more.' : '';
	output.result(
		found,
		found.occurrences.length > 0 ? `${occurrenceTable(found.occurrences)}${more}` : 'Nothing ran yet, and nothing was missed.',
	);
	return EXIT.ok;
}

/** Of one that was missed, asks, or failed. */
export async function decideRun(context: CommandContext, given: string, how: 'run' | 'skip'): Promise<number> {
	const { id } = await findOccurrence(context.rpc, given);
	const decided = await context.rpc.tasks.decide({ occurrenceId: id, how });
	if (how === 'run') return follow(context, decided);
	context.output.result(decided, `“${decided.title}” of ${when(decided.slot)}: done with.`);
	return EXIT.ok;
}

export async function stopRun({ rpc, output }: CommandContext, given: string): Promise<number> {
	const { id } = await findOccurrence(rpc, given);
	const stopped = await rpc.tasks.stop({ occurrenceId: id });
	output.result(stopped, occurrenceText(stopped));
	return EXIT.ok;
}

/** What comes, as of a time. */
export async function comingRuns(
	{ rpc, output }: CommandContext,
	{ at, limit = 10, task }: { at?: number; limit?: number; task?: string },
): Promise<number> {
	const from = at ?? Date.now();
	const only = task === undefined ? undefined : await findTask(rpc, task);
	const coming = await rpc.tasks.coming({ from, to: from + YEAR_MS, limit, ...(only && { taskId: only.id }) });
	const short = shortIds(coming.runs.map(({ taskId }) => taskId));
	const rows = coming.runs.map(({ taskId, title, slot }) => [slotText(slot), slot.zone, short(taskId), oneLine(title, 80)]);
	const work = await rpc.work.status();
	const text = rows.length > 0 ? table([['WHEN', 'ZONE', 'ID', 'TASK'], ...rows]) : `Nothing comes within a year of ${when(from)}.`;
	output.result(coming, work.paused ? `${text}\n\n${pausedText(work)}` : text);
	return EXIT.ok;
}

async function follow({ rpc, output }: CommandContext, begun: Occurrence): Promise<number> {
	const over = await untilPlaced(rpc, await untilOver(rpc, begun));
	output.result(over, occurrenceText(over));
	if (over.state === 'done') return EXIT.ok;
	return over.state === 'running' || over.state === 'queued' ? EXIT.needsOwner : EXIT.failed;
}

/** Its result comes to its place after its end, and not at once where the disk is slow. */
async function untilPlaced(rpc: HearthClient, over: Occurrence): Promise<Occurrence> {
	const { draft } = await rpc.tasks.get({ taskId: over.taskId });
	if (over.state !== 'done' || draft.work.kind !== 'prompt') return over;
	for (const deadline = Date.now() + PLACED_MS; ; await new Promise((resolve) => setTimeout(resolve, LOOK_MS))) {
		const now = (await latest(rpc, over)) ?? over;
		if (now.result || now.error || Date.now() > deadline) return now;
	}
}

async function latest(rpc: HearthClient, { taskId, id }: Occurrence): Promise<Occurrence | undefined> {
	const { occurrences } = await rpc.tasks.history({ taskId, limit: 50 });
	return occurrences.find((each) => each.id === id);
}

/** As it stands when it is over, or can't go on without the owner or another time. */
async function untilOver(rpc: HearthClient, begun: Occurrence): Promise<Occurrence> {
	for (;;) {
		const now = (await latest(rpc, begun)) ?? begun;
		if (now.state !== 'running' && now.state !== 'queued') return now;
		const { state } = await rpc.tasks.get({ taskId: begun.taskId });
		const { paused } = await rpc.work.status();
		if (paused || state === 'waiting' || state === 'blocked' || now.nextTryAt !== undefined) return now;
		await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
	}
}
