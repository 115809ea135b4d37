import { newId } from '../../base/ids.ts';
import type { HearthClient } from '../../contract/contract.ts';
import type { RestoreRecord } from '../../contract/methods/runs.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { RunId } from '../../domain/ids.ts';
import type { EventName, RunKind, RunStatus, RunSummary } from '../../domain/run.ts';
import { atTerminal, confirm } from '../ask.ts';
import { allAtRest, atWork, workNotes } from '../at-work.ts';
import { type CommandContext, when } from '../context.ts';
import { withKeys } from '../door.ts';
import { eventPayload, type WhoseWords } from '../event-payload.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine } from '../memory-text.ts';
import { printable, table } from '../output.ts';
import { followReply } from '../reply.ts';
import { previewText, runText, stateText, statusText, stepText } from '../run-text.ts';
import { showReply } from '../show-reply.ts';
import { parseModel } from './models.ts';

const OVER: readonly RunStatus[] = ['interrupted', 'done', 'failed', 'stopped'];

export interface ListOptions {
	readonly status?: RunStatus[];
	readonly kind?: RunKind[];
	readonly limit?: number;
}

export async function listRuns(context: CommandContext, { status, kind, limit = 50 }: ListOptions): Promise<number> {
	const { rpc, output } = context;
	const { runs } = await rpc.runs.list({ status, kind, limit: Math.min(limit, 500) });
	const now = await atWork(context);
	const rows = runs.map((run) => [run.id, when(run.createdAt), statusText(run, now), `${run.step}`, oneLine(run.title, 80)]);
	const none = status || kind ? 'There is no such run.' : 'There is no run yet.';
	const text = rows.length > 0 ? table([['ID', 'BEGAN', 'STATE', 'STEP', 'WHAT'], ...rows]) : none;
	const notes = workNotes(
		now,
		runs.some((run) => !OVER.includes(run.status)),
	);
	output.result(runs, [text, ...notes].join('\n\n'));
	return EXIT.ok;
}

export async function showRun(context: CommandContext, id: string, options: { step?: number }): Promise<number> {
	const { rpc, output } = context;
	const { id: runId } = await findRun(rpc, id);
	if (options.step === undefined) {
		const detail = await rpc.runs.get({ runId });
		const now = await atWork(context);
		output.result(detail, [runText(detail, now), ...workNotes(now, !OVER.includes(detail.run.status))].join('\n\n'));
	} else {
		const detail = await rpc.runs.step({ runId, step: options.step });
		output.result(detail, stepText(detail));
	}
	return EXIT.ok;
}

export async function showState({ rpc, output }: CommandContext, id: string, options: { step?: number }): Promise<number> {
	const { id: runId } = await findRun(rpc, id);
	const state = await rpc.runs.state({ runId, step: options.step ?? (await newestCheckpoint(rpc, runId)) });
	output.result(state, stateText(state));
	return EXIT.ok;
}

/** Goes on with a run that is interrupted, failed or stopped, and shows the rest of its reply. */
export async function resumeRun(context: CommandContext, id: string, options: { retry?: boolean }): Promise<number> {
	const { id: runId } = await findRun(context.rpc, id);
	const run = await withKeys(context.door, () => context.rpc.runs.resume({ runId, how: options.retry ? 'retry' : 'continue' }));
	return showRest(context, run);
}

export interface RestoreOptions {
	readonly step?: number;
	readonly chat?: boolean;
	readonly files?: boolean;
	readonly allFiles?: boolean;
	readonly memory?: boolean;
	readonly undo?: boolean;
	readonly yes?: boolean;
}

/** Puts back what is chosen, after a list of it and of the effects that stay. Asks first. */
export async function restoreRun({ rpc, output }: CommandContext, id: string, options: RestoreOptions): Promise<number> {
	const { id: runId } = await findRun(rpc, id);
	if (options.undo) return undoRestore({ rpc, output }, runId, options.yes ?? false);
	if (options.step === undefined)
		throw terminal('invalid_input', 'Which step?', { action: `Name it with --step. See: hearth runs show ${runId}` });
	const place = { runId, step: options.step };
	const preview = await rpc.runs.restorePreview(place);
	if (preview.notNow) {
		const { error, runId: open, instanceId } = preview.notNow;
		const stop = instanceId === undefined ? `runs cancel ${open}` : `workflows stop ${instanceId}`;
		throw terminal('conflict', error.message, { safe: error.safe, action: `Stop it first: hearth ${stop}` });
	}
	const all = !options.chat && !options.files && !options.allFiles && !options.memory;
	const wanted = options.files || all ? 'safe' : 'no';
	const ticked = {
		chat: options.chat ?? (all && preview.chat.possible),
		files: options.allFiles ? ('all' as const) : (wanted as 'safe' | 'no'),
		memory: options.memory ?? all,
	};
	const text = previewText(preview, ticked);
	if (!options.yes && !(await agreed('Restoring changes what is there', text, 'Restore this?'))) {
		output.result({ restored: false }, 'Left as it is.');
		return EXIT.ok;
	}
	const record = await rpc.runs.restore({ ...place, ...ticked, requestId: newId<string>() });
	const next = record.newRunId === undefined ? '' : ` Go on from there with: hearth runs resume ${record.newRunId}`;
	output.result(
		record,
		[`Restored to step ${place.step}.${next}`, ...leftText(record), `Take it back with: hearth runs restore ${runId} --undo`].join('\n'),
	);
	return EXIT.ok;
}

