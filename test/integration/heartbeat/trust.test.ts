import { expect, test } from 'vitest';
import { getSource } from '../../../src/heartbeat/source-store.ts';
import { judge, trustOf, unjudge } from '../../../src/heartbeat/trust-store.ts';
import { addSource } from '../../support/findings.ts';
import { openIn, temporaryFolder } from '../../support/storage/folders.ts';

test('decisions that are taken back, in whatever order, leave the trust in a source as it was before them', () => {
	const db = openIn(temporaryFolder());
	const id = addSource(db);
	db.write((tx) => {
		const yes = Array.from({ length: 30 }, () => judge(tx, id, 'approved'));
		const no = Array.from({ length: 30 }, () => judge(tx, id, 'rejected'));
		// What is left of it are rejections alone, of one that was trusted much: less than none.
		for (const change of yes) unjudge(tx, id, change);
		expect(trustOf(tx, id)).toBe(0);
		expect(getSource(tx, id).trust).toBe(0);
		for (const change of no) unjudge(tx, id, change);
		expect(trustOf(tx, id)).toBeCloseTo(0.5);
	});
	db.close();
});
