import { type ChildProcess, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CRASH_POINTS, type CrashPointName } from '../src/base/crash-point.ts';
import { prepareOldProfile } from './crash-chores.ts';

/** Where a life kills itself: the n-th passing of this point, or of any. */
export interface Death {
	readonly at?: CrashPointName;
	readonly nth: number;
}

/** When a life is killed, and what happens to its profile besides. */
export interface Arm {
	readonly name: string;
	/** Why it can't be done on this machine. */
	missing?(): string | undefined;
	/** A folder for a new profile. */
	home(): string;
	/** Where the next life kills itself. */
	target(random: () => number, covered: ReadonlySet<CrashPointName>): { die?: Death; chores?: boolean };
	/** What is done to a life from outside. */
	during?(child: ChildProcess): void;
	/** True where it changed the profile. */
	afterKill(home: string, random: () => number): boolean;
	/** Makes room. True: a life may end by itself before its work is done, having said why it can't go on. */
	refused?(): boolean;
	done(home: string): void;
	/** The work is the one that reaches outside. */
	readonly outside?: true;
	/** The end of the audit log goes with what is cut off. */
	readonly cutsAudit?: true;
	/** How a tool's row may end; only `done` where it is left out. What failed was told to the model: it is no silent skip. */
	readonly ends?: readonly string[];
}

/** Points that a life passes before it is killed, at most. */
const MOST_PASSINGS = 60;

const newHome = (): string => mkdtempSync(join(tmpdir(), 'hearth-crash-'));
const remove = (home: string): void => rmSync(home, { recursive: true, force: true });
const anyPoint = (random: () => number) => ({ die: { nth: 1 + Math.floor(random() * MOST_PASSINGS) } });

/** Each named point that was not killed at yet gets its turn, so often; a life that does not pass it simply ends its work. */
const TRIES = 4;

function nextPoint(
	tries: Map<CrashPointName, number>,
	covered: ReadonlySet<CrashPointName>,
	among: readonly CrashPointName[] = CRASH_POINTS,
): CrashPointName | undefined {
	const at = among.find((name) => !covered.has(name) && (tries.get(name) ?? 0) < TRIES);
	if (at) tries.set(at, (tries.get(at) ?? 0) + 1);
	return at;
}

/** By turns a named point at its first passing, and the n-th passing of whichever points come. */
export function killAtPoints(): Arm {
	const tries = new Map<CrashPointName, number>();
	return {
		name: 'points',
		home: newHome,
		target: (random, covered) => {
			const at = random() < 0.3 ? nextPoint(tries, covered) : undefined;
			return at ? { die: { at, nth: 1 } } : anyPoint(random);
		},
		afterKill: () => false,
		done: remove,
	};
}

/** What the work that reaches outside passes, and no other does; and what it passes only once or twice. */
const OUTSIDE_POINTS: readonly CrashPointName[] = [
	'skill.intended',
	'skill.written',
	'skill.done',
	'proposal.approved',
	'timer.claimed',
	'timer.told',
	'effect.witnessed',
	'interrupt.answered',
];

/** As above, in the work that reaches outside: its own points first. */
export function outside(): Arm {
	const tries = new Map<CrashPointName, number>();
	return {
		...killAtPoints(),
		name: 'outside',
		outside: true,
		target: (random, covered) => {
			const at = random() < 0.4 ? nextPoint(tries, covered, OUTSIDE_POINTS) : undefined;
			return at ? { die: { at, nth: 1 } } : anyPoint(random);
		},
	};
}

/** A profile of an older schema, the work, and then the chores: the points that no run passes. */
export function chores(): Arm {
	const tries = new Map<CrashPointName, number>();
	return {
		name: 'chores',
		home: () => {
			const home = newHome();
			prepareOldProfile(home);
			return home;
		},
		target: (random, covered) => {
			const at = nextPoint(tries, covered);
			return { chores: true, ...(at ? { die: { at, nth: 1 } } : anyPoint(random)) };
		},
		afterKill: () => false,
		done: remove,
	};
}

/** As above, and the write-ahead log is cut off anywhere before the next start. */
export function cutLog(): Arm {
	return {
		name: 'cut log',
		cutsAudit: true,
		home: newHome,
		target: anyPoint,
		afterKill: (home, random) => {
			const log = join(home, 'profiles', 'default', 'state.db-wal');
			const bytes = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
			if (bytes === 0) return false;
			// Mostly the end: what a disk that lies about its flushes loses.
			truncateSync(log, bytes - Math.floor(random() * Math.min(bytes, 200_000)));
			return true;
		},
		done: remove,
	};
}

const DISK_MEGABYTES = 48;

/** A small disk of its own runs full while a life is at work, and is killed so; sometimes the next one starts on the full disk. */
export function fullDisk(random: () => number): Arm {
	let disk = '';
	const filler = () => join(disk, 'filler');
	const unmount = (): void => {
		spawnSync('umount', [disk]);
		remove(disk);
	};
	return {
		name: 'full disk',
		missing: () => {
			disk = newHome();
			const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', disk]).status === 0;
			if (!mounted) return 'a small disk can only be mounted by root';
			unmount();
			return undefined;
		},
		home: () => {
			disk = newHome();
			spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MEGABYTES}m`, 'tmpfs', disk]);
			return disk;
		},
		target: () => ({}),
		during: (child) => {
			const filled = setTimeout(() => fill(filler()), 300 + random() * 1_200);
			const emptied = setTimeout(() => rmSync(filler(), { force: true }), 2_500);
			const killed = setTimeout(() => child.kill('SIGKILL'), 700 + random() * 2_500);
			child.once('close', () => [filled, emptied, killed].forEach(clearTimeout));
		},
		afterKill: (_, random) => {
			if (random() < 0.5) rmSync(filler(), { force: true });
			return false;
		},
		// A start on a disk without any room is refused in words.
		refused: () => {
			rmSync(filler(), { force: true });
			return true;
		},
		done: unmount,
		ends: ['done', 'failed'],
	};
}

/** Until not a byte more fits. */
function fill(file: string): void {
	for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) {
		try {
			for (;;) writeFileSync(file, Buffer.alloc(size), { flag: 'a' });
		} catch {
			// Less may still fit.
		}
	}
}
