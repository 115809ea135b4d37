import type { Tool as OfferedTool } from '@modelcontextprotocol/client';
import type { WriteDb } from '../../db/brands.ts';
import type { Timestamp } from '../../domain/ids.ts';
import type { Json } from '../../domain/json.ts';
import type { ServerId } from '../../domain/tool-server.ts';
import { findPin, offerPin, readPins, withdrawPin } from './pin-store.ts';
import { MOST_TOOLS, offerHash, offerOf, type Pin } from './pins.ts';

export interface TakenIn {
	readonly changed: boolean;
	/** New or another than what was approved: from now on they wait for the owner. */
	readonly held: readonly Pin[];
}

/** What a server offers now, beside what it offered before. Of a list without end the first are taken; of a name that comes twice, the first. */
export function takeIn(tx: WriteDb, server: ServerId, identity: Json, offered: readonly OfferedTool[], at: Timestamp): TakenIn {
	const before = new Map(readPins(tx, server).map((pin) => [pin.tool, pin]));
	const seen = new Set<string>();
	const held: Pin[] = [];
	let changed = false;
	for (const tool of offered.slice(0, MOST_TOOLS)) {
		const offer = offerOf(tool);
		if (!offer || seen.has(offer.name)) continue;
		seen.add(offer.name);
		const hash = offerHash(identity, offer);
		const known = before.get(offer.name);
		if (known?.offeredHash === hash) continue;
		changed = true;
		offerPin(tx, server, offer, hash, at);
		const pin = findPin(tx, server, offer.name);
		if (pin && pin.approvedHash !== hash) held.push(pin);
	}
	for (const { tool, offered: wasOffered } of before.values()) {
		if (seen.has(tool) || wasOffered === undefined) continue;
		changed = true;
		withdrawPin(tx, server, tool, at);
	}
	return { changed, held };
}
