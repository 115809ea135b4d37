import type { RestoreRecord } from '../../src/contract/methods/runs.ts';
import { createStrings } from '../../src/contract/strings/index.ts';
import type { RunId } from '../../src/domain/ids.ts';
import { sayProblem } from '../chat/session-actions.ts';
import { call } from '../connection/index.ts';
import { showToast } from '../ui/toast.tsx';
import { refreshRun } from './queries.ts';

const strings = createStrings();

/** Goes on with an interrupted, failed or stopped run. False where it did not; the owner has been told. */
export async function resumeRun(runId: RunId, how: 'continue' | 'retry'): Promise<boolean> {
	try {
		await call((client) => client.runs.resume({ runId, how }));
		void refreshRun(runId);
		return true;
	} catch (error) {
		sayProblem(error);
		return false;
	}
}

/** Puts back what a restore replaced. */
export async function undoRestore({ id, place }: RestoreRecord): Promise<void> {
	try {
		await call((client) => client.runs.undoRestore({ restoreId: id }));
		showToast(strings('timeline.restoreUndo'));
	} catch (error) {
		sayProblem(error);
	}
	await refreshRun(place.runId);
}
