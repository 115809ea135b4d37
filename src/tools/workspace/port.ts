import type { RestoreId, RunId, Timestamp } from '../../domain/ids.ts';
import type { Label } from '../../domain/label.ts';

/**
 * Files that the agent may work on: those below `workspace/` of the profile. Each change is journaled before it is made (R1), happens once for
 * its key (R2), and what was there before it is kept in `blobs/`, so that it can be put back (R4).
 *
 * Paths are relative to `workspace/`, with `/`; what comes back is the path as the disk has it. A path that could lead out of it rejects with
 * `invalid_input`. All rejections are HearthErrors.
 */
export interface WorkspaceFiles {
	/** Undefined where there is no such file. Rejects with `file_too_large` or `read_only` (a folder, a pipe …). */
	read(path: string): Promise<WorkspaceFile | undefined>;
	/** Files and folders below a folder, folder by folder, by name. Names that begin with a dot are left out. Rejects with `not_found`. */
	list(folder: string, how: { depth: number; limit: number; signal?: AbortSignal }): Promise<WorkspaceListing>;
	/** Of the names of these files and of the folders they are in: names are text too. */
	labelOfNames(paths: readonly string[]): Label;
	/**
	 * Changes one file to what `compose` makes of it; null deletes. What `compose` throws is thrown, and nothing has changed. The same key again does
	 * nothing and gives the same outcome. Rejects with `conflict` where somebody else changed the file meanwhile: then it is as they left it.
	 */
	change(path: string, compose: (now: WorkspaceFile | undefined) => Composed, by: ChangedByStep): Promise<Changed>;
	/** There before it is gone here, under the label of its content too. Rejects with `not_found` or, where something has the new name, `conflict`. */
	move(from: string, to: string, by: ChangedByStep): Promise<Moved>;
	/** Brings changes that a crash cut off to their end. What hinders one, such as a full disk, is logged: it is tried again before the next change of its file. */
	settle(): Promise<void>;
	/** Finished changes, oldest first. */
	changes(which: WhichChanges): WorkspaceChange[];
	/**
	 * Puts contents back, each from `blobs/`; what is there now is kept first. The same key again goes on where it was cut off. Never rejects for
	 * what hinders one file: its outcome says so. Rejects where the disk or the database takes nothing.
	 */
	putBack(wanted: readonly WantedFile[], by: { restoreId: RestoreId; key: string }): Promise<PutBack[]>;
	/** Resolves when no file is being changed. */
	idle(): Promise<void>;
}

export interface WorkspaceFile {
	readonly path: string;
	readonly bytes: Buffer;
	/** SHA-256 of the bytes. */
	readonly hash: string;
	/** `workspace`, joined with that of whoever wrote this content. */
	readonly label: Label;
	readonly modifiedAt: Timestamp;
}

export interface WorkspaceListing {
	readonly entries: readonly WorkspaceEntry[];
	/** There are more than `limit`, or deeper ones. */
	readonly more: boolean;
	/** `workspace`, joined with those of whoever gave these names. */
	readonly label: Label;
}

export interface WorkspaceEntry {
	readonly path: string;
	readonly kind: 'file' | 'folder' | 'other';
	/** Of files. */
	readonly bytes: number;
	readonly modifiedAt: Timestamp;
}

/** `keepsLabel`: what was there before goes on in it, so its label does too. */
export interface Composed {
	readonly bytes: Uint8Array | null;
	readonly keepsLabel: boolean;
}

export interface ChangedByStep {
	readonly runId: RunId;
	readonly step: number;
	/** Of the call: the same in each life of the process. */
	readonly stepKey: string;
	readonly label: Label;
}

export interface Changed {
	readonly change: WorkspaceChange;
	/** It was made by this key before. */
	readonly repeated: boolean;
	/** Where another program wrote to the old file in the very moment in which it was replaced: what it wrote is in this file. */
	readonly savedBeside?: string;
}

export interface Moved {
	readonly arrived: WorkspaceChange;
	readonly left: WorkspaceChange;
	readonly repeated: boolean;
	readonly savedBeside?: string;
}

/** A row of `workspace_changes`. Hashes name contents in `blobs/`; null: no file. */
export interface WorkspaceChange {
	/** Order, whatever the clock says (dur-6). */
	readonly seq: number;
	readonly runId: RunId | undefined;
	readonly step: number | undefined;
	readonly restoreId: RestoreId | undefined;
	readonly stepKey: string | undefined;
	readonly path: string;
	readonly before: string | null;
	readonly after: string | null;
	/** After it. */
	readonly bytes: number;
	readonly label: Label;
	readonly status: 'intended' | 'done' | 'given_up';
	readonly at: Timestamp;
}

export interface WhichChanges {
	readonly runIds?: readonly RunId[];
	readonly paths?: readonly string[];
	readonly restoreId?: RestoreId;
	/** Only later ones. */
	readonly afterSeq?: number;
	readonly upToSeq?: number;
}

export interface WantedFile {
	readonly path: string;
	/** Null: no file. */
	readonly hash: string | null;
}

export interface PutBack {
	readonly path: string;
	/** `as_wanted`: it was so already. */
	readonly outcome: 'put_back' | 'as_wanted' | 'failed';
	/** Of `failed`: in words for the owner. */
	readonly why?: string;
	readonly change?: WorkspaceChange;
}
