import { expect, test } from 'vitest';
import type { Json } from '../../../src/domain/json.ts';
import { readDuration } from '../../../src/workflows/duration.ts';
import { guardInWords, holds, readGuard } from '../../../src/workflows/guard.ts';
import { fillText, fillValue, lookUp, namesIn } from '../../../src/workflows/template.ts';

test.each([
	['90 s', 90_000],
	['10 minutes', 600_000],
	['1h 30m', 5_400_000],
	['3 days', 259_200_000],
	['2 Weeks', 1_209_600_000],
	['0.5 h', 1_800_000],
])('%s is so many milliseconds', (text, ms) => expect(readDuration(text)).toEqual({ ok: true, ms }));

test.each(['', 'soon', '3', '3 fortnights', '-1 day', '1 day or so', '0 s', '99999 weeks', 'P3D'])('“%s” is no duration', (text) =>
	expect(readDuration(text)).toMatchObject({ ok: false, problem: expect.stringContaining(text) }),
);

const check = (when: unknown, data: Record<string, Json>) => {
	const { guard, problems } = readGuard(when);
	expect(problems).toEqual([]);
	return holds(guard, (field) => lookUp(data, field));
};

test('guards compare what there is, also numbers that came as text, and never hold for what is not there', () => {
	const data = { amount: 500, text: '501', country: 'DE', paid: true, empty: '', day: '2027-01-11', deep: { list: 'x' } };
	expect(check({ amount: { over: 499 } }, data)).toBe(true);
	expect(check({ amount: { over: 500 } }, data)).toBe(false);
	expect(check({ text: { over: 500, under: 502 } }, data)).toBe(true);
	expect(check({ missing: { over: 0 } }, data)).toBe(false);
	expect(check({ missing: { under: 5 } }, data)).toBe(false);
	expect(check({ country: { over: 5 } }, data)).toBe(false);
	expect(check({ country: 'DE', paid: true }, data)).toBe(true);
	expect(check([{ country: 'DE' }, { paid: { not: true } }], data)).toBe(false);
	expect(check({ country: { one_of: ['AT', 'DE'] } }, data)).toBe(true);
	expect(check({ missing: { not: 'x' } }, data)).toBe(true);
	expect(check({ text: 501 }, data)).toBe(true);
	expect(check({ empty: { set: false }, paid: { set: true } }, data)).toBe(true);
	expect(check({ day: { over: '2027-01-10', under: '2027-01-12' } }, data)).toBe(true);
	expect(check({ 'deep.list': 'x' }, data)).toBe(true);
	expect(check({ deep: 'x' }, data)).toBe(false);
});

test('a guard in words, and what is no guard', () => {
	expect(guardInWords(readGuard({ amount: { over: 500 }, country: ['DE'].at(0), paid: { set: false } }).guard)).toBe(
		'amount is over 500 and country is DE and paid is not set',
	);
	for (const wrong of [null, 'x', {}, [], { amount: {} }, { amount: { over: true } }, { amount: { one_of: [] } }, { amount: null }])
		expect(readGuard(wrong).problems, JSON.stringify(wrong)).not.toEqual([]);
});

test('places are replaced as they are, and what is in them is not looked at again', () => {
	const data = { name: 'Ada {{secret}}', secret: 's', count: 3, list: [1], none: null, deep: { at: { last: true } } };
	expect(fillText('{{name}}, {{ count }}, {{list}}, [{{none}}{{missing}}{{deep.at.missing}}{{name.length}}]', data)).toBe(
		'Ada {{secret}}, 3, [1], []',
	);
	expect(fillValue({ a: '{{count}}', b: ['{{deep.at.last}}', 'n{{count}}'], c: 7 }, data)).toEqual({ a: 3, b: [true, 'n3'], c: 7 });
	expect(fillText('{{__proto__}}{{constructor}}{{deep.constructor.name}}', data)).toBe('');
	expect(namesIn({ a: ['{{x}}', '{{ y.z }} {{x}}'], b: 5 })).toEqual(['x', 'y.z', 'x']);
});
