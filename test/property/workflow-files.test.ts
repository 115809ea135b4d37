import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseWorkflow } from '../../src/workflows/parse.ts';

const EXAMPLES = ['onboarding', 'invoice-dispute', 'read-document'].map((name) => readFileSync(`assets/workflows/${name}.yaml`, 'utf8'));
const PIECES = [
	'\t',
	'&a ',
	'*a',
	'!!map ',
	'{',
	'}',
	'[',
	']',
	': ',
	'- ',
	'\n',
	'#',
	'"',
	"'",
	'{{',
	'}}',
	'? ',
	'|',
	'>',
	'<<: ',
	'---\n',
	'%',
	'__proto__: ',
	'\0',
	'\uD800',
	'null',
	'0x1',
	'.inf',
	'constructor',
];

/** Every problem has a place within the text, whatever the text is; nothing is thrown. */
function check(text: string): boolean {
	const { problems, definition } = parseWorkflow(text, { tools: ['write_file'], checkTool: () => undefined });
	const lines = text.split('\n');
	for (const { line, column, message } of problems) {
		expect(line).toBeGreaterThanOrEqual(1);
		expect(line).toBeLessThanOrEqual(lines.length);
		expect(column).toBeGreaterThanOrEqual(1);
		expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 2);
		expect(message).not.toBe('');
	}
	expect(problems.length > 0 || definition !== undefined).toBe(true);
	return problems.length > 0;
}

test('no text makes the reader of workflow files fail, and every problem lies within the text', () => {
	let broken = 0;
	fc.assert(
		fc.property(
			fc.constantFrom(...EXAMPLES),
			fc.array(
				fc.record({
					at: fc.nat(),
					cut: fc.oneof(fc.constant(0), fc.nat(12)),
					add: fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 6 })),
				}),
				{ maxLength: 4 },
			),
			(example, edits) => {
				let text = example;
				for (const { at, cut, add } of edits) {
					const place = at % (text.length + 1);
					text = text.slice(0, place) + add + text.slice(place + cut);
				}
				if (check(text)) broken += 1;
			},
		),
		{ numRuns: 400 },
	);
	expect(broken).toBeGreaterThan(100);
	fc.assert(
		fc.property(fc.array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 10 })), { maxLength: 30 }), (pieces) => {
			check(pieces.join(''));
		}),
		{ numRuns: 300 },
	);
});
