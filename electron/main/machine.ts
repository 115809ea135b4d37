import { powerMonitor } from 'electron';
import type { Noticed } from '../../src/domain/noticed.ts';
import { createAway } from './away.ts';

const LOOK_MS = 15_000;
/** For the system's own word on being idle, which is not asked for here. */
const IDLE_SECONDS = 60;

/** Tells what the system says of the machine and of who sits at it: it woke, its zone was set, the owner is back. */
export function watchMachine(tell: (noticed: Noticed) => void): void {
	const away = createAway();
	let screenLocked = false;
	let zone = systemZone();

	const look = (): void => {
		const now = systemZone();
		if (now !== zone) {
			zone = now;
			tell({ what: 'clock', zone });
		}
		const locked = screenLocked || powerMonitor.getSystemIdleState(IDLE_SECONDS) === 'locked';
		const idleMinutes = away.look({ idleSeconds: powerMonitor.getSystemIdleTime(), locked, at: Date.now() });
		if (idleMinutes !== undefined) tell({ what: 'unlocked', idleMinutes });
	};
	powerMonitor.on('suspend', () => away.left(Date.now()));
	powerMonitor.on('resume', () => {
		zone = systemZone();
		tell({ what: 'woke', zone });
	});
	// Not every system says it; where it does not, the state that is looked at does.
	powerMonitor.on('lock-screen', () => {
		screenLocked = true;
		away.left(Date.now());
	});
	powerMonitor.on('unlock-screen', () => {
		screenLocked = false;
		look();
	});
	setInterval(look, LOOK_MS);
}

function systemZone(): string {
	return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