async function undoRestore({ rpc, output }: Pick<CommandContext, 'rpc' | 'output'>, runId: RunId, yes: boolean): Promise<number> {
	const [newest] = (await rpc.runs.get({ runId })).restores.filter(({ undoneAt }) => undoneAt === undefined);
	if (!newest) throw terminal('not_found', 'There is no restore of this run that could be undone.', { safe: 'Nothing was changed.' });
	const text = `The restore to step ${newest.place.step}, ${when(newest.at)}, would be taken back.`;
	if (!yes && !(await agreed('Undoing a restore changes what is there', text, 'Undo it?'))) {
		output.result({ undone: false }, 'Left as it is.');
		return EXIT.ok;
	}
	const record = await rpc.runs.undoRestore({ restoreId: newest.id });
	output.result(record, ['Taken back.', ...leftText(record)].join('\n'));
	return EXIT.ok;
}

export async function forkRun(
	context: CommandContext,
	id: string,
	options: { step?: number; text?: string; model?: string },
): Promise<number> {
	const { rpc, output } = context;
	const { id: runId } = await findRun(rpc, id);
	if (options.step === undefined)
		throw terminal('invalid_input', 'After which step?', { action: `Name it with --step. See: hearth runs show ${runId}` });
	const forked = await rpc.runs.fork({
		runId,
		step: options.step,
		text: options.text,
		model: options.model === undefined ? undefined : parseModel(options.model),
		requestId: newId<string>(),
	});
	output.note(`Goes on in a chat of its own: ${forked.sessionId}, run ${forked.runId}`);
	return showRest(context, (await rpc.runs.get({ runId: forked.runId })).run);
}

export async function cancelRun(context: CommandContext, id: string): Promise<number> {
	const { rpc, output } = context;
	const before = await findRun(rpc, id);
	if (OVER.includes(before.status)) {
		output.result(before, `There was nothing to stop: it is ${before.status} already.`);
		return EXIT.failed;
	}
	await rpc.chat.stop({ runId: before.id });
	const { run } = await rpc.runs.get({ runId: before.id });
	const stopped = run.status === 'stopped';
	output.result(run, stopped ? 'Stopped. What it did so far is kept.' : `It is ${statusText(run, await atWork(context))}.`);
	return EXIT.ok;
}

/** Ends one command under way; the run goes on. `callId`: where left out, the only one that is running. */
export async function stopCall({ rpc, output }: CommandContext, id: string, callId: string | undefined): Promise<number> {
	const run = await findRun(rpc, id);
	const { messages } = await rpc.sessions.messages({ sessionId: run.sessionId, limit: 100 });
	const parts = messages.find((message) => message.runId === run.id)?.parts ?? [];
	const running = parts.flatMap((part) => (part.type === 'tool' && part.status === 'running' ? [part.callId] : []));
	const [only] = running;
	if (callId === undefined && (only === undefined || running.length > 1))
		throw terminal(
			'not_found',
			only === undefined ? 'No call of that run is under way.' : `More than one is under way: ${running.join(', ')}. Name one.`,
		);
	await rpc.runs.stopCall({ runId: run.id, callId: callId ?? only ?? '' });
	output.result({ runId: run.id, callId: callId ?? only }, 'Stopped. The run goes on.');
	return EXIT.ok;
}

/** Tells all that waits for an event. `payload`: JSON, or else a text. */
export async function signalRuns(
	{ rpc, door, output }: CommandContext,
	name: EventName,
	payload: string | undefined,
	whose: WhoseWords,
): Promise<number> {
	const told = await rpc.runs.signal({ name, ...eventPayload(payload, whose) });
	if (door.own) await allAtRest(rpc);
	output.result(told, told.woken === 0 ? 'Nothing waits for that.' : `Told: ${told.woken} that waited for it.`);
	return told.woken === 0 ? EXIT.failed : EXIT.ok;
}

/** A run by its id, the unique beginning of one, or `last`. */
export async function findRun(rpc: HearthClient, given: string): Promise<RunSummary> {
	if (given.length === 36) return (await rpc.runs.get({ runId: given as RunId })).run;
	const { runs } = await rpc.runs.list({ limit: 500 });
	const matches = given === 'last' ? runs.slice(0, 1) : given === '' ? [] : runs.filter((run) => run.id.startsWith(given));
	if (matches.length === 1 && matches[0]) return matches[0];
	throw terminal('not_found', matches.length > 1 ? `“${given}” fits ${matches.length} runs.` : `There is no run “${given.slice(0, 80)}”.`, {
		action: 'List them with: hearth runs list',
	});
}

async function newestCheckpoint(rpc: HearthClient, runId: RunId): Promise<number> {
	const { steps } = await rpc.runs.get({ runId });
	return steps.findLast(({ checkpoint }) => checkpoint)?.step ?? 0;
}

async function showRest({ rpc, output }: CommandContext, run: RunSummary): Promise<number> {
	const message = await showReply(rpc, output, run.sessionId, followReply(run.messageId));
	output.piece('\n');
	output.line({ type: 'done', run: (await rpc.runs.get({ runId: run.id })).run });
	if (message.status === 'waiting') output.note('It waits. See: hearth needs list');
	if (message.status === 'complete') return EXIT.ok;
	return message.status === 'waiting' ? EXIT.needsOwner : EXIT.failed;
}

async function agreed(what: string, text: string, question: string): Promise<boolean> {
	if (!atTerminal())
		throw needsOwner('conflict', `${what}, so it asks first, and nobody is there to answer.`, {
			safe: 'Nothing was changed.',
			action: 'Run it in a terminal, or add --yes.',
		});
	process.stderr.write(`${printable(text)}\n\n`);
	return confirm(question);
}

function leftText({ left }: RestoreRecord): string[] {
	return left.map(({ what, why }) => `Left: ${oneLine(what)} (${why})`);
}
