import { setTimeout as sleep } from 'node:timers/promises';
import type { HearthClient } from '../../contract/contract.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { Interrupt, InterruptAnswer, InterruptDetail, RunSummary } from '../../domain/run.ts';
import type { WorkflowInstance } from '../../domain/workflow.ts';
import { ask, atTerminal } from '../ask.ts';
import { allAtRest, atWork, workNotes } from '../at-work.ts';
import { type CommandContext, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { oneLine } from '../memory-text.ts';
import { type Output, printable } from '../output.ts';
import { exactText, offerText, touchText } from '../permission-text.ts';
import { followReply } from '../reply.ts';
import { statusText } from '../run-text.ts';
import { showReply } from '../show-reply.ts';
import { cardText } from '../task-text.ts';
import { stateText } from './workflows.ts';

/** How long an answer may take to lead a workflow on in the running app, before it is said that it goes on. */
const PATIENCE_MS = 3000;
const LOOK_MS = 50;
const MOST_SHOWN = 200;
const WHOSE = { chat: 'Chat', workflow: 'Workflow', child: 'Sub-agent', heartbeat: 'Look', task: 'Task' } as const;

export async function listNeeds(context: CommandContext): Promise<number> {
	const { rpc, output } = context;
	const open = (await rpc.chat.interrupts({})).filter((interrupt) => interrupt.status === 'open');
	const now = await atWork(context);
	const { runs } = await rpc.runs.list({ status: ['running', 'sleeping'], limit: 1 });
	const asking = new Map((await rpc.runs.list({ status: ['waiting'], limit: MOST_SHOWN })).runs.map((run) => [run.id, run]));
	const text = open.length > 0 ? open.map((one) => describeNeed(one, asking.get(one.runId))) : ['Nothing waits for you.'];
	output.result(open, [...text, ...workNotes(now, runs.length > 0)].join('\n\n'));
	return EXIT.ok;
}

/**
 * The owner's word on what a run waits for. Only at a terminal, after the whole of it was shown there: a script, a tool or
 * a model's output can't answer (product.md, "One owner per folder, many doors"; B3).
 */
export async function answerNeed(context: CommandContext, id: string): Promise<number> {
	const { rpc, door, output } = context;
	if (!atTerminal()) {
		throw needsOwner('unauthorised', 'An answer is taken only from you, at a terminal or in the app.', {
			safe: 'It still waits, and nothing happened.',
			action: 'Run this command in a terminal, or answer in Hearth’s window.',
		});
	}
	const open = (await rpc.chat.interrupts({})).filter((interrupt) => interrupt.status === 'open');
	const matches = id === '' ? [] : open.filter((interrupt) => interrupt.id.startsWith(id));
	const interrupt = matches[0];
	if (!interrupt || matches.length > 1) {
		throw terminal(
			'not_found',
			matches.length > 1 ? `“${id}” fits ${matches.length} waiting things.` : `Nothing with the id “${id}” waits for you.`,
			{
				action: 'List them with: hearth needs list',
			},
		);
	}
	const before = await instanceOf(rpc, interrupt);
	const answered = await askAndAnswer(rpc, interrupt);
	if (!answered) {
		output.result({ answered: false }, 'Left as it is; it goes on waiting.');
		return EXIT.needsOwner;
	}
	// Where this command is the runtime, what the answer leads to goes on only as long as it stays.
	if (door.own) {
		await showRest(rpc, output, answered);
		await allAtRest(rpc);
	} else if (before) await movedOn(rpc, answered, before);
	return tellWhere(context, answered, before);
}

async function instanceOf(rpc: HearthClient, { runId }: Interrupt): Promise<WorkflowInstance | undefined> {
	const { instanceId } = (await rpc.runs.get({ runId })).run;
	return instanceId && rpc.workflows.instance({ instanceId });
}

async function movedOn(rpc: HearthClient, answered: Interrupt, before: WorkflowInstance): Promise<void> {
	for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(LOOK_MS)) {
		const instance = await instanceOf(rpc, answered);
		if (!instance || !isWhereItWas(instance, before)) return;
		if (instance.runId !== answered.runId && instance.status !== 'running') return;
	}
}

function isWhereItWas(instance: WorkflowInstance, before: WorkflowInstance): boolean {
	return instance.state === before.state && instance.history.at(-1)?.seq === before.history.at(-1)?.seq;
}

/** Where the answer led. What no way out is for is asked again: then it fails. */
async function tellWhere(context: CommandContext, answered: Interrupt, before: WorkflowInstance | undefined): Promise<number> {
	const { rpc, door, output } = context;
	const now = await atWork(context);
	const { run } = await rpc.runs.get({ runId: answered.runId });
	const instance = await instanceOf(rpc, answered);
	if (!instance || !before) {
		output.result(answered, door.own ? `Answered. The run is ${statusText(run, now)}.` : 'Answered. The run goes on.');
		return EXIT.ok;
	}
	if (isWhereItWas(instance, before) && instance.status === 'waiting' && instance.runId !== answered.runId) {
		const { detail } = answered;
		const choices = detail.kind === 'question' && detail.choices ? ` It takes: ${detail.choices.join(', ')}.` : '';
		throw terminal('conflict', 'That is no answer that leads on, so it is asked again.', {
			action: `Answer it anew; it has a new id: hearth needs list.${choices}`,
		});
	}
	const { title, state } = instance;
	output.result(answered, `Answered. “${title}” is in ${state}: ${stateText(instance, now)}.`);
	for (const note of workNotes(now, !['done', 'failed', 'stopped'].includes(instance.status))) output.note(note);
	return EXIT.ok;
}

