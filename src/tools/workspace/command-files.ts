import type { Clock } from '../../base/clock.ts';
import type { ContentFiles } from '../../base/content-files.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import type { StateDb } from '../../db/open.ts';
import { type ContextSource, joinSources, labelOfSources, sourceName } from '../../domain/context-source.ts';
import { isWithin, joinLabels, type Label } from '../../domain/label.ts';
import { nameProblem } from '../../domain/memory-name.ts';
import {
	endWorkspaceChange,
	insertWorkspaceChange,
	keepsContent,
	labelsOfNames,
	lastChangeOfPath,
	lastWorkspaceSeq,
	workspaceChanges,
} from './change-store.ts';
import { beginUnseen, endUnseen, labelsOfHashes, recordContentLabel, trustOf } from './content-labels.ts';
import { createLook, type SeenFile, type WorkspaceLook } from './look.ts';
import { joined, type Meetings, type Seen } from './meetings.ts';
import type { ChangedByStep } from './port.ts';
import type { WorkspaceDeps } from './write-path.ts';

/** What a command can read in `workspace/`, and what it changed there: found by looking before and after. */

export interface CommandFiles {
	/** A command is about to begin. What others write while it runs, it may have read. */
	begin(step: Seen & Pick<ChangedByStep, 'runId' | 'stepKey'>): CommandUnderWay;
	/** All files as they are now. */
	look(signal: AbortSignal): Promise<WorkspaceLook>;
	/** The join over all that lies there: what a command that could read it hands on (S2). */
	trust(look: WorkspaceLook): Seen;
	/**
	 * Compares with how it was before a command. What it wrote is trusted as little as `by` says; where it is small enough it is a change of the
	 * files' ledger, so that it can be put back (R4).
	 */
	record(before: WorkspaceLook, by: ByCommand): Promise<CommandChanges>;
}

export interface CommandUnderWay {
	/** What it can read as it begins. */
	reads(seen: Seen): void;
	/** That, and what came meanwhile: written by other steps, or by other commands, which may have read more than it. `before`: the look as it began. */
	seen(before: WorkspaceLook): Seen;
	end(): void;
}

/** `sources`: what the command could read. */
export type ByCommand = ChangedByStep & { readonly sources: readonly ContextSource[] };

export interface CommandChanges {
	/** By path; those that can be put back first. */
	readonly files: readonly { readonly path: string; readonly change: 'created' | 'changed' | 'deleted'; readonly restorable: boolean }[];
	/** There were too many files to compare all. */
	readonly incomplete: boolean;
}

export interface CommandFilesDeps {
	readonly db: StateDb;
	/** Absolute. */
	readonly folder: string;
	readonly blobs: Pick<ContentFiles, 'putAll'>;
	readonly clock: Clock;
	/** Told of each change in the transaction that says that it is done. */
	readonly changed?: WorkspaceDeps['changed'];
	readonly meetings: Meetings;
	/** The owner said that the texts of the workspace are their own. */
	readonly isMine: () => boolean;
}

const MOST_KEPT = 500;
/** Rows and contents that are written at once. */
const AT_ONCE = 50;
const NAMED_SOURCES = 5;
/** Names that are looked up at once. */
const NAMES_AT_ONCE = 5_000;

