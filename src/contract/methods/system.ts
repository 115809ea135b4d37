import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { LiveItem } from '../events.ts';
import { ExportedFile, Health, SandboxStatus } from '../shapes.ts';
import { method } from './base.ts';

export const Check = z.object({
	id: z.enum([
		'profile',
		'folders',
		'lock',
		'disk',
		'filesystem',
		'state_db',
		'audit',
		'config',
		'secrets',
		'models',
		'memory',
		'sandbox',
		'tool_servers',
		'work',
		'workflows',
		'socket',
	]),
	title: z.string(),
	state: z.enum(['ok', 'warning', 'failed']),
	detail: z.string(),
	action: z.string().optional(),
});
export type Check = z.infer<typeof Check>;

export const DoctorReport = z.object({
	ok: z.boolean(),
	checks: z.array(Check),
	/** Names and versions: hearth, protocol, node, electron, chrome, sqlite, sqlite-vec, os. */
	versions: z.record(z.string(), z.string()),
	/** Which Electron is in use and why, in words; absent without a shell. */
	electronRuntime: z.string().optional(),
	hostMode: z.enum(['utility-process', 'child-process', 'command-line', 'test']),
	paths: z.record(z.string(), z.string()),
	/** Bytes by part: state_db, wal, blobs, attachments, logs, backups. */
	sizes: z.record(z.string(), z.number()),
	schemaVersion: z.number().int(),
});
export type DoctorReport = z.infer<typeof DoctorReport>;

export const Hello = z.object({
	protocol: z.number().int(),
	version: z.string(),
	epoch: z.string(),
	profile: z.string(),
	profileFolder: z.string(),
	health: Health,
	/** The owner has been through the first-run screen. */
	firstRunDone: z.boolean(),
});
export type Hello = z.infer<typeof Hello>;

export const system = {
	hello: method.input(z.object({ protocol: z.number().int(), client: z.enum(['window', 'browser', 'cli', 'test']) })).output(Hello),
	/** The live stream, starting after `afterSeq` of `epoch` where given. Ends when the caller stops iterating. */
	live: method
		.input(z.object({ epoch: z.string().optional(), afterSeq: z.number().int().nonnegative().optional() }))
		.output(eventIterator(LiveItem)),
	doctor: method.input(z.object({ fast: z.boolean().default(false) })).output(DoctorReport),
	/** Versions, doctor report and logs as one text file for a bug report; holds no message text and no secrets. */
	diagnostics: method.output(ExportedFile),
	/** Tried out with a real command when this life of the runtime first needed it. */
	sandbox: method.output(SandboxStatus),
	/** Opens the loopback web door where it is not open yet, and mints a one-time address. */
	openWeb: method.output(z.object({ url: z.string() })),
	firstRunDone: method.output(z.void()),
};
