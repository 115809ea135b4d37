import type { HearthClient } from '../contract/contract.ts';
import type { SessionSummary } from '../contract/shapes.ts';
import { terminal } from '../domain/errors.ts';
import { localMinute } from '../domain/local-day.ts';
import type { Door } from './door.ts';
import type { Output } from './output.ts';

/** What a command gets: where to write, and the way to the runtime. It gives its exit code back. */
export interface CommandContext {
	readonly output: Output;
	readonly profileFolder: string;
	readonly door: Door;
	readonly rpc: HearthClient;
}

/** A session by its id, the unique beginning of one, or `last`. No id at all (a script's empty variable) is none: it would fit an only chat. */
export async function findSession(rpc: HearthClient, given: string): Promise<SessionSummary> {
	const { sessions } = await rpc.sessions.list();
	if (given === 'last') {
		const newest = [...sessions].sort((left, right) => right.updatedAt - left.updatedAt)[0];
		if (newest) return newest;
		throw terminal('not_found', 'There is no chat yet.', { action: 'Start one with: hearth chat "…"' });
	}
	const exact = sessions.find((session) => session.id === given);
	if (exact) return exact;
	const matches = given === '' ? [] : sessions.filter((session) => session.id.startsWith(given));
	if (matches.length === 1 && matches[0]) return matches[0];
	throw terminal(
		'not_found',
		matches.length > 1 ? `“${given}” fits ${matches.length} chats.` : `There is no chat with the id “${given}”.`,
		{ action: 'List them with: hearth sessions list' },
	);
}

/** A time to come; of less than a minute off the second counts. */
export function dueText(timestamp: number): string {
	const off = timestamp - Date.now();
	return off > 0 && off < 60_000 ? `${when(timestamp)}:${String(new Date(timestamp).getSeconds()).padStart(2, '0')}` : when(timestamp);
}

export function when(timestamp: number): string {
	return localMinute(timestamp);
}
