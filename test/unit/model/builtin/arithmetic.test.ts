import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calculate } from '../../../../src/model/builtin/arithmetic.ts';

test.each([
	['2+2', '4'],
	['what is 12 * 7 + 3?', '87'],
	['15% of 80', '12'],
	['2^10', '1,024'],
	['(3+4)*2=', '14'],
	['1,234.5 * 2', '2,469'],
	['3,5 + 2', '5.5'],
	['-5 + 3', '-2'],
	['7 x 6', '42'],
	['10 ÷ 4', '2.5'],
	['0.1 + 0.2', '0.3'],
	['what is 1/3', '0.3333333333'],
	['2 ^ 3 ^ 2', '512'],
])('%s = %s', (text, result) => {
	expect(calculate(text)?.result).toBe(result);
});

test.each([
	'2026-11-29',
	'1/2/2026',
	'24/7',
	'call 555-123',
	'555-1234',
	'5',
	'2 +',
	'what is love',
	'12:30 - 2',
	'1/0',
	'(1 + 2',
	'',
	'???',
])('%j is no sum', (text) => {
	expect(calculate(text)).toBeUndefined();
});

test('property: sums and products of whole numbers come out right', () => {
	const number = fc.integer({ min: 0, max: 9999 });
	fc.assert(
		fc.property(number, number, number, (a, b, c) => {
			expect(calculate(`${a} + ${b} * ${c}`)?.result).toBe((a + b * c).toLocaleString('en-US'));
			expect(calculate(`(${a} + ${b}) - ${c}`)?.result).toBe((a + b - c).toLocaleString('en-US'));
		}),
	);
});

test('property: nothing makes it throw', () => {
	const text = fc.array(fc.constantFrom('1', '23', '4.5', '+', '-', '*', '/', '^', '(', ')', ' ', '=', '%', 'x', ','), { maxLength: 40 });
	fc.assert(fc.property(text, (parts) => void calculate(parts.join(''))));
});
