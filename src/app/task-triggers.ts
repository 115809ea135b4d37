import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import { TaskId } from '../domain/task.ts';
import type { Redactor } from '../firewall/ports.ts';
import { payloadWith } from '../run/redact-event.ts';
import { FILE_PACES } from '../tasks/triggers/file-watch.ts';
import { QUIET_TIMER } from '../tasks/triggers/gather.ts';
import { Triggers, type TriggersDeps } from '../tasks/triggers/triggers.ts';
import { sharedPlaceOf } from './filesystem.ts';
import type { Work } from './work.ts';

export interface TaskTriggersDeps extends Pick<TriggersDeps, 'own' | 'claim' | 'claimed' | 'onProblem'> {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly redactor: Redactor;
	readonly work: Pick<Work, 'timers' | 'onDue' | 'onNoticed'>;
}

/** Triggers with the timers that end their quiet times, and with what is noticed of the machine. Before work is started. */
export function createTaskTriggers(deps: TaskTriggersDeps): Triggers {
	const { work } = deps;
	const triggers = new Triggers({
		...deps,
		timers: work.timers,
		clean: (payload, label) => payloadWith(payload, label, deps.redactor),
		// Where the system does not tell, its signs are trusted.
		isNetwork: async (folder) => (await sharedPlaceOf(folder).catch(() => undefined))?.kind === 'network',
		paces: FILE_PACES,
	});
	work.onDue(QUIET_TIMER, (ref) => triggers.due(TaskId.parse(ref)));
	work.onNoticed((noticed) => {
		if (noticed.what === 'woke') triggers.woke();
		if (noticed.what === 'unlocked') triggers.unlocked(noticed.idleMinutes);
	});
	return triggers;
}
