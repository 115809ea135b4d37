import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import type { ContentFiles } from '../../base/content-files.ts';
import { sha256 } from '../../base/sha256.ts';
import type { ReadDb, WriteDb } from '../../db/brands.ts';
import type { StateDb } from '../../db/open.ts';
import { type ContextSource, joinSources, labelOfSources, sourceName } from '../../domain/context-source.ts';
import { joinLabels, type Label } from '../../domain/label.ts';
import { nameProblem } from '../../domain/memory-name.ts';
import { endWorkspaceChange, insertWorkspaceChange, keepsContent, lastChangeOfPath, lastWorkspaceSeq } from './change-store.ts';
import { recordContentLabel, trustOf } from './content-labels.ts';
import type { ChangedByStep } from './port.ts';
import type { WorkspaceDeps } from './write-path.ts';

/** What a command can read in `workspace/`, and what it changed there: found by looking before and after. */

export interface CommandFiles {
	/** All files as they are now. */
	look(signal: AbortSignal): Promise<WorkspaceLook>;
	/** The join over all that lies there: what a command that could read it hands on (S2). */
	trust(look: WorkspaceLook): { label: Label; sources: ContextSource[] };
	/**
	 * Compares with how it was before a command. What it wrote is trusted as little as `by` says; where it is small enough it is a change of the
	 * files' ledger, so that it can be put back (R4).
	 */
	record(before: WorkspaceLook, by: ByCommand): Promise<CommandChanges>;
}

/** `sources`: what the command could read. */
export type ByCommand = ChangedByStep & { readonly sources: readonly ContextSource[] };

export interface CommandChanges {
	/** By path; those that can be put back first. */
	readonly files: readonly { readonly path: string; readonly change: 'created' | 'changed' | 'deleted'; readonly restorable: boolean }[];
	/** There were too many files to compare all. */
	readonly incomplete: boolean;
}

export interface WorkspaceLook {
	readonly files: ReadonlyMap<string, SeenFile>;
	/** Some were not looked at: too many, too large, or not readable. */
	readonly incomplete: boolean;
	/** Of the files' ledger, then. */
	readonly seq: number;
}

interface SeenFile {
	/** Undefined where it was not read. */
	readonly hash: string | undefined;
	readonly bytes: number;
	/** What it held, where nothing else keeps it. */
	readonly held?: Buffer;
}

interface Known {
	readonly stamp: string;
	readonly hash: string;
}

export interface CommandFilesDeps {
	readonly db: StateDb;
	/** Absolute. */
	readonly folder: string;
	readonly blobs: Pick<ContentFiles, 'putAll'>;
	readonly clock: Clock;
	/** Told of each change in the transaction that says that it is done. */
	readonly changed?: WorkspaceDeps['changed'];
	/** The owner said that the texts of the workspace are their own. */
	readonly isMine: () => boolean;
}

const MOST_FILES = 20_000;
const MOST_DEPTH = 30;
/** Bytes that one look reads at most, and of one file. */
const MOST_READ = 400_000_000;
const LARGEST_READ = 50_000_000;
/** What can be put back: of one file, and held together while a command runs. */
const LARGEST_KEPT = 2_000_000;
const MOST_HELD = 32_000_000;
const MOST_KEPT = 500;
/** Rows and contents that are written at once. */
const AT_ONCE = 50;
const NAMED_SOURCES = 5;

