import type { ContextSource } from '../../domain/context-source.ts';
import type { RestoreId, RunId, SessionId, Timestamp } from '../../domain/ids.ts';
import type { Label } from '../../domain/label.ts';
import type { TouchOf } from '../../domain/sink.ts';

/** A folder that the owner has opened to a call beside `workspace/`. */
export interface Grant {
	/** Absolute, without links. Of the profile's own `workspace/`, or a folder in it, only `mine` counts. */
	readonly path: string;
	/** `write` includes reading. */
	readonly access: 'read' | 'write';
	/** The owner said that the texts in it are their own. */
	readonly mine: boolean;
	/** By the owner's yes to this very call: this one file, or what lies in this folder. */
	readonly once?: boolean;
}

/** The folders that permissions in force open to a call. */
export type GrantedFolders = (at: { runId: RunId; sessionId: SessionId }) => readonly Grant[];

/**
 * Files that the agent may work on: those below `workspace/` of the profile, and those in folders that the owner granted. Each change is journaled before it is made (R1), happens once for
 * its key (R2), and what was there before it is kept in `blobs/`, so that it can be put back (R4).
 *
 * Paths are relative to `workspace/`, with `/`, or absolute; what comes back is the path as the disk has it. A path that could lead out of its
 * folder rejects with `invalid_input`, one in no granted folder, or in a place that nobody can grant, with `tool_denied`. All rejections are
 * HearthErrors. Without `grants`, in what is for the owner, an absolute path counts where the ledger knows it.
 */
export interface WorkspaceFiles {
	/** Undefined where there is no such file. Rejects with `file_too_large` or `read_only` (a folder, a pipe …). */
	read(path: string, grants?: readonly Grant[]): Promise<WorkspaceFile | undefined>;
	/** Files and folders below a folder, folder by folder, by name. Names that begin with a dot are left out. Rejects with `not_found`. */
	list(folder: string, how: { depth: number; limit: number; signal?: AbortSignal }, grants?: readonly Grant[]): Promise<WorkspaceListing>;
	/** Of the names of these files and of the folders they are in: names are text too. */
	labelOfNames(files: readonly Pick<WorkspaceFile, 'path' | 'folder'>[]): Label;
	/** What a call with this path would touch; without `root` where it lies in no granted folder. */
	touch(path: string, access: Grant['access'], grants: readonly Grant[]): Promise<TouchOf<'file'>>;
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
	/** That of whoever wrote this content; `external` where nobody knows, `workspace` where the owner said that the texts in the folder are their own. */
	readonly label: Label;
	/** The file itself, and what is known of what its content was made from. */
	readonly sources: readonly ContextSource[];
	readonly folder: FolderOfFile;
	/** It has another name, which may lie anywhere: what it holds is not handed over. */
	readonly hasOtherNames: boolean;
	readonly modifiedAt: Timestamp;
}

/** The folder by which it was reached: `workspace`, or a granted one. */
export interface FolderOfFile {
	readonly name: string;
	readonly mine: boolean;
}

export interface WorkspaceListing {
	readonly entries: readonly WorkspaceEntry[];
	/** There are more than `limit`, or deeper ones. */
	readonly more: boolean;
	/** `workspace`, joined with those of whoever gave these names; `external` where nobody knows who did. */
	readonly label: Label;
	readonly sources: readonly ContextSource[];
	readonly folder: FolderOfFile;
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
	/** What the step had seen. */
	readonly sources?: readonly ContextSource[] | undefined;
	/** Beside `workspace/`; see `WorkspaceFiles`. */
	readonly grants?: readonly Grant[] | undefined;
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
	/** Below `workspace/`, or absolute. */
	readonly path: string;
	/** The granted folder that it lies in; undefined: `workspace/`. */
	readonly root: string | undefined;
	readonly before: string | null;
	readonly after: string | null;
	/** After it. */
	readonly bytes: number;
	readonly label: Label;
	/** What the step that made it had seen. */
	readonly sources: readonly ContextSource[];
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
