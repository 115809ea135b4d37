import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CrashPointName } from '../../src/base/crash-point.ts';
import { silentLogger } from '../../src/base/logger.ts';
import type { ReadDb } from '../../src/db/brands.ts';
import { openStateDb } from '../../src/db/open.ts';
import { all, sql } from '../../src/db/sql.ts';
import type { RunId } from '../../src/domain/ids.ts';
import { checkpointsOf } from '../../src/run/checkpoint-store.ts';
import { readEvents } from '../../src/run/journal-store.ts';
import { replay } from '../../src/run/reduce.ts';
import { stateAt } from '../../src/run/state-at.ts';
import { getMessage } from '../../src/sessions/message-store.ts';
import type { Life } from '../support/run/lives.ts';
import { messages, stage } from '../support/run/stage.ts';
import { stride } from '../support/thorough.ts';

const POINTS: CrashPointName[] = ['transaction.open', 'transaction.committed', 'journal.appended', 'file.written', 'effect.done'];

/** Steps that the journal says are finished, by its own events: not by the code that is under test. */
function finishedSteps(db: ReadDb, runId: RunId): number[] {
	const finishing = new Set(['model_finished', 'tool_finished', 'tool_refused']);
	const steps = readEvents(db, runId).flatMap((event) => (finishing.has(event.type) && 'step' in event ? [event.step] : []));
	return [...new Set(steps)].sort((a, b) => a - b);
}

/** Every finished step has its checkpoint, which holds it; and the stored reply is that of the journal. */
function checkAll(folder: string): number {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	try {
		let checked = 0;
		for (const { id: runId } of all<{ id: RunId }>(db.read, sql`SELECT id FROM runs`)) {
			const points = new Map(checkpointsOf(db.read, runId).map((point) => [point.step, point]));
			for (const step of [0, ...finishedSteps(db.read, runId)]) {
				expect(points.has(step), `step ${step}`).toBe(true);
				const { progress, kind } = stateAt(db.read, { runId, step });
				expect(progress.step === step + 1 || (kind === 'done' && progress.step === step), `state after step ${step}`).toBe(true);
				checked += 1;
			}
			const state = replay(readEvents(db.read, runId));
			expect(getMessage(db.read, state?.progress.messageId as never).parts).toEqual(state?.progress.parts);
		}
		return checked;
	} finally {
		db.close();
	}
}

test.each(POINTS)('R1 killed at %s, again and again: every finished step is in its checkpoint, and nothing half', async (at) => {
	const on = await stage();
	const lives: Life[] = [];
	let checked = 0;
	for (let nth = 1; nth <= 40; nth += stride(6)) {
		const life = await on.life({ die: { at, nth } });
		lives.push(life);
		expect(life.stderr).toBe('');
		// Killed before there was a database, there is nothing yet.
		if (life.lines.some(({ what }) => what === 'sent') || life.signal === null) checked += checkAll(on.folder);
		if (life.signal !== 'SIGKILL') break;
	}
	if (lives.at(-1)?.signal === 'SIGKILL') lives.push(await on.life());
	expect(lives.length).toBeGreaterThan(1);
	checked += checkAll(on.folder);
	expect(checked).toBeGreaterThan(8);
	expect(messages(on.folder)[1]?.status).toBe('complete');
});
