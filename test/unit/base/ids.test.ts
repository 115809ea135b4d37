import { expect, test } from 'vitest';
import { newId } from '../../../src/base/ids.ts';

test('ids are version 7, unique, and grow in one process', () => {
	const ids = Array.from({ length: 20_000 }, () => newId());
	expect(new Set(ids).size).toBe(ids.length);
	expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
	expect([...ids].sort()).toEqual(ids);
});
