import type { Tool as OfferedTool } from '@modelcontextprotocol/client';
import { sha256 } from '../../base/sha256.ts';
import { canonicalJson, isDeeperThan, Json } from '../../domain/json.ts';
import { repairSurrogatesDeep } from '../../domain/text.ts';
import { type PinState, type ServerId, ServerToolName, type ServerToolOffer, type ServerTransport } from '../../domain/tool-server.ts';
import { isPlainName, modelName } from './names.ts';
import { readSchema } from './schema.ts';

/** Pinning (S2): what a server says of a tool is bound to its hash, and anything else is held until the owner has seen it. */

/** Most tools of a server that are looked at. */
export const MOST_TOOLS = 200;
/** Most characters of all that is said of one tool. */
const MOST_OFFER_CHARS = 100_000;
/** Of lists and objects in each other: no schema of a person's making goes so deep. */
const MOST_OFFER_DEPTH = 64;

/** One tool as it was offered last and as it was approved. */
export interface Pin {
	readonly tool: string;
	readonly offered: ServerToolOffer | undefined;
	readonly offeredHash: string | undefined;
	readonly approved: ServerToolOffer | undefined;
	readonly approvedHash: string | undefined;
	readonly readOnly: boolean;
	readonly changedAt: number;
}

/** Who a server is: another address, command or argument is another server, whose tools nobody has approved. */
export function identityOf(transport: ServerTransport): Json {
	return transport.kind === 'stdio'
		? { kind: 'stdio', command: transport.command, args: transport.args }
		: { kind: 'http', url: transport.url };
}

export function isSameServer(a: ServerTransport, b: ServerTransport): boolean {
	return canonicalJson(identityOf(a)) === canonicalJson(identityOf(b));
}

/** All that a server says of a tool that a model, a rule or the owner might go by. Undefined where its name, or how deep it nests, makes it useless. */
export function offerOf(tool: OfferedTool): ServerToolOffer | undefined {
	const name = ServerToolName.safeParse(tool.name);
	if (!name.success || isDeeperThan(tool, MOST_OFFER_DEPTH)) return undefined;
	const { title, description = '', inputSchema, outputSchema, annotations } = repairSurrogatesDeep(tool);
	const offer: ServerToolOffer = {
		name: name.data,
		description,
		inputSchema: Json.parse(inputSchema),
		...(title !== undefined && { title }),
		...(outputSchema !== undefined && { outputSchema: Json.parse(outputSchema) }),
		...(annotations !== undefined && { annotations: Json.parse(annotations) }),
	};
	return JSON.stringify(offer).length > MOST_OFFER_CHARS ? undefined : offer;
}

export function offerHash(identity: Json, offer: ServerToolOffer): string {
	return sha256(canonicalJson({ server: identity, offer }));
}

/** Whether the server itself says that the tool only reads. Its word, and no more than that. */
export function saysReadOnly(offer: ServerToolOffer | undefined): boolean {
	const { annotations } = offer ?? {};
	return typeof annotations === 'object' && annotations !== null && !Array.isArray(annotations) && annotations.readOnlyHint === true;
}

/** By tool: why it can't be used, whatever the owner says. Of several whose names come to the same, the one that was approved first stays. */
export function problemsOf(server: ServerId, pins: readonly Pin[]): Map<string, string> {
	const problems = new Map<string, string>();
	const taken = new Map<string, string>();
	const approvedFirst = pins.toSorted((a, b) => Number(b.approved !== undefined) - Number(a.approved !== undefined));
	for (const { tool, offered, approved } of approvedFirst) {
		const name = modelName(server, tool);
		const other = taken.get(name);
		const schema = readSchema((offered ?? approved)?.inputSchema ?? null);
		if (!isPlainName(tool)) problems.set(tool, 'Its name has characters that can be mistaken for others.');
		else if (other !== undefined) problems.set(tool, `Its name comes to the same as that of “${other}”.`);
		else if ('problem' in schema) problems.set(tool, schema.problem);
		if (!problems.has(tool)) taken.set(name, tool);
	}
	return problems;
}

export function pinState({ offeredHash, approvedHash }: Pin, problem: string | undefined): PinState {
	if (problem !== undefined) return 'unusable';
	if (approvedHash === undefined) return 'new';
	if (offeredHash === undefined) return 'gone';
	return offeredHash === approvedHash ? 'approved' : 'changed';
}
