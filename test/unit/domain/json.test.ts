import { expect, test } from 'vitest';
import { canonicalJson } from '../../../src/domain/json.ts';

test('canonical JSON sorts keys at every depth and keeps the order of lists', () => {
	expect(canonicalJson({ b: [2, 1, { d: null, c: 'x' }], a: true })).toBe('{"a":true,"b":[2,1,{"c":"x","d":null}]}');
});
