import { existsSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { RESERVE_BYTES, Reserve } from '../../../src/db/reserve.ts';
import type { SessionId } from '../../../src/domain/ids.ts';
import { insertSession } from '../../../src/sessions/session-store.ts';
import { fillDisk, freeDisk } from '../../support/run/disk.ts';
import { addSession, countSessions, failureOf, openIn, temporaryFolder } from '../../support/storage/folders.ts';

const SESSION = {
	id: 'b' as SessionId,
	kind: 'chat',
	title: '',
	titleBy: 'auto',
	pinned: false,
	headId: null,
	createdAt: 1,
	updatedAt: 1,
} as const;

test('dur-2 the reserve is real room, given up part by part and filled again', async () => {
	const file = join(temporaryFolder(), 'reserve');
	const reserve = new Reserve(file);
	expect(reserve.release()).toBe(false);
	await reserve.fill();
	const { size, blocks } = statSync(file);
	expect(size).toBe(RESERVE_BYTES);
	expect(blocks * 512).toBeGreaterThanOrEqual(RESERVE_BYTES);
	for (const part of [3, 2, 1]) {
		expect(reserve.release()).toBe(true);
		expect(statSync(file).size).toBe((RESERVE_BYTES / 4) * part);
	}
	expect(reserve.release()).toBe(true);
	expect(existsSync(file)).toBe(false);
	expect(reserve.release()).toBe(false);
	writeFileSync(file, 'half');
	await reserve.fill();
	expect(statSync(file).size).toBe(RESERVE_BYTES);
});

test('dur-2 a reserve that cannot be filled leaves nothing behind', async () => {
	const folder = temporaryFolder();
	await expect(new Reserve(join(folder, 'missing', 'reserve')).fill()).rejects.toMatchObject({ code: 'ENOENT' });
	await new Reserve(join(folder, 'reserve')).fill();
	expect(existsSync(join(folder, 'reserve.new'))).toBe(false);
});

test('dur-2 only a write that makes room gives the reserve up, and it tells nobody of a full disk when that was enough', async () => {
	let released = 0;
	const told: (string | undefined)[] = [];
	const db = openIn(temporaryFolder(), {
		reserve: {
			release: () => {
				released += 1;
				freeDisk(db);
				return true;
			},
		},
	});
	db.onWrite((failure) => told.push(failure?.code));
	fillDisk(db);
	told.length = 0;
	expect((await failureOf(() => addSession(db, 'a', 'x'.repeat(100_000)))).shape.code).toBe('disk_full');
	expect(released).toBe(0);
	expect(told).toEqual(['disk_full']);
	told.length = 0;
	db.write((tx) => insertSession(tx, { ...SESSION, title: 'y'.repeat(100_000) }), { makesRoom: true });
	expect(released).toBe(1);
	expect(told.at(-1)).toBeUndefined();
	expect(told).not.toContain('disk_full');
	expect(countSessions(db)).toBe(1);
});
