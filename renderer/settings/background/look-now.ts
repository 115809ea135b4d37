import type { WatchedSourceId } from '../../../src/domain/heartbeat.ts';
import { sayProblem } from '../../chat/session-actions.ts';
import { call } from '../../connection/index.ts';
import type { Say } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';

/** Begins a look at all sources, or at one, whatever the hour. Never rejects: what went wrong is said. */
export async function lookNow(say: Say, sourceId?: WatchedSourceId): Promise<void> {
	try {
		await call((client) => client.heartbeat.run(sourceId === undefined ? {} : { sourceId }));
		showToast(say('background.lookBegun'));
	} catch (error) {
		sayProblem(error);
	}
}
