import type { ErrorShape } from '../domain/errors.ts';

/** Where a command writes. With `--json` standard output carries JSON and nothing else, errors included. */
export interface Output {
	readonly json: boolean;
	/** The command's result: `value` as JSON, or `text` for people. */
	result(value: unknown, text: string): void;
	/** One line of a stream of JSON values; nothing for people. */
	line(value: unknown): void;
	/** A piece of text for people, as it comes; nothing with `--json`. */
	piece(text: string): void;
	/** A remark beside the result, on standard error; nothing with `--json`. */
	note(text: string): void;
	error(error: ErrorShape): void;
}

export function createOutput(
	json: boolean,
	stdout: NodeJS.WritableStream = process.stdout,
	stderr: NodeJS.WritableStream = process.stderr,
): Output {
	return {
		json,
		result: (value, text) => {
			if (json) stdout.write(`${JSON.stringify(value)}\n`);
			else if (text !== '') stdout.write(text.endsWith('\n') ? printable(text) : `${printable(text)}\n`);
		},
		line: (value) => {
			if (json) stdout.write(`${JSON.stringify(value)}\n`);
		},
		piece: (text) => {
			if (!json) stdout.write(printable(text));
		},
		note: (text) => {
			if (!json) stderr.write(`${printable(text)}\n`);
		},
		error: (error) => {
			if (json) stdout.write(`${JSON.stringify({ error })}\n`);
			else stderr.write(`${printable([error.message, error.safe, error.action].filter(Boolean).join('\n'))}\n`);
		},
	};
}

/**
 * Text as a terminal may show it. A model's or a page's words could hold escape sequences that recolour, hide or retitle;
 * control characters are shown as the pictures of themselves (␛), line ends and tabs stay.
 */
export function printable(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this is about.
	return text.replaceAll('\r\n', '\n').replace(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g, (character) => {
		const code = character.charCodeAt(0);
		if (code < 0x20) return String.fromCharCode(0x2400 + code);
		return code === 0x7f ? '\u2421' : '\uFFFD';
	});
}

/** Rows in columns as wide as their longest cell; the last one is left as it is. */
export function table(rows: readonly (readonly string[])[]): string {
	const widths: number[] = [];
	for (const row of rows) {
		for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
	}
	return rows
		.map((row) => row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  '))
		.join('\n');
}
