import type { Clock } from '../base/clock.ts';
import type { FileLogger, Logger } from '../base/logger.ts';
import type { DoctorReport } from '../contract/methods/system.ts';
import type { Transport } from '../contract/transport.ts';
import type { KeychainCipher } from '../domain/secret-port.ts';
import type { LocalAddresses } from '../model/detect.ts';
import type { Tool } from '../tools/port.ts';

export interface AppOptions {
	/** `<home>/profiles/<name>`; made where it is missing. */
	readonly profileFolder: string;
	readonly hostMode: DoctorReport['hostMode'];
	/** In place of the profile's own log files. */
	readonly logger?: Logger & Partial<Pick<FileLogger, 'keepDays'>>;
	readonly clock?: Clock;
	/** Tools beside the built-in ones; tests only. */
	readonly tools?: readonly Tool[];
	/** False for a short look: what the last life left unfinished is told as it is, but goes on only with a start that lasts. */
	readonly takeUpRuns?: boolean;
	/** It ends with the one command that it is started for: that is no start of Hearth, to tasks that wait for one. */
	readonly brief?: boolean;
	/** Memory stays as the last life left it, so that it can be compared with the disk (`memory verify`). */
	readonly memoryAsLeft?: boolean;
	/** Where to look for local model servers, in place of the usual addresses; tests only. */
	readonly localAddresses?: LocalAddresses;
	/** Where the sandbox's programs are looked for, in place of the PATH; tests only. */
	readonly sandboxPath?: string;
	/** The system's keychain, where there is a shell. */
	readonly keychain?: KeychainCipher;
	/** Unlocks keys that are kept behind one, before anything that needs them goes on. A wrong one keeps the app from starting. */
	readonly passphrase?: string | undefined;
	/** Folder of the built view for the web door; without it the door stays closed. */
	readonly rendererFolder?: string;
	/** Port of the web door; 0, the default, takes a free one. */
	readonly webPort?: number;
	/** What the shell says of itself: `electron`, `chrome`. */
	readonly shellVersions?: Readonly<Record<string, string>>;
	/** Which Electron is in use and why, in words. */
	readonly electronRuntime?: string;
}

export interface App {
	readonly profileFolder: string;
	/** Serves the contract over this transport until it closes. */
	attach(transport: Transport): void;
	/** A one-time address of the web door, which is opened where it is closed. */
	openWeb(): Promise<string>;
	/** Takes no new commands and resolves when those that came in are done: a runtime of one command does not end under another. */
	lastCommandGone(): Promise<void>;
	/** Lets what is under way come to a stop that can be resumed, then closes every door and file. */
	close(): Promise<void>;
}
