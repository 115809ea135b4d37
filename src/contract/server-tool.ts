import { cutCodePoints } from '../domain/text.ts';
import type { ServerToolOffer } from '../domain/tool-server.ts';

/** Of a line that a program wrote, in characters. */
const MOST_TELLING = 300;

/** What a tool server says of a tool, for people: part by part. */
export const OFFER_PARTS = ['title', 'description', 'arguments', 'result', 'hints'] as const;
export type OfferPart = (typeof OFFER_PARTS)[number];

export interface ChangedPart {
	readonly part: OfferPart;
	/** As it was approved; empty where there was none. */
	readonly before: string;
	/** As it is offered. */
	readonly after: string;
}

/** Each part as text: of a schema, JSON with a line for each piece. Empty where the server says nothing. */
export function offerParts(offer: ServerToolOffer | undefined): Record<OfferPart, string> {
	const json = (value: unknown): string => (value === undefined ? '' : JSON.stringify(value, null, 2));
	return {
		title: offer?.title ?? '',
		description: offer?.description ?? '',
		arguments: json(offer?.inputSchema),
		result: json(offer?.outputSchema),
		hints: json(offer?.annotations),
	};
}

/** What is another now. Empty with `offered` from another address or command that says the very same. */
export function changedParts(approved: ServerToolOffer | undefined, offered: ServerToolOffer | undefined): ChangedPart[] {
	const [before, after] = [offerParts(approved), offerParts(offered)];
	return OFFER_PARTS.filter((part) => before[part] !== after[part]).map((part) => ({ part, before: before[part], after: after[part] }));
}

/** Of what a program wrote before it ended, the line that most likely says why: the last one that speaks of a failure, else the last. */
export function tellingLine(said: string): string {
	const lines = said
		.split(/[\n\r]+/)
		.map((line) => line.trim())
		.filter((line) => line !== '');
	const telling = lines.findLast((line) => /error|cannot|can[’']t|not found|no such|denied|fail/i.test(line)) ?? lines.at(-1) ?? '';
	return cutCodePoints(telling, MOST_TELLING);
}