export function createCommandFiles(deps: CommandFilesDeps): CommandFiles {
	const look = createLook({
		folder: deps.folder,
		keeps: (hash) => keepsContent(deps.db.read, hash),
		seq: () => lastWorkspaceSeq(deps.db.read),
	});

	function begin({ runId, stepKey, ...step }: Parameters<CommandFiles['begin']>[0]): CommandUnderWay {
		const meeting = deps.meetings.begin(step);
		return {
			reads: (seen) => {
				meeting.saw(seen);
				if (!isWithin(seen.label, 'workspace')) deps.db.write((tx) => beginUnseen(tx, { stepKey, runId, at: deps.clock.now() }));
			},
			seen: (before) => {
				const written = workspaceChanges(deps.db.read, { afterSeq: before.seq }).filter(({ root }) => root === undefined);
				return joined([meeting.all(), ...written]);
			},
			end: meeting.end,
		};
	}

	function trust({ files, others, incomplete }: WorkspaceLook): Seen {
		const place = { mine: deps.isMine() };
		const found: ContextSource[] = [];
		let label: Label = incomplete ? 'external' : 'workspace';
		for (const [path, { hash }] of files) {
			// It can't get worse.
			if (label === 'external' && found.length >= NAMED_SOURCES) break;
			if (hash === undefined) continue;
			const { label: one } = trustOf(deps.db.read, hash, place);
			if (one === 'workspace' || one === 'agent' || one === 'owner') continue;
			label = joinLabels(label, one);
			if (found.length < NAMED_SOURCES || one === 'external')
				found.push({ kind: 'file', name: sourceName(`workspace/${path}`), label: one, hash });
		}
		const rest: ContextSource[] = incomplete
			? [{ kind: 'file', name: 'Files of workspace/ that were too many or too large to look at', label: 'external' }]
			: [];
		const names = label === 'external' ? label : labelOfNames(files, others, place.mine);
		if (names !== 'workspace') rest.push({ kind: 'file', name: 'Names of what lies in workspace/', label: names });
		const sources = joinSources(rest, found).slice(0, NAMED_SOURCES);
		return { label: joinLabels(label, labelOfSources(sources)), sources };
	}

	/** Names, and what links say, are read by whoever lists a folder: they are trusted as whoever gave them, whatever the files hold. */
	function labelOfNames(files: WorkspaceLook['files'], others: WorkspaceLook['others'], mine: boolean): Label {
		const paths = [...files.keys(), ...others.keys()];
		let label: Label = 'workspace';
		for (let at = 0; at < paths.length && label !== 'external'; at += NAMES_AT_ONCE) {
			const some = paths.slice(at, at + NAMES_AT_ONCE);
			const ofFiles = labelsOfNames(deps.db.read, some);
			const hashes = some.map((path) => nameHash(path, others.get(path)));
			const recorded = labelsOfHashes(deps.db.read, hashes);
			for (const [index, path] of some.entries()) {
				const says = others.get(path) ?? '';
				const given = [...(says === '' ? (ofFiles.get(path) ?? []) : []), ...(recorded.get(hashes[index] ?? '') ?? [])];
				label = joinLabels(label, ...(given.length > 0 ? given : [mine ? ('workspace' as const) : ('external' as const)]));
			}
		}
		return label;
	}

	async function record(before: WorkspaceLook, by: ByCommand): Promise<CommandChanges> {
		// What a command did is written down even where the run was stopped.
		const after = await look(new AbortController().signal, 'after');
		const changed = compare(before, after).filter(({ path, now }) => !writtenByHearth(deps.db.read, path, now, before.seq));
		const kept: ((typeof changed)[number] & { held: Buffer[] })[] = [];
		const named: typeof changed = [];
		for (const one of changed) {
			const held = kept.length < MOST_KEPT ? await contentsOf(one) : undefined;
			if (held) kept.push({ ...one, held });
			else named.push(one);
		}
		for (let at = 0; at < kept.length; at += AT_ONCE) {
			const some = kept.slice(at, at + AT_ONCE);
			const contents = some.flatMap(({ held }) => held);
			await deps.blobs.putAll(contents, () => deps.db.write((tx) => some.forEach((one) => void insertDone(tx, one, by))));
		}
		for (let at = 0; at < named.length; at += AT_ONCE * 10) {
			const some = named.slice(at, at + AT_ONCE * 10);
			deps.db.write((tx) => some.forEach(({ now }) => void label(tx, now?.hash, by)));
		}
		const names = newNames(before, after);
		for (let at = 0; at < names.length; at += AT_ONCE * 10) {
			const some = names.slice(at, at + AT_ONCE * 10);
			deps.db.write((tx) => some.forEach((hash) => void label(tx, hash, by)));
		}
		const incomplete = before.incomplete || after.incomplete;
		if (!incomplete) deps.db.write((tx) => endUnseen(tx, by.stepKey));
		const told = (list: typeof changed, restorable: boolean) => list.map(({ path, change }) => ({ path, change, restorable }));
		return { files: [...told(kept, true), ...told(named, false)], incomplete };
	}

	/** What was there and what is there now, as bytes, so far as nothing keeps them yet; undefined where it could not be put back. */
	async function contentsOf({ path, was, now }: Change): Promise<Buffer[] | undefined> {
		if (!isLedgerPath(path)) return undefined;
		const held: Buffer[] = [];
		if (was) {
			if (was.held) held.push(was.held);
			else if (was.hash === undefined || !keepsContent(deps.db.read, was.hash)) return undefined;
		}
		if (now) {
			if (now.held) held.push(now.held);
			else if (now.hash === undefined || !keepsContent(deps.db.read, now.hash)) return undefined;
		}
		return held;
	}

	function insertDone(tx: WriteDb, { path, was, now }: Change, by: ByCommand): void {
		const { runId, step, label: labelled } = by;
		const change = {
			runId,
			step,
			restoreId: undefined,
			stepKey: undefined,
			path,
			root: undefined,
			before: was?.hash ?? null,
			after: now?.hash ?? null,
			bytes: now?.bytes ?? 0,
			label: labelled,
			sources: by.sources,
			at: deps.clock.now(),
		};
		const seq = insertWorkspaceChange(tx, change);
		endWorkspaceChange(tx, seq, 'done');
		deps.changed?.(tx, { ...change, seq, status: 'done' });
	}

	function label(tx: WriteDb, hash: string | undefined, { label: labelled, sources, runId }: ByCommand): void {
		if (hash === undefined) return;
		recordContentLabel(tx, { hash, place: 'workspace', label: labelled, sources, runId, at: deps.clock.now() });
	}

	return { begin, look, trust, record };
}

