import { terminal } from '../domain/errors.ts';

/** As much as one entry may be; standard input may have no end. */
const MOST_CHARACTERS = 20_000;

/** The text of a command: its words, or standard input where they are `-` or left out and something is piped in. */
export async function givenText(words: readonly string[]): Promise<string> {
	const fromInput = words.length === 0 || (words.length === 1 && words[0] === '-');
	if (fromInput && process.stdin.isTTY === true && words.length === 0) throw noText();
	const text = (fromInput ? await readInput() : words.join(' ')).trim();
	if (text === '') throw noText();
	if (text.length > MOST_CHARACTERS)
		throw terminal(
			'invalid_input',
			`That is longer than ${MOST_CHARACTERS.toLocaleString('en')} characters, the most that one entry can be.`,
			{
				safe: 'Nothing was changed.',
				action: 'Write it as several entries, or edit the file itself.',
			},
		);
	return text;
}

/** Standard input, or as much of it as any command takes. */
export async function readInput(): Promise<string> {
	let text = '';
	for await (const chunk of process.stdin.setEncoding('utf8')) {
		text += chunk;
		if (text.length > MOST_CHARACTERS * 2) break;
	}
	return text;
}

function noText() {
	return terminal('invalid_input', 'There is no text.', {
		safe: 'Nothing was changed.',
		action: 'Write it behind the command, or pipe it in.',
	});
}
