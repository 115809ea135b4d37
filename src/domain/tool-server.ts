import { z } from 'zod';
import { ErrorShape } from './errors.ts';
import { Timestamp } from './ids.ts';
import { Inspection } from './inspection.ts';
import { Json } from './json.ts';

/** Part of the names of its tools, and so short and plain; without an underscore, so that no two servers and tools can share a name. */
export const ServerId = z
	.string()
	.regex(/^[a-z][a-z0-9]{1,23}$/, 'Use 2 to 24 small letters and digits, beginning with a letter.')
	.brand<'ServerId'>();
export type ServerId = z.infer<typeof ServerId>;

/** A tool's name as its server says it: any text. */
export const ServerToolName = z.string().min(1).max(200);

const name = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, 'A name of the environment has letters, digits and underscores.');
const header = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'This is not a name of a header.');
const unique = (list: readonly string[]): boolean => new Set(list.map((one) => one.toLowerCase())).size === list.length;
const pathLike = z.string().min(1).max(4_000);

/** How a server is reached. What is secret in it lies in the secret store: here are names only (S3). */
export const ServerTransport = z.discriminatedUnion('kind', [
	z.object({
		kind: z.literal('stdio'),
		command: pathLike,
		args: z.array(z.string().max(4_000)).max(100).default([]),
		/** Variables of its environment, which holds nothing else. */
		env: z.array(name).max(50).default([]).refine(unique, 'A name is there twice.'),
	}),
	z.object({
		kind: z.literal('http'),
		url: z.url({ protocol: /^https?$/ }).max(2_000),
		headers: z.array(header).max(50).default([]).refine(unique, 'A header is there twice.'),
		/** For signing in where Hearth can't register itself. No secret. */
		clientId: z.string().min(1).max(500).optional(),
	}),
]);
export type ServerTransport = z.infer<typeof ServerTransport>;

/** Which hosts a program that is started as a server may reach. `all`: the network as it is. */
export const ServerNetwork = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('none') }),
	/** `example.com`, `*.example.com`, with a port where it is not the usual one. */
	z.object({ kind: z.literal('hosts'), hosts: z.array(z.string().min(1).max(300)).min(1).max(50) }),
	z.object({ kind: z.literal('all') }),
]);
export type ServerNetwork = z.infer<typeof ServerNetwork>;

/** What a program that is started as a server may see beside itself: Hearth's own folder never. Of a server elsewhere it says nothing. */
export const ServerAccess = z.object({
	/** Absolute. */
	folders: z
		.array(z.object({ path: pathLike, access: z.enum(['read', 'write']) }))
		.max(50)
		.default([]),
	/** The owner's home, and the files of the machine to read. */
	home: z.enum(['hidden', 'read', 'write']).default('hidden'),
	network: ServerNetwork.default({ kind: 'none' }),
	/** The owner said yes to it running with all of their rights where no sandbox works. */
	unsandboxed: z.boolean().default(false),
});
export type ServerAccess = z.infer<typeof ServerAccess>;

/** A tool server as it stands in config.json. */
export const ToolServerConfig = z.object({
	id: ServerId,
	/** For people. */
	title: z.string().trim().min(1).max(60),
	transport: ServerTransport,
	access: ServerAccess.prefault({}),
	enabled: z.boolean().default(true),
});
export type ToolServerConfig = z.infer<typeof ToolServerConfig>;

/** How the connection stands. `waiting`: it is tried again at `until`. */
export const ServerState = z.discriminatedUnion('kind', [
	z.object({ kind: z.literal('off') }),
	z.object({ kind: z.literal('connecting') }),
	/** `serverName`, `protocol`: as the server says them. */
	z.object({ kind: z.literal('connected'), since: Timestamp, protocol: z.string().max(40), serverName: z.string().max(100) }),
	z.object({ kind: z.literal('waiting'), until: Timestamp, error: ErrorShape }),
	z.object({ kind: z.literal('needs_sign_in') }),
	z.object({ kind: z.literal('failed'), error: ErrorShape }),
]);
export type ServerState = z.infer<typeof ServerState>;

/** What a server says of a tool: all of it is the server's words. */
export const ServerToolOffer = z.object({
	name: ServerToolName,
	title: z.string().optional(),
	description: z.string(),
	inputSchema: Json,
	outputSchema: Json.optional(),
	annotations: Json.optional(),
});
export type ServerToolOffer = z.infer<typeof ServerToolOffer>;

/**
 * `new`: never approved. `approved`: offered to the agent. `changed`: it was approved as something else, and is held. `gone`: approved, and the
 * server no longer offers it. `unusable`: it can't be used, whatever the owner says.
 */
export const PinState = z.enum(['new', 'approved', 'changed', 'gone', 'unusable']);
export type PinState = z.infer<typeof PinState>;

export const ServerTool = z.object({
	tool: ServerToolName,
	/** As the agent knows it. */
	name: z.string(),
	state: PinState,
	/** What an approval has to name: of the server's address or command, and all that it says of the tool. Absent where it is gone. */
	shownHash: z.string().length(64).optional(),
	offered: ServerToolOffer.optional(),
	approved: ServerToolOffer.optional(),
	readOnly: z.boolean(),
	/** The server calls it read-only. A hint of the server's, which decides nothing. */
	saysReadOnly: z.boolean(),
	/** What the detectors say of the words of the server. */
	inspection: Inspection,
	/** Why it is unusable, or what is odd about it. */
	problem: z.string().optional(),
	changedAt: Timestamp,
});
export type ServerTool = z.infer<typeof ServerTool>;
