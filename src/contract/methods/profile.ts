import { z } from 'zod';
import { ActiveHours } from '../../domain/schedule.ts';
import { Budgets } from '../../domain/spending.ts';
import { method } from './base.ts';

export const ProfileName = z
	.string()
	.regex(/^[a-z0-9][a-z0-9_-]{0,31}$/, 'Use up to 32 small letters, digits, - or _, starting with a letter or digit.');
export const ProfileInfo = z.object({
	name: z.string(),
	folder: z.string(),
	current: z.boolean(),
	running: z.boolean(),
	bytes: z.number(),
});
export type ProfileInfo = z.infer<typeof ProfileInfo>;

export const DocumentName = z.enum(['AGENT.md', 'USER.md', 'HEARTBEAT.md']);
export type DocumentName = z.infer<typeof DocumentName>;
export const OwnerDocument = z.object({
	name: DocumentName,
	text: z.string(),
	/** SHA-256 of the file as read; empty string where there is no file yet. */
	hash: z.string(),
});
export type OwnerDocument = z.infer<typeof OwnerDocument>;

/** Settings the owner may change by hand in config.json, by `config set`, or in the app. Models have methods of their own. */
export const Settings = z.object({
	theme: z.enum(['system', 'light', 'dark']),
	/** An Electron accelerator, or empty for none. */
	quickWindowHotkey: z.string().max(80),
	notifications: z.boolean(),
	/** Questions stand in notifications, to be answered there. Else a notification says no more than which chat it is. */
	questionsInNotifications: z.boolean(),
	/** Keep running in the tray when the window closes. */
	keepInTray: z.boolean(),
	/** Start hidden in the tray when the owner logs in. Only the desktop app can see to it. */
	startAtLogin: z.boolean(),
	/** Where tasks are due within a day, say so before Hearth quits. */
	askBeforeQuit: z.boolean(),
	/** Longest silence of a model before it counts as timed out, in seconds. */
	modelSilenceSeconds: z.number().int().min(5).max(3600),
	/** Most model calls one turn may make. */
	maxStepsPerTurn: z.number().int().min(1).max(200),
	/** Days that log files are kept. */
	logDays: z.number().int().min(1).max(90),
	/** When work that goes on by itself may: workflows and what they delegate. Null: always. */
	activeHours: ActiveHours.nullable(),
	/** Background work looks at its sources by itself. Off until the owner switches it on. */
	heartbeat: z.boolean(),
	/** Minutes between two looks. */
	heartbeatMinutes: z.number().int().min(5, 'Use 5 minutes or more.').max(1440, 'Use 1440 minutes (a day) or less.'),
	/** Most findings of one look, and of one of the owner's local days. */
	findingsPerLook: z.number().int().min(1).max(50),
	findingsPerDay: z.number().int().min(1).max(500),
	/** Runs of scheduled tasks that work at the same time. */
	taskRunsAtOnce: z.number().int().min(1).max(10),
	/** What may be used on one of the owner's local days. Changed by `work.setBudget`. */
	budgets: Budgets,
});
export type Settings = z.infer<typeof Settings>;

export const profiles = {
	list: method.output(z.array(ProfileInfo)),
	create: method.input(z.object({ name: ProfileName })).output(ProfileInfo),
	/** Deletes a profile that is not the current one and is not running. `confirmName` must repeat the name. */
	delete: method.input(z.object({ name: ProfileName, confirmName: z.string() })).output(z.void()),
};

export const documents = {
	get: method.input(z.object({ name: DocumentName })).output(OwnerDocument),
	/** `baseHash` is the hash the edit started from; when the file changed meanwhile: `conflict`, nothing is written. */
	save: method.input(z.object({ name: DocumentName, text: z.string().max(1_000_000), baseHash: z.string() })).output(OwnerDocument),
};

export const settings = {
	get: method.output(Settings),
	set: method.input(Settings.omit({ budgets: true }).partial()).output(Settings),
};
