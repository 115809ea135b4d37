import type { WorkStatus } from '../../contract/methods/runs.ts';
import type { Work } from '../work.ts';

/** `work.*` of the contract. */
export function createWorkHandlers(work: Pick<Work, 'status' | 'pauseAll' | 'resumeAll' | 'rulesChanged'>) {
	return {
		status: async (): Promise<WorkStatus> => work.status(),
		pauseAll: async (): Promise<WorkStatus> => work.pauseAll(),
		resumeAll: async (): Promise<WorkStatus> => work.resumeAll(),
		clockChanged: async (): Promise<void> => work.rulesChanged(),
	};
}