/** Shows the whole of it at the terminal and takes the answer there; undefined where the owner left it waiting. */
export async function askAndAnswer(rpc: HearthClient, interrupt: Interrupt): Promise<Interrupt | undefined> {
	process.stderr.write(`${printable(describeNeed(interrupt))}\n\n`);
	const answer = await askFor(interrupt);
	return answer && rpc.chat.answer({ interruptId: interrupt.id, shownHash: interrupt.shownHash, answer });
}

async function showRest(rpc: HearthClient, output: Output, { sessionId, runId }: Interrupt): Promise<void> {
	const { messages } = await rpc.sessions.messages({ sessionId, limit: 500 });
	const message = messages.find((one) => one.runId === runId);
	if (!message) return;
	await showReply(rpc, output, sessionId, followReply(message.id));
	output.piece('\n');
}

/** All that an answer's hash stands for (`shownHashOf`): the owner answers what was shown, and nothing else (B3). */
export function describeNeed(interrupt: Interrupt, run?: RunSummary): string {
	const { detail } = interrupt;
	const head = `${interrupt.id}  ${when(interrupt.createdAt)}${run?.title ? `  ${WHOSE[run.kind]}: ${oneLine(run.title, 100)}` : ''}`;
	switch (detail.kind) {
		case 'approval':
			return [
				head,
				`May it run ${named(detail)} (${detail.effect})? ${detail.reason}`,
				`Trust label: ${detail.label}. Rule: ${detail.rule}.`,
				...(detail.card
					? [`It would make this task:\n${exactText(cardText(detail.card))}`]
					: detail.touches.map((touch) => `Touches: ${touchText(touch)}`)),
				...sourceLines(detail),
				...(detail.risk === 'none' ? [] : [`Detectors: risk ${detail.risk}${flagText(detail)}.`]),
				exactText(JSON.stringify(detail.args, null, 2)),
				...detail.offers.map((offer, at) => `${at + 1}. Could be permitted ${offerText(offer)}.`),
			].join('\n');
		case 'question':
			return `${head}\n${detail.question}${detail.choices ? `\n  ${detail.choices.join('\n  ')}` : ''}`;
		case 'did_it_happen':
			return `${head}\nHearth was killed while ${named(detail)} was under way (since ${when(detail.startedAt)}). Did it happen?${detail.found === undefined ? '' : ` ${detail.found}`}\n${exactText(JSON.stringify(detail.args, null, 2))}`;
		case 'timer':
			return `${head}\nWaits until ${when(detail.dueAt)}. ${detail.note}`;
		case 'event':
			return `${head}\nWaits for the event “${detail.name}”${detail.until === undefined ? '' : `, until ${when(detail.until)}`}. ${detail.note}`;
		case 'child':
			return `${head}\nWaits for the run ${detail.childRunId}: ${detail.task}`;
	}
}

function named({ tool, title }: { tool: string; title?: string | undefined }): string {
	return title === undefined ? tool : `${tool}, “${title}”,`;
}

/** What the step had read, least trusted first. */
function sourceLines({ sources }: Extract<InterruptDetail, { kind: 'approval' }>): string[] {
	return sources.map(({ kind, name, label }) => `Had read: ${kind} “${name}” (${label})`);
}

function flagText({ flags }: Extract<InterruptDetail, { kind: 'approval' }>): string {
	const kinds = [...new Set(flags.map(({ kind }) => kind.replaceAll('_', ' ')))];
	return kinds.length === 0 ? '' : ` (${kinds.join(', ')})`;
}

async function askFor(interrupt: Interrupt): Promise<InterruptAnswer | undefined> {
	switch (interrupt.detail.kind) {
		case 'approval': {
			const { offers } = interrupt.detail;
			const numbers = offers.length === 0 ? '' : `, its number to permit that, too (${offers.map((_, at) => at + 1).join(', ')})`;
			const word = (await ask(`Type “approve” to let it run once${numbers}, “reject”, or “stop”; Enter leaves it waiting: `))
				.trim()
				.toLowerCase();
			if (word === 'approve' || word === 'stop') return { type: word };
			const offer = offers.findIndex((_, at) => word === `${at + 1}`);
			if (offer >= 0) return { type: 'approve', offer };
			return word === 'reject' ? { type: 'reject' } : undefined;
		}
		case 'question': {
			const text = (await ask('Your answer (Enter leaves it waiting): ')).trim();
			return text === '' ? undefined : { type: 'reply', text };
		}
		case 'did_it_happen': {
			const word = (await ask('Type “happened”, “again” to run it again, “skip”, or “stop”; Enter leaves it waiting: '))
				.trim()
				.toLowerCase();
			if (word === 'happened') return { type: 'happened', result: '' };
			if (word === 'again') return { type: 'run_again' };
			return word === 'skip' || word === 'stop' ? { type: word } : undefined;
		}
		case 'timer':
		case 'event':
		case 'child': {
			const word = (await ask('Type “skip” to end the wait, or “stop”; Enter leaves it waiting: ')).trim().toLowerCase();
			return word === 'skip' || word === 'stop' ? { type: word } : undefined;
		}
	}
}
