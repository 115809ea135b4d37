import type { HearthClient } from '../contract/contract.ts';
import { terminal } from '../domain/errors.ts';
import type { WatchedSource } from '../domain/heartbeat.ts';

/** A source by its name, its id or the unique beginning of that. */
export async function findSource(rpc: HearthClient, given: string): Promise<WatchedSource> {
	const { sources } = await rpc.sources.list();
	const exact = sources.find(({ id }) => id === given);
	const matches = exact ? [exact] : sources.filter(({ id, title }) => title === given || (given !== '' && id.startsWith(given)));
	const [only] = matches;
	if (only && matches.length === 1) return only;
	throw terminal('not_found', matches.length > 1 ? `“${given}” fits ${matches.length} sources.` : `There is no source “${given}”.`, {
		action: 'List them with: hearth sources list',
	});
}
