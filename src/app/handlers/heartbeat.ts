import type { Heartbeat } from '../../heartbeat/heartbeat.ts';
import type { Handlers } from '../router.ts';

/** `heartbeat.*` of the contract. Views learn of changes by `heartbeat_changed`. */
export function createHeartbeatHandlers(heartbeat: Heartbeat): Handlers['heartbeat'] {
	return {
		status: () => heartbeat.status(),
		ticks: async ({ limit }) => heartbeat.ticks(limit),
		run: ({ sourceId }) => heartbeat.run(sourceId),
		tick: async ({ tickId }) => heartbeat.tick(tickId),
		stop: () => heartbeat.stop(),
		answer: ({ shownHash, allow }) => heartbeat.answer(shownHash, allow),
		withdrawConsent: ({ providerId, host }) => heartbeat.withdrawConsent(providerId, host),
		goOn: () => heartbeat.goOn(),
	};
}
