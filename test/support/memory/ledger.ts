import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { Sequencer } from '../../../src/base/sequencer.ts';
import { openStateDb, type StateDb } from '../../../src/db/open.ts';
import type { MemoryEntry } from '../../../src/domain/memory.ts';
import type { MemoryCore } from '../../../src/memory/core.ts';
import { knownFiles } from '../../../src/memory/file-store.ts';
import { entryFromRow, liveEntries } from '../../../src/memory/ledger-store.ts';
import { recordOutside } from '../../../src/memory/outside.ts';
import { type Drift, driftsOf } from '../../../src/memory/reconcile/drift.ts';
import { createPrograms, type Programs } from '../../../src/memory/reconcile/programs.ts';
import { createReconciler, type Reconciler } from '../../../src/memory/reconcile/reconciler.ts';

/** The ledger of a profile and what compares it with the disk, without index and search. */
export interface Ledger {
	readonly folder: string;
	readonly db: StateDb;
	readonly core: MemoryCore;
	readonly programs: Programs;
	readonly reconciler: Reconciler;
	readonly drifts: Drift[];
	/** Of all files, in the order in which they are shown. */
	live(): MemoryEntry[];
	/** What an entry of this text is in the ledger. */
	saying(text: string): MemoryEntry;
	write(path: string, text: string | Uint8Array): void;
	close(): void;
}

export function temporaryProfile(): string {
	const folder = mkdtempSync(join(tmpdir(), 'hearth-memory-'));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Opened again on the same folder it is a restart; nothing is looked at before the first `look`. */
export function openLedger(folder = temporaryProfile()): Ledger {
	const db = openStateDb({ file: join(folder, 'state.db'), backupsFolder: join(folder, 'backups'), logger: silentLogger });
	let open = true;
	const close = () => {
		if (open) db.close();
		open = false;
	};
	onTestFinished(close);
	const drifts: Drift[] = [];
	const programs = createPrograms({ db, clock: systemClock });
	const timeZone = () => 'UTC';
	const core: MemoryCore = {
		db,
		folder,
		clock: systemClock,
		logger: silentLogger,
		sequencer: new Sequencer(),
		timeZone,
		made: () => undefined,
		adopt: (tx, file, disk) =>
			recordOutside(tx, [{ file, disk }], programs.outsider(), { at: Date.now(), timeZone: timeZone(), made: core.made }),
		unfinished: () => undefined,
		committed: (applied) => void drifts.push(...driftsOf(db.read, applied)),
	};
	const live = () => knownFiles(db.read).flatMap(({ path }) => liveEntries(db.read, path).map((row) => entryFromRow(row, Date.now())));
	return {
		folder,
		db,
		core,
		programs,
		reconciler: createReconciler(core, programs),
		drifts,
		live,
		saying: (text) => {
			const found = live().find((entry) => entry.text === text);
			if (!found) throw new Error(`no entry says “${text}”: ${live().map((entry) => entry.text)}`);
			return found;
		},
		write: (path, text) => {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			writeFileSync(join(folder, path), text);
		},
		close,
	};
}
