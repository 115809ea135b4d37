import type { HearthClient } from '../../contract/contract.ts';
import { needsOwner, terminal } from '../../domain/errors.ts';
import type { Interrupt, InterruptAnswer } from '../../domain/run.ts';
import { ask, atTerminal } from '../ask.ts';
import { type CommandContext, when } from '../context.ts';
import { EXIT } from '../exit-codes.ts';
import { type Output, printable } from '../output.ts';
import { followReply } from '../reply.ts';
import { showReply } from '../show-reply.ts';

export async function listNeeds({ rpc, output }: CommandContext): Promise<number> {
	const open = (await rpc.chat.interrupts({})).filter((interrupt) => interrupt.status === 'open');
	output.result(open, open.length > 0 ? open.map(describeNeed).join('\n\n') : 'Nothing waits for you.');
	return EXIT.ok;
}

/**
 * The owner's word on what a run waits for. Only at a terminal, after the whole of it was shown there: a script, a tool or
 * a model's output can't answer (product.md, "One owner per folder, many doors"; B3).
 */
export async function answerNeed({ rpc, door, output }: CommandContext, id: string): Promise<number> {
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
	const answered = await askAndAnswer(rpc, interrupt);
	// Where this command is the runtime, the run can go on only as long as it stays.
	if (answered && door.own) await showRest(rpc, output, answered);
	output.result(answered ?? { answered: false }, answered ? 'Answered. The run goes on.' : 'Left as it is; it goes on waiting.');
	return answered ? EXIT.ok : EXIT.needsOwner;
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
export function describeNeed(interrupt: Interrupt): string {
	const { detail } = interrupt;
	const head = `${interrupt.id}  ${when(interrupt.createdAt)}`;
	switch (detail.kind) {
		case 'approval':
			return [
				head,
				`May it run ${named(detail)} (${detail.effect})? ${detail.reason}`,
				`Trust label: ${detail.label}. Rule: ${detail.rule}.`,
				JSON.stringify(detail.args, null, 2),
			].join('\n');
		case 'question':
			return `${head}\n${detail.question}${detail.choices ? `\n  ${detail.choices.join('\n  ')}` : ''}`;
		case 'did_it_happen':
			return `${head}\nHearth was killed while ${named(detail)} was under way (since ${when(detail.startedAt)}). Did it happen?${detail.found === undefined ? '' : ` ${detail.found}`}\n${JSON.stringify(detail.args, null, 2)}`;
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

async function askFor(interrupt: Interrupt): Promise<InterruptAnswer | undefined> {
	switch (interrupt.detail.kind) {
		case 'approval': {
			const word = (await ask('Type “approve” to let it run once, “reject”, or “stop”; Enter leaves it waiting: ')).trim().toLowerCase();
			if (word === 'approve' || word === 'stop') return { type: word };
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
