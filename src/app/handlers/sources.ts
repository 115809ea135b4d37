import type { SourceTraces } from '../../contract/methods/heartbeat.ts';
import type { WatchedSourceId } from '../../domain/heartbeat.ts';
import type { SessionId } from '../../domain/ids.ts';
import type { EntryId } from '../../domain/memory.ts';
import type { Sources } from '../../heartbeat/sources.ts';
import type { Handlers } from '../router.ts';

/** What came of a source, and how it goes: over its items, what waits in the inbox, and memory. */
export interface Withdrawal {
	traces(id: WatchedSourceId): Promise<SourceTraces>;
	/** Its items, its pending findings, what is to be forgotten of it, and its row. */
	remove(id: WatchedSourceId, what: ToForget): Promise<{ items: number; pending: number; forgotten: number }>;
}

/** Entries of memory and chats by name; `others`: reminders that were approved of it, and findings that were noted. */
export interface ToForget {
	readonly entries: readonly EntryId[];
	readonly others: boolean;
	readonly chats: readonly SessionId[];
}

export interface SourcesHandlersDeps {
	readonly sources: Sources;
	readonly withdrawal: Withdrawal;
	readonly changed: () => void;
	readonly liveSeq: () => number;
}

/** `sources.*` of the contract. Views learn of changes by `sources_changed`. */
export function createSourcesHandlers({ sources, withdrawal, changed, liveSeq }: SourcesHandlersDeps): Handlers['sources'] {
	const never = new AbortController().signal;
	return {
		list: async () => ({ sources: sources.list(), seq: liveSeq() }),
		preview: ({ secret, ...what }, { signal }) => sources.preview(what, secret, signal ?? never),
		add: (source) => sources.add(source),
		update: (source) => sources.update(source),
		pause: async ({ sourceId, paused }) => sources.pause(sourceId, paused),
		test: async ({ sourceId }, { signal }) => {
			const { items, bytes, ms } = await sources.test(sourceId, signal ?? never);
			return { items, bytes, ms, source: sources.get(sourceId) };
		},
		items: async ({ sourceId, limit }) => sources.items(sourceId, limit),
		traces: ({ sourceId }) => withdrawal.traces(sourceId),
		remove: async ({ sourceId, forget, forgetOthers, deleteChats }) => {
			const gone = await withdrawal.remove(sourceId, { entries: forget, others: forgetOthers, chats: deleteChats });
			await sources.forgetSecret(sourceId);
			changed();
			return gone;
		},
	};
}
