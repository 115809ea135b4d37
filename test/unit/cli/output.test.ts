import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../../src/cli/exit-codes.ts';
import { createOutput, printable, table } from '../../../src/cli/output.ts';
import { needsOwner, retryable, terminal } from '../../../src/domain/errors.ts';

function sink(): Writable & { text: string } {
	const stream = new Writable({
		write(chunk: Buffer, _encoding, done) {
			(stream as Writable & { text: string }).text += chunk.toString();
			done();
		},
	}) as Writable & { text: string };
	stream.text = '';
	return stream;
}

describe('what a terminal is shown', () => {
	test('S4 a model’s words can’t drive the terminal', () => {
		expect(printable('a\u001b[2J\u001b]0;title\u0007b')).toBe('a␛[2J␛]0;title␇b');
		expect(printable('safe\u202Etxt.exe')).toBe('safe\uFFFDtxt.exe');
		expect(printable('\u009b31m')).toBe('\uFFFD31m');
		expect(printable('over\rwritten')).toBe('over␍written');
		expect(printable('line\r\nline\n\ttab 漢字 🙂')).toBe('line\nline\n\ttab 漢字 🙂');
	});

	test('rows stand in columns', () => {
		expect(
			table([
				['A', 'LONG', 'x'],
				['BBB', 'y', 'z'],
			]),
		).toBe('A    LONG  x\nBBB  y     z');
	});
});

describe('with --json', () => {
	test('standard output holds one value, errors too, and remarks nowhere', () => {
		const [stdout, stderr] = [sink(), sink()];
		const output = createOutput(true, stdout, stderr);
		output.note('remark');
		output.piece('piece');
		output.result({ a: '\u001b' }, 'text');
		output.error(terminal('not_found', 'Nothing there.').shape);
		expect(stdout.text).toBe('{"a":"\\u001b"}\n{"error":{"kind":"terminal","code":"not_found","message":"Nothing there."}}\n');
		expect(stderr.text).toBe('');
	});

	test('without it people read the text, and errors on standard error in three lines', () => {
		const [stdout, stderr] = [sink(), sink()];
		const output = createOutput(false, stdout, stderr);
		output.line({ a: 1 });
		output.result({ a: 1 }, 'text');
		output.error(needsOwner('conflict', 'What.', { safe: 'Safe.', action: 'Do.' }).shape);
		expect(stdout.text).toBe('text\n');
		expect(stderr.text).toBe('What.\nSafe.\nDo.\n');
	});
});

test('the exit code follows from the kind of error', () => {
	expect(exitCodeOf(terminal('internal', 'x').shape)).toBe(1);
	expect(exitCodeOf(retryable('model_timeout', 'x').shape)).toBe(1);
	expect(exitCodeOf(terminal('invalid_input', 'x').shape)).toBe(2);
	expect(exitCodeOf(needsOwner('profile_locked', 'x').shape)).toBe(3);
});
