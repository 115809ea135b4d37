import type { Clock } from '../base/clock.ts';

/** What happened to the machine's clock. `ms`: how long it slept, or by how much it was set (less than 0: back); 0 where that can't be told. */
export interface Jump {
	readonly what: 'woke' | 'clock';
	readonly ms: number;
	/** Where the owner is now, where the shell says so. */
	readonly zone?: string | undefined;
}

/** The machine's clocks at one moment, in milliseconds. */
export interface Reading {
	readonly wall: number;
	/** Counts while this process can run, on some systems also while the machine sleeps. */
	readonly monotonic: number;
	/** Counts while the machine sleeps, too, whatever its clock is set to; undefined where the system has none such. */
	readonly sinceBoot: number | undefined;
}

const LOOK_MS = 30_000;
/** What clocks differ by without anybody having set them. */
const DRIFT_MS = 5_000;
/** So late a look comes only after a sleep, or because the process was stopped. */
const LATE_MS = 120_000;
/** Two words of one wake: the shell's and our own. */
const SAME_WAKE_MS = 60_000;

/** What happened between two looks of which the later one was to come after `lookMs`. Pure. */
export function jumpsBetween(before: Reading, after: Reading, lookMs = LOOK_MS): Jump[] {
	const wall = after.wall - before.wall;
	const ran = after.monotonic - before.monotonic;
	const jumps: Jump[] = [];
	if (before.sinceBoot !== undefined && after.sinceBoot !== undefined) {
		const passed = after.sinceBoot - before.sinceBoot;
		if (passed - ran > DRIFT_MS) jumps.push({ what: 'woke', ms: Math.round(passed - ran) });
		if (Math.abs(wall - passed) > DRIFT_MS) jumps.push({ what: 'clock', ms: Math.round(wall - passed) });
	} else if (Math.abs(wall - ran) > DRIFT_MS) {
		// Forward it is either; asleep is what happens every day.
		jumps.push({ what: wall > ran ? 'woke' : 'clock', ms: Math.round(wall - ran) });
	}
	if (jumps.length === 0 && ran > lookMs + LATE_MS) jumps.push({ what: 'woke', ms: Math.round(ran - lookMs) });
	return jumps;
}

export interface ClockWatchDeps {
	readonly clock: Clock;
	/** Each wake and each setting of the clock once, as far as that can be told. */
	readonly onJump: (jump: Jump) => void;
	/** Every half a minute. */
	readonly onLook: () => void;
	/** After `onJump`, where nobody looked for themselves. */
	readonly onNoticed: () => void;
}

/** Notices within half a minute that the machine slept or its clock was set, also where no shell says so. */
export class ClockWatch {
	readonly #deps: ClockWatchDeps;
	#before: Reading;
	#woke: Reading | undefined;
	#timer: NodeJS.Timeout | undefined;

	constructor(deps: ClockWatchDeps) {
		this.#deps = deps;
		this.#before = this.#read();
	}

	start(): void {
		this.#before = this.#read();
		this.#timer = setInterval(() => {
			this.#deps.onLook();
			if (this.check()) this.#deps.onNoticed();
		}, LOOK_MS).unref();
	}

	/** Whoever is about to act on the time of day asks first. True: something had happened. */
	check(): boolean {
		const jumps = this.#jumps();
		for (const jump of jumps) this.#tell(jump);
		return jumps.length > 0;
	}

	/** The shell's word on what it was, which knows better. */
	told(what: Jump['what'], zone?: string): void {
		const before = this.#before;
		const jumps = this.#jumps();
		const wall = this.#before.wall - before.wall - (this.#before.monotonic - before.monotonic);
		const slept = Math.max(0, wall, ...jumps.filter((jump) => jump.what === 'woke').map(({ ms }) => ms));
		this.#tell({ what, ms: what === 'woke' ? Math.round(slept) : Math.round(wall), zone });
	}

	close(): void {
		clearInterval(this.#timer);
	}

	#jumps(): Jump[] {
		const now = this.#read();
		const jumps = jumpsBetween(this.#before, now);
		this.#before = now;
		return jumps;
	}

	#tell(jump: Jump): void {
		const { onJump } = this.#deps;
		if (jump.what === 'clock' || !this.#isSameWake()) onJump(jump);
		else if (jump.zone !== undefined) onJump({ what: 'clock', ms: 0, zone: jump.zone });
	}

	#isSameWake(): boolean {
		const last = this.#woke;
		const now = this.#before;
		this.#woke = now;
		return last !== undefined && Math.max(now.wall - last.wall, now.monotonic - last.monotonic) < SAME_WAKE_MS;
	}

	#read(): Reading {
		const { clock } = this.#deps;
		return { wall: clock.now(), monotonic: clock.monotonic(), sinceBoot: clock.sinceBoot?.() };
	}
}