interface Change {
	readonly path: string;
	readonly change: 'created' | 'changed' | 'deleted';
	readonly was: SeenFile | undefined;
	readonly now: SeenFile | undefined;
}

/** Stands for a name as for bytes. `says`: of what is no file. */
function nameHash(path: string, says: string | undefined): string {
	return sha256(`name of ${says === undefined || says === '' ? 'what lies there' : says}\n${path}`);
}

function newNames(before: WorkspaceLook, after: WorkspaceLook): string[] {
	const files = [...after.files.keys()].filter((path) => !before.files.has(path) && before.others.get(path) !== '');
	const others = [...after.others].filter(([path, says]) => before.others.get(path) !== says && !(says === '' && before.files.has(path)));
	return [...files.map((path) => nameHash(path, undefined)), ...others.map(([path, says]) => nameHash(path, says))];
}

/** Files whose content differs. One that was not read before or after counts as changed where its size does. */
function compare(before: WorkspaceLook, after: WorkspaceLook): Change[] {
	const changes: Change[] = [];
	for (const [path, now] of after.files) {
		const was = before.files.get(path);
		if (!was) changes.push({ path, change: 'created', was, now });
		else if (was.hash !== now.hash || was.bytes !== now.bytes) changes.push({ path, change: 'changed', was, now });
	}
	for (const [path, was] of before.files) if (!after.files.has(path)) changes.push({ path, change: 'deleted', was, now: undefined });
	return changes;
}

/** Another step wrote it meanwhile, and it is in the ledger. */
function writtenByHearth(db: ReadDb, path: string, now: SeenFile | undefined, seq: number): boolean {
	const last = lastChangeOfPath(db, path);
	return last !== undefined && last.seq > seq && last.after === (now?.hash ?? null);
}

/** Whether the files' ledger takes such a name: what begins with a dot is left to other programs. */
function isLedgerPath(path: string): boolean {
	return nameProblem(path) === undefined;
}