export function createCommandFiles(deps: CommandFilesDeps): CommandFiles {
	/** Hashes of files that have not changed since. */
	let cache = new Map<string, Known>();

	async function look(signal: AbortSignal): Promise<WorkspaceLook> {
		const files = new Map<string, SeenFile>();
		const next = new Map<string, Known>();
		const seq = lastWorkspaceSeq(deps.db.read);
		let incomplete = false;
		let read = 0;
		let held = 0;
		for await (const path of walk(deps.folder)) {
			signal.throwIfAborted();
			if (path === undefined || files.size >= MOST_FILES) {
				incomplete = true;
				if (path === undefined) continue;
				break;
			}
			const seen = await seeFile(join(deps.folder, path), cache.get(path), {
				mayRead: (bytes) => bytes <= LARGEST_READ && read + bytes <= MOST_READ,
				mustHold: (hash, bytes) => bytes <= LARGEST_KEPT && held + bytes <= MOST_HELD && !keepsContent(deps.db.read, hash),
			});
			if (seen === undefined) continue;
			read += seen.read;
			held += seen.file.held?.length ?? 0;
			files.set(path, seen.file);
			if (seen.file.hash === undefined) incomplete = true;
			else next.set(path, { stamp: seen.stamp, hash: seen.file.hash });
		}
		cache = next;
		return { files, incomplete, seq };
	}

	function trust({ files, incomplete }: WorkspaceLook): { label: Label; sources: ContextSource[] } {
		const place = { mine: deps.isMine() };
		const found: ContextSource[] = [];
		let label: Label = incomplete ? 'external' : 'workspace';
		for (const [path, { hash }] of files) {
			if (hash === undefined) continue;
			const { label: one } = trustOf(deps.db.read, hash, place);
			if (one === 'workspace' || one === 'agent' || one === 'owner') continue;
			label = joinLabels(label, one);
			if (found.length < NAMED_SOURCES * 10) found.push({ kind: 'file', name: sourceName(`workspace/${path}`), label: one, hash });
		}
		const rest: ContextSource[] = incomplete
			? [{ kind: 'file', name: 'Files of workspace/ that were too many or too large to look at', label: 'external' }]
			: [];
		const sources = joinSources(rest, found).slice(0, NAMED_SOURCES);
		return { label: joinLabels(label, labelOfSources(sources)), sources };
	}

	async function record(before: WorkspaceLook, by: ByCommand): Promise<CommandChanges> {
		// What a command did is written down even where the run was stopped.
		const after = await look(new AbortController().signal);
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
		const told = (list: typeof changed, restorable: boolean) => list.map(({ path, change }) => ({ path, change, restorable }));
		return { files: [...told(kept, true), ...told(named, false)], incomplete: before.incomplete || after.incomplete };
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

	return { look, trust, record };
}

interface Change {
	readonly path: string;
	readonly change: 'created' | 'changed' | 'deleted';
	readonly was: SeenFile | undefined;
	readonly now: SeenFile | undefined;
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

/** Files below, by path with `/`; undefined for a folder that can't be looked into. Links are not followed. */
async function* walk(root: string): AsyncGenerator<string | undefined> {
	const folders = [''];
	for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
		const entries = await opendir(join(root, folder)).catch(() => undefined);
		if (!entries) {
			yield undefined;
			continue;
		}
		try {
			for await (const entry of entries) {
				const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
				if (entry.isFile()) yield path;
				else if (!entry.isDirectory()) continue;
				else if (path.split('/').length > MOST_DEPTH) yield undefined;
				else folders.push(path);
			}
		} catch {
			yield undefined;
		}
	}
}

async function seeFile(
	absolute: string,
	known: Known | undefined,
	may: { mayRead(bytes: number): boolean; mustHold(hash: string, bytes: number): boolean },
): Promise<{ file: SeenFile; stamp: string; read: number } | undefined> {
	const file = await open(absolute, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0)).catch(() => undefined);
	if (!file) return { file: { hash: undefined, bytes: 0 }, stamp: '', read: 0 };
	try {
		const info = await file.stat({ bigint: true });
		if (!info.isFile()) return undefined;
		const bytes = Number(info.size);
		// The time of the last change of any kind can't be set back by a program.
		const stamp = [info.ino, info.size, info.mtimeNs, info.ctimeNs].join(':');
		if (known?.stamp === stamp && !may.mustHold(known.hash, bytes)) return { file: { hash: known.hash, bytes }, stamp, read: 0 };
		if (!may.mayRead(bytes)) return { file: { hash: undefined, bytes }, stamp, read: 0 };
		const content = await file.readFile();
		const hash = sha256(content);
		const held = may.mustHold(hash, content.length) ? { held: content } : {};
		return { file: { hash, bytes: content.length, ...held }, stamp, read: content.length };
	} finally {
		await file.close();
	}
}
