import { z } from 'zod';
import { ErrorShape } from '../../domain/errors.ts';
import { Timestamp } from '../../domain/ids.ts';
import { ServerId, ServerState, ServerTool, ServerToolName, ToolServerConfig } from '../../domain/tool-server.ts';
import { method } from './base.ts';

export const ServerView = z.object({
	server: ToolServerConfig,
	state: ServerState,
	/** What was known of it last, in an earlier life of the runtime, too. */
	last: z.object({ kind: z.string(), at: Timestamp, error: ErrorShape.optional() }).optional(),
	/** The end of what its program wrote to standard error since it was started. */
	said: z.string(),
	signedIn: z.boolean(),
	/** Names of its environment or of its headers whose value is not stored. */
	missing: z.array(z.string()),
	/** `changed`: those of the waiting ones that were approved as something else. */
	tools: z.object({ approved: z.number().int(), waiting: z.number().int(), changed: z.number().int() }),
});
export type ServerView = z.infer<typeof ServerView>;

/** Whether programs of tool servers run in a sandbox here, in words. */
export const SandboxView = z.object({ works: z.boolean(), why: z.string(), network: z.boolean() });
export type SandboxView = z.infer<typeof SandboxView>;

const one = z.object({ server: ServerId });
/** Values by name of the environment or header. They go into the secret store and never come back. */
const values = z.record(z.string(), z.string().max(20_000)).default({});

/** Tool servers (Model Context Protocol). All of it is the owner's own doing: no run reaches it. */
export const servers = {
	list: method.output(z.object({ servers: z.array(ServerView), sandbox: SandboxView, seq: z.number().int() })),
	/** Throws `conflict` where there is one with this id. */
	add: method.input(z.object({ server: ToolServerConfig, values })).output(ServerView),
	/** Another command, other arguments or another address drop all approvals and the sign-in: it is another server then. */
	update: method.input(z.object({ server: ToolServerConfig, values })).output(ServerView),
	/** With its approvals, its sign-in and its secrets. */
	remove: method.input(one).output(z.void()),
	/** Connects, where it is not connected, and asks for the tools. Throws what stands in the way. */
	connect: method.input(one).output(ServerView),
	tools: method.input(one).output(z.object({ tools: z.array(ServerTool) })),
	/** All of them or none: throws `stale` where one is not what was shown any more. */
	approveTools: method
		.input(
			one.extend({
				tools: z
					.array(z.object({ tool: ServerToolName, shownHash: z.string().length(64) }))
					.min(1)
					.max(200),
			}),
		)
		.output(z.object({ tools: z.array(ServerTool) })),
	unapproveTool: method.input(one.extend({ tool: ServerToolName })).output(z.object({ tools: z.array(ServerTool) })),
	/** The owner's word that a tool only reads. It is asked for anew once the tool changed. */
	setReadOnly: method.input(one.extend({ tool: ServerToolName, readOnly: z.boolean() })).output(z.object({ tools: z.array(ServerTool) })),
	/** Where the owner signs in, in a browser on this computer; the answer comes back by itself. */
	signIn: method.input(one).output(z.object({ url: z.string() })),
	/** `address`: where the browser was led in the end, for a browser elsewhere. */
	finishSignIn: method.input(one.extend({ address: z.string().min(1).max(20_000) })).output(ServerView),
	signOut: method.input(one).output(ServerView),
};
