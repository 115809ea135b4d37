import { type ChildProcess, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CRASH_POINTS, type CrashPointName } from '../src/base/crash-point.ts';

/** When a life is killed, and what happens to its profile besides. */
export interface Arm {
	readonly name: string;
	/** Why it can't be done on this machine. */
	missing?(): string | undefined;
	/** A folder for a new profile. */
	home(): string;
	/** Where the next life kills itself. */
	target(turn: number, random: () => number): { die?: { at?: CrashPointName; nth: number } };
	/** What is done to a life from outside. */
	during?(child: ChildProcess): void;
	/** True where it changed the profile. */
	afterKill(home: string, random: () => number): boolean;
	done(home: string): void;
}

const newHome = (): string => mkdtempSync(join(tmpdir(), 'hearth-crash-'));
const remove = (home: string): void => rmSync(home, { recursive: true, force: true });
const anyPoint = (random: () => number) => ({ die: { nth: 1 + Math.floor(random() * 60) } });

/** In turns a named point at its first to third passing, and the n-th passing of whichever points come. */
export function killAtPoints(): Arm {
	return {
		name: 'points',
		home: newHome,
		target: (turn, random) => {
			const at = turn % 2 === 0 ? CRASH_POINTS[(turn / 2) % CRASH_POINTS.length] : undefined;
			return at ? { die: { at, nth: 1 + Math.floor(random() * 3) } } : anyPoint(random);
		},
		afterKill: () => false,
		done: remove,
	};
}

/** As above, and the write-ahead log is cut off anywhere before the next start. */
export function cutLog(): Arm {
	return {
		name: 'cut log',
		home: newHome,
		target: (_, random) => anyPoint(random),
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
		done: unmount,
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
