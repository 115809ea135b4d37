import type { RunId, SessionId } from '../../src/domain/ids.ts';
import type { Json } from '../../src/domain/json.ts';
import type { ToolContext } from '../../src/tools/port.ts';

/** What a tool that is called outside of a run is given. Its notes live as long as this does. */
export function toolContext(more: Partial<ToolContext> = {}): ToolContext {
	const notes = new Map<string, Json>();
	return {
		runId: 'r' as RunId,
		sessionId: 's' as SessionId,
		step: 1,
		idempotencyKey: 'r:1:c',
		signal: new AbortController().signal,
		label: 'agent',
		plan: undefined,
		touches: [],
		mayTouch: () => true,
		namedBy: () => undefined,
		output: () => undefined,
		unattended: false,
		state: {
			get: (key) => notes.get(key),
			entries: () => [...notes].toSorted(([a], [b]) => (a < b ? -1 : 1)),
			set: (key, value) => {
				if (value === undefined) notes.delete(key);
				else notes.set(key, value);
			},
			save: async () => {},
		},
		...more,
	};
}
