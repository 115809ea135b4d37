import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repairSurrogates } from '../../../src/domain/text.ts';
import { endInWords, isFine, summaryOf } from '../../../src/tools/command-end.ts';
import { CommandOutput } from '../../../src/tools/command-output.ts';

const LIMITS = { head: 100, tail: 100, shown: 1_000, everyMs: 0 };

function outputOf(chunks: readonly (string | Buffer)[], limits = LIMITS): { kept: string; shown: string } {
	const pieces: string[] = [];
	const output = new CommandOutput((text) => void pieces.push(text), limits);
	for (const chunk of chunks) output.push(Buffer.from(chunk));
	return { kept: output.end(), shown: pieces.join('') };
}

test('text is text, wherever its pieces are cut: characters, colours, line ends', () => {
	const text = 'grün 😀 \u001B[1;31mred\u001B[0m \u001B]0;title\u0007end\r\nnext\u0008\n';
	const bytes = Buffer.from(text);
	for (let at = 0; at <= bytes.length; at++)
		expect(outputOf([bytes.subarray(0, at), bytes.subarray(at)])).toEqual({
			kept: 'grün 😀 red end\nnext\n',
			shown: 'grün 😀 red end\nnext\n',
		});
});

test('a line that is written over and over is what it was at last', () => {
	expect(outputOf(['10 %\r50 %\r100 %\ndone\n']).kept).toBe('100 %\ndone\n');
});

test('chat-4 of long output the head and the tail are kept, whole characters, and how much is left out', () => {
	fc.assert(
		fc.property(fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 30 }), (chunks) => {
			const whole = chunks.join('').replace(/[\p{Cc}]/gu, '');
			const { kept } = outputOf([Buffer.from(whole)]);
			expect(repairSurrogates(kept)).toBe(kept);
			if (whole.length <= 199) expect(kept).toBe(whole);
			else {
				const [head = '', tail = ''] = kept.split(/\n\[[\d,]+ characters left out here\]\n/);
				expect(whole.startsWith(head)).toBe(true);
				expect(whole.endsWith(tail)).toBe(true);
			}
		}),
	);
	expect(outputOf(['a'.repeat(300)]).kept).toBe(`${'a'.repeat(100)}\n[100 characters left out here]\n${'a'.repeat(100)}`);
});

test('bytes that are no text are told and not shown', () => {
	const { kept, shown } = outputOf(['fine\n', Buffer.from([0, 1, 2, 3]), 'more']);
	expect(kept).toBe('fine\n\n[output that is not text, 13 bytes: not shown. Let the command write it to a file.]');
	expect(shown).toBe('fine\n');
});

test('what is shown while it runs is bounded, and says so', () => {
	const { shown } = outputOf(['x'.repeat(5_000), 'y']);
	expect(shown).toBe(`${'x'.repeat(1_000)}\n[more: it is in the result]\n`);
});

test('how a command ended is said in words', () => {
	const end = { code: 0, signal: null, text: '', timeoutSeconds: 120 };
	expect([endInWords(end, 1.23), summaryOf(end, 1.23), isFine(end)]).toEqual(['Exit code 0 after 1.2 s.', 'exit code 0, 1.2 s', true]);
	expect(endInWords({ ...end, code: 152 }, 600)).toBe('Exit code 152 after 600 s. It was ended: its processor time was used up.');
	expect(endInWords({ ...end, code: null, signal: 'SIGKILL', over: 'memory' }, 3)).toBe(
		'It was ended after 3.0 s: it took more memory than a command may.',
	);
	expect(endInWords({ ...end, code: null, stopped: 'owner' }, 3)).toMatch(/^The owner stopped this command after 3\.0 s\./);
	expect(summaryOf({ ...end, code: null, stopped: 'time' }, 120)).toBe('out of time, 120 s');
	expect(isFine({ ...end, stopped: 'owner' })).toBe(false);
});
