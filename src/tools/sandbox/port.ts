import type { Readable } from 'node:stream';
import type { CallOrigin } from '../../net/purpose.ts';

/**
 * Where programs of tools run: commands of the agent and tool servers. A whitelist: what is not named is not there. In it there is never the
 * profile (but the folders that are given), no door of Hearth's, no other process, and no network unless it is asked for (S2, B3).
 */
export interface Sandbox {
	/** Found out once, by a real command in it. Never rejects. */
	status(): Promise<SandboxStatus>;
	/**
	 * How to start a program, for those who start it themselves. Call `dispose` when it has ended. Where there is no sandbox, or `sandboxed` is
	 * false, it is the program itself, with all the owner's rights: `Launch.sandboxed` says so. Rejects with a HearthError where the program asks
	 * for what can't be had (hosts without a network, a folder that is not there).
	 */
	launch(spec: LaunchSpec): Promise<Launch>;
	/** Starts it, with nothing on its standard input. Rejects as `launch` does, and where it can't be started. */
	start(spec: LaunchSpec): Promise<RunningProgram>;
	/** Ends every program that `start` started, and what `launch` left open. */
	close(): Promise<void>;
}

export interface SandboxStatus {
	/** `none`: a command would run with all the owner's rights, so each one asks. */
	readonly kind: 'bubblewrap' | 'seatbelt' | 'none';
	/** One or two sentences for the owner. */
	readonly why: string;
	/** What the owner can do about it. */
	readonly action?: string;
	/** Whether a command in it can reach hosts that are named. */
	readonly network: boolean;
}

/**
 * `hosts`: only these, through Hearth's own proxy: `example.com`, `*.example.com`, with a port where it is not the usual one; `ownerNamed`: the
 * owner read them and said yes, so they may be on the local network. `all`: the owner's network, as it is.
 */
export type SandboxNetwork =
	| { readonly kind: 'none' }
	| { readonly kind: 'hosts'; readonly hosts: readonly string[]; readonly ownerNamed: boolean; readonly by?: CallOrigin | undefined }
	| { readonly kind: 'all' };

export interface LaunchSpec {
	/** A name that is looked up on the PATH inside, or an absolute path. */
	readonly file: string;
	readonly args: readonly string[];
	/** Absolute; in one of `folders`, or anywhere that the program can see. */
	readonly cwd: string;
	/** What it sees beside the programs of the system. */
	readonly folders: readonly SandboxFolder[];
	/** Beside PATH, HOME, LANG, TERM and TMPDIR. Nothing of Hearth's own environment is passed on (S3). */
	readonly env?: Readonly<Record<string, string>> | undefined;
	readonly network: SandboxNetwork;
	/**
	 * `hidden`: an empty one, and of the machine only what programs need. `read`, `write`: the machine's files to read and the owner's home
	 * so, for a tool server whose owner wants that; the whole folder of Hearth stays hidden, and so do `/run` and the sockets in `/tmp`.
	 */
	readonly home?: 'hidden' | 'read' | 'write' | undefined;
	readonly limits?: Partial<SandboxLimits> | undefined;
	/** False: with all the owner's rights, which the owner was told. */
	readonly sandboxed?: boolean | undefined;
	/** What it writes to standard error comes on standard output, in order. */
	readonly mergeOutput?: boolean | undefined;
}

export interface SandboxFolder {
	/** Absolute, on this machine. */
	readonly path: string;
	readonly access: 'read' | 'write';
	/** Where it is inside, on Linux; the same place where left out. */
	readonly at?: string;
}

export interface SandboxLimits {
	/** Of one process. */
	readonly cpuSeconds: number;
	/** Memory that one process may write to, and that it may map. */
	readonly dataBytes: number;
	readonly addressBytes: number;
	readonly fileBytes: number;
	readonly openFiles: number;
	readonly processes: number;
	/** Of all of them together; looked at a few times a second. */
	readonly totalMemoryBytes: number;
	/** Of the temporary folder, which is in memory. */
	readonly temporaryBytes: number;
	/** A program that leaves less room than this on the disk is ended. */
	readonly freeDiskBytes: number;
}

export interface Launch {
	readonly file: string;
	readonly args: string[];
	readonly env: Record<string, string>;
	readonly cwd: string;
	/** False: it runs with all the owner's rights. */
	readonly sandboxed: boolean;
	dispose(): Promise<void>;
}

/** How a program ended. `over`: it was ended for this. */
export interface ProgramEnd {
	/** Null where a signal ended it. */
	readonly code: number | null;
	readonly signal: string | null;
	readonly over?: 'memory' | 'processes' | 'disk';
}

export interface RunningProgram {
	readonly sandboxed: boolean;
	readonly stdout: Readable;
	/** Empty with `mergeOutput`. */
	readonly stderr: Readable;
	/** Resolves when it and all that it started have ended. Never rejects. */
	readonly ended: Promise<ProgramEnd>;
	/** Ends it and all that it started, at once. Resolves when they are gone. */
	kill(): Promise<void>;
}
