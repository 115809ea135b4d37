import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { needsOwner } from '../domain/errors.ts';

/** A person is at the terminal: both ends are one. A tool that runs this command has no such thing. */
export function atTerminal(): boolean {
	return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Asks on standard error, so that the result on standard output stays clean. Empty for no answer; rejects where nobody can answer. */
export async function ask(question: string, options: { hidden?: boolean } = {}): Promise<string> {
	if (!atTerminal()) {
		throw needsOwner('unauthorised', 'This needs an answer from you at a terminal.', {
			safe: 'Nothing was changed.',
			action: 'Run the command in a terminal, not from a script.',
		});
	}
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	if (options.hidden) process.stderr.write(question);
	const lines = createInterface({ input: process.stdin, output: options.hidden ? silent : process.stderr, terminal: true });
	// Ctrl-C and Ctrl-D close it: that is no answer.
	const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
	try {
		return await Promise.race([lines.question(options.hidden ? '' : question), closed]);
	} finally {
		lines.close();
		if (options.hidden) process.stderr.write('\n');
	}
}

export async function confirm(question: string): Promise<boolean> {
	return /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}
