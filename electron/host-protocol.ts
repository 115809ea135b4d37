import { z } from 'zod';
import { BACKGROUND_LINES } from '../src/contract/background-state.ts';
import { ProfileName, Settings } from '../src/contract/methods/profile.ts';
import { ErrorShape } from '../src/domain/errors.ts';
import { Timestamp } from '../src/domain/ids.ts';
import { Noticed } from '../src/domain/noticed.ts';

/**
 * What the shell and the runtime process say to each other, beside the windows' own ports. The same over a utility process
 * (which is given real MessagePorts) and over a plain Node child (whose ports are carried by `port_message`).
 */

/** A window's channel, numbered by the shell; a number is never used twice. */
const PortNumber = z.number().int().nonnegative();
const PortData = z.custom<string | Uint8Array>((value) => typeof value === 'string' || value instanceof Uint8Array);
const PortMessage = z.object({ type: z.literal('port_message'), port: PortNumber, data: PortData });
const PortClosed = z.object({ type: z.literal('port_closed'), port: PortNumber });

export const HostMode = z.enum(['utility-process', 'child-process']);
export type HostMode = z.infer<typeof HostMode>;

export const Keychain = z.object({
	/** The operating system encrypts: a key given to `encrypt` can be read back only by this user's Hearth. */
	available: z.boolean(),
	/** The name of what encrypts, such as `gnome_libsecret`, `dpapi`, `keychain`; `basic_text` protects nothing. */
	backend: z.string(),
});
export type Keychain = z.infer<typeof Keychain>;

export const HostStart = z.object({
	type: z.literal('start'),
	home: z.string(),
	profile: ProfileName,
	hostMode: HostMode,
	rendererFolder: z.string(),
	/** Which Electron is in use and why, in words. */
	electronWhy: z.string(),
	versions: z.record(z.string(), z.string()),
	keychain: Keychain,
	/** Earlier lives in this start of the app, and how the last one ended. */
	restarts: z.number().int(),
	lastEnd: z.string().optional(),
});
export type HostStart = z.infer<typeof HostStart>;

export const ToRuntime = z.discriminatedUnion('type', [
	HostStart,
	/** A new channel. In a utility process the message carries its MessagePort. */
	z.object({ type: z.literal('port_opened'), port: PortNumber }),
	PortMessage,
	PortClosed,
	z.object({ type: z.literal('keychain_answer'), request: z.number().int(), value: z.string().optional() }),
	/** The owner's word in the tray. */
	z.object({ type: z.literal('work'), action: z.enum(['pause_all', 'resume_all']) }),
	z.object({ type: z.literal('noticed'), noticed: Noticed }),
	/** What comes until then, for the question before a quit. Answered by `coming`. */
	z.object({ type: z.literal('coming'), request: z.number().int(), until: Timestamp }),
	/** The owner's word in that question: from now on a closed window leaves Hearth running. */
	z.object({ type: z.literal('keep_in_tray') }),
	z.object({ type: z.literal('stop') }),
]);
export type ToRuntime = z.infer<typeof ToRuntime>;

export const ShellSettings = Settings.pick({
	theme: true,
	quickWindowHotkey: true,
	notifications: true,
	keepInTray: true,
	startAtLogin: true,
	askBeforeQuit: true,
});
export type ShellSettings = z.infer<typeof ShellSettings>;

/** `next`: of the tasks, by time; none where nothing comes, or all is paused. `missed`: what the owner has not seen to. */
export const TasksTold = z.object({
	next: z.object({ title: z.string(), at: Timestamp }).optional(),
	missed: z.number().int().nonnegative(),
});
export type TasksTold = z.infer<typeof TasksTold>;

/** A run that comes. */
export const ComingTold = z.object({ taskId: z.string(), title: z.string(), at: Timestamp });
export type ComingTold = z.infer<typeof ComingTold>;

export const FromRuntime = z.discriminatedUnion('type', [
	z.object({ type: z.literal('ready') }),
	/** It will not start, and starting it again would end the same way; it exits after this. */
	z.object({ type: z.literal('refused'), error: ErrorShape }),
	PortMessage,
	PortClosed,
	/** `encrypt` takes text and gives base64, `decrypt` the other way round. Answered by `keychain_answer`, without a value where it failed. */
	z.object({ type: z.literal('keychain_request'), request: z.number().int(), action: z.enum(['encrypt', 'decrypt']), value: z.string() }),
	/** What the shell needs of the profile's settings; sent after `ready` and whenever one changed. */
	z.object({ type: z.literal('settings'), settings: ShellSettings }),
	/** How work of its own stands, how many findings wait, and what comes; sent after `ready` and whenever that changed. */
	z.object({
		type: z.literal('work'),
		state: z.enum(BACKGROUND_LINES),
		findings: z.number().int().nonnegative(),
		tasks: TasksTold,
	}),
	/** By time. `more`: there are others. */
	z.object({ type: z.literal('coming'), request: z.number().int(), runs: z.array(ComingTold), more: z.boolean() }),
]);
export type FromRuntime = z.infer<typeof FromRuntime>;
export type WorkTold = Omit<Extract<FromRuntime, { type: 'work' }>, 'type'>;
