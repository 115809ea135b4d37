import type { Tool as OfferedTool } from '@modelcontextprotocol/client';
import type { Clock } from '../../base/clock.ts';
import type { StateDb } from '../../db/open.ts';
import { terminal } from '../../domain/errors.ts';
import type { ServerId, ServerTool, ToolServerConfig } from '../../domain/tool-server.ts';
import type { AuditLog } from '../../firewall/ports.ts';
import type { Tool } from '../port.ts';
import { approvedEntry, heldEntry, unapprovedEntry } from './audit.ts';
import { modelName } from './names.ts';
import { approvePin, dropPins, findPin, readPins, setPinReadOnly, unapprovePin } from './pin-store.ts';
import { identityOf, type Pin, pinState, problemsOf } from './pins.ts';
import { takeIn } from './take-in.ts';
import { agentTool, type CallServerTool } from './tool.ts';
import { serverToolView } from './view.ts';

export interface PinnedToolsDeps {
	readonly db: StateDb;
	readonly audit: AuditLog;
	readonly clock: Clock;
	/** The servers as they are configured now. */
	readonly configured: () => readonly ToolServerConfig[];
	/** Something that the owner sees of a server's tools changed. */
	readonly changed: () => void;
}

/** What is known of a server's tools, made anew when any of it changed. */
interface Shelf {
	/** Approved, by the agent's name of them. */
	readonly tools: ReadonlyMap<string, Tool>;
	/** By name: why it is not offered. */
	readonly held: ReadonlyMap<string, string>;
}

/** What tool servers offer, and what of it the owner approved: only that becomes a tool of the agent's (S2). */
export class PinnedTools {
	readonly #deps: PinnedToolsDeps;
	readonly #call: CallServerTool;
	readonly #shelves = new Map<ServerId, { of: ToolServerConfig; shelf: Shelf }>();

	constructor(deps: PinnedToolsDeps, call: CallServerTool) {
		this.#deps = deps;
		this.#call = call;
	}

	/** Approved, by name. */
	toolsOf(server: ToolServerConfig): ReadonlyMap<string, Tool> {
		return this.#shelf(server).tools;
	}

	/** Why a tool of this name is not among them; undefined where the server never offered it. */
	heldOf(server: ToolServerConfig, name: string): string | undefined {
		return this.#shelf(server).held.get(name);
	}

	/** As the owner looks at them. */
	viewOf(id: ServerId): ServerTool[] {
		const pins = readPins(this.#deps.db.read, id);
		const problems = problemsOf(id, pins);
		return pins.map((pin) => serverToolView(id, pin, problems.get(pin.tool)));
	}

	isOfferedAs(id: ServerId, tool: string, hash: string): boolean {
		return findPin(this.#deps.db.read, id, tool)?.offeredHash === hash;
	}

	/** What the server offers now. What is new or another than approved is held. */
	takeIn(server: ToolServerConfig, offered: readonly OfferedTool[]): void {
		const { db, clock, audit } = this.#deps;
		const { changed } = db.write((tx) => {
			const taken = takeIn(tx, server.id, identityOf(server.transport), offered, clock.now());
			audit.append(
				tx,
				taken.held.map((pin) => heldEntry(server, pin)),
			);
			return taken;
		});
		if (changed) this.#changed(server.id);
	}

	/** Approves exactly what was shown. Throws `stale` where any of it is another by now, or can't be used: then nothing is approved. */
	approve(server: ToolServerConfig, tools: readonly { tool: string; shownHash: string }[]): void {
		const { db, clock, audit } = this.#deps;
		db.write((tx) => {
			const problems = problemsOf(server.id, readPins(tx, server.id));
			for (const { tool, shownHash } of tools) {
				const pin = findPin(tx, server.id, tool);
				if (pin?.offeredHash !== shownHash || problems.has(tool)) {
					throw terminal('stale', `“${tool}” is not what was shown any more.`, {
						safe: 'Nothing was approved.',
						action: 'Look at it again.',
					});
				}
				approvePin(tx, server.id, tool, clock.now());
				audit.append(tx, [approvedEntry(server, pin)]);
			}
		});
		this.#changed(server.id);
	}

	unapprove(server: ToolServerConfig, tool: string): void {
		const { db, clock, audit } = this.#deps;
		db.write((tx) => {
			const pin = needed(findPin(tx, server.id, tool), tool);
			unapprovePin(tx, server.id, tool, clock.now());
			audit.append(tx, [unapprovedEntry(server, pin)]);
		});
		this.#changed(server.id);
	}

	setReadOnly({ id }: ToolServerConfig, tool: string, readOnly: boolean): void {
		this.#deps.db.write((tx) => {
			const { approvedHash } = needed(findPin(tx, id, tool), tool);
			if (approvedHash === undefined) throw terminal('conflict', `“${tool}” is not approved.`, { action: 'Approve it first.' });
			setPinReadOnly(tx, id, tool, readOnly);
		});
		this.#changed(id);
	}

	/** The server is gone, or its address or command is another now: nothing of it is approved. */
	drop(id: ServerId): void {
		this.#deps.db.write((tx) => dropPins(tx, id));
		this.#changed(id);
	}

	#shelf(server: ToolServerConfig): Shelf {
		const known = this.#shelves.get(server.id);
		if (known?.of === server) return known.shelf;
		const shelf = this.#stocked(server);
		this.#shelves.set(server.id, { of: server, shelf });
		return shelf;
	}

	#stocked(server: ToolServerConfig): Shelf {
		const pins = readPins(this.#deps.db.read, server.id);
		const problems = problemsOf(server.id, pins);
		const tools = new Map<string, Tool>();
		const held = new Map<string, string>();
		for (const pin of pins) {
			const name = modelName(server.id, pin.tool);
			const { approved: offer, approvedHash: hash, readOnly } = pin;
			const isApproved = pinState(pin, problems.get(pin.tool)) === 'approved';
			const tool = isApproved && offer && hash !== undefined && agentTool({ server, offer, hash, readOnly }, this.#call);
			if (tool) tools.set(name, tool);
			else held.set(name, whyHeld(server, pin));
		}
		return { tools, held };
	}

	#changed(id: ServerId): void {
		this.#shelves.delete(id);
		this.#deps.changed();
	}
}

/** Also for the owner, who reads it in the chat. */
function whyHeld({ title }: ToolServerConfig, { tool, approvedHash, offeredHash }: Pin): string {
	const which = `“${tool}” of the tool server “${title}”`;
	if (approvedHash !== undefined && offeredHash === undefined) return `${which} was approved, and the server no longer offers it.`;
	const why = approvedHash === undefined ? 'is new' : 'changed since the owner approved it';
	return `${which} ${why}: it is held, and waits for the owner in Settings → Tool servers.`;
}

function needed(pin: Pin | undefined, tool: string): Pin {
	if (pin) return pin;
	throw terminal('not_found', `There is no tool “${tool}” there.`);
}
