import { z } from 'zod';
import { Timestamp } from './ids.ts';

/**
 * Where a call's text can take effect (product.md). `forget`: it wants text gone for good, which only the owner can do. `server`: the
 * arguments go to a tool server, a program of somebody else. `task`: something will be done later, by itself.
 */
export const SINKS = ['memory', 'forget', 'skill', 'file', 'shell', 'network', 'message', 'server', 'task'] as const;
export const Sink = z.enum(SINKS);
export type Sink = z.infer<typeof Sink>;

/** Sinks where what was wanted waits as a proposal, and the run goes on. */
export const HELD_SINKS = ['memory', 'forget', 'skill'] as const satisfies readonly Sink[];

/**
 * One thing that a call would touch: a sink and its scope. It says exactly what, so that a rule can decide by it, a permission can name it
 * and the owner can read it.
 */
export const Touch = z.discriminatedUnion('sink', [
	z.object({ sink: z.literal('memory') }),
	z.object({ sink: z.literal('forget') }),
	z.object({ sink: z.literal('skill'), name: z.string() }),
	/** `path`: as the owner knows it, absolute or below `workspace/`. `root`: of the granted folder that it lies in, `workspace` or an absolute path; absent where none does. */
	z.object({ sink: z.literal('file'), access: z.enum(['read', 'write']), path: z.string(), root: z.string().optional() }),
	z.object({
		sink: z.literal('shell'),
		/** The whole command, as it would run. */
		command: z.string(),
		cwd: z.string(),
		/** False: it would run with all of the owner's rights. */
		sandboxed: z.boolean(),
		/** Hosts it may reach; empty: no network. */
		hosts: z.array(z.string()),
	}),
	z.object({ sink: z.literal('network'), url: z.string(), host: z.string(), method: z.enum(['GET', 'POST']) }),
	/** `via`: the configured account or webhook. */
	z.object({ sink: z.literal('message'), via: z.string(), to: z.array(z.string()) }),
	/** `readOnly`: the owner marked the tool as one that only reads. */
	/** `readAt`: when its words were read, which a time such as “in an hour” counts from; `shownHash`: of the card that says all of it. */
	z.object({
		sink: z.literal('task'),
		title: z.string(),
		restated: z.string(),
		zone: z.string(),
		readAt: Timestamp,
		shownHash: z.string(),
	}),
	z.object({ sink: z.literal('server'), server: z.string(), tool: z.string(), readOnly: z.boolean() }),
]);
export type Touch = z.infer<typeof Touch>;
export type TouchOf<S extends Sink> = Extract<Touch, { sink: S }>;
