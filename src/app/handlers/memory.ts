import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { ForgetReport, IndexStatus } from '../../contract/methods/memory.ts';
import type { EmbeddingChoice, EntryId, Provenance } from '../../domain/memory.ts';
import { mintWriteGrant, type WriteGrant } from '../../domain/write-grant.ts';
import type { Memory } from '../../memory/port.ts';
import type { Handlers } from '../router.ts';

/** Which model makes the vectors, and changing it. */
export interface EmbeddingSetting {
	choice(): EmbeddingChoice;
	/** Tries it before it is saved; rejects with why it does not work, and then the old one stays. */
	choose(choice: EmbeddingChoice, signal: AbortSignal | undefined): Promise<IndexStatus>;
}

/** Removing a text everywhere (M4). */
export interface ForgetActions {
	preview(entryId: EntryId): Promise<ForgetReport>;
	/** Rejects with `stale` where the entry no longer says what was seen. */
	forget(grant: WriteGrant, entryId: EntryId, baseHash: string): Promise<ForgetReport>;
}

/** At a start: what the owner began goes on, under their word of then. */
export function goOnForgetting(forgetting: { resume(grant: WriteGrant): Promise<void> }): Promise<void> {
	return forgetting.resume(mintWriteGrant({ by: 'owner' }));
}

/** Forgets an entry as it is now, on the owner's word; nothing where nothing is left of it. */
export function forgetForOwner(
	memory: Pick<Memory, 'entry'>,
	forgetting: Pick<ForgetActions, 'forget'>,
): (entryId: EntryId) => Promise<void> {
	return async (entryId) => {
		const { text, hash } = memory.entry(entryId);
		if (text !== '') await forgetting.forget(mintWriteGrant({ by: 'owner' }), entryId, hash);
	};
}

export interface MemoryHandlersDeps {
	readonly memory: Memory;
	readonly forget: ForgetActions;
	readonly embedding: EmbeddingSetting;
	readonly clock: Clock;
	/** The number of the last live event. */
	readonly liveSeq: () => number;
}

/** `memory.*` of the contract: the owner's own reading and writing, each write under a grant of theirs. */
export function createMemoryHandlers({ memory, forget, embedding, clock, liveSeq }: MemoryHandlersDeps): Handlers['memory'] {
	const { writer } = memory;
	const owned = (key: string = newId(), provenance: Provenance = ownersWord(clock.now())) => ({
		grant: mintWriteGrant({ by: 'owner' }),
		key: `owner:${key}`,
		provenance,
	});
	/** The owner's change of what an entry says: out of what it was made from, whoever words it. */
	const edited = (entryId: EntryId) => {
		const { provenance } = memory.entry(entryId);
		return owned(newId(), { ...ownersEdit(provenance, clock.now()), sources: provenance.sources });
	};
	/** The owner's newer fact: what the old one was made from says nothing of it. */
	const superseded = (entryId: EntryId) => owned(newId(), ownersEdit(memory.entry(entryId).provenance, clock.now()));

	return {
		files: async () => ({ files: memory.files(), conflicts: memory.conflicts(), index: memory.status(), seq: liveSeq() }),
		entries: async ({ filter, offset, limit }) => ({ ...memory.entries(filter, { offset, limit }), seq: liveSeq() }),
		entry: async ({ entryId }) => memory.entry(entryId),
		search: (request, { signal }) => memory.search(request, signal),
		why: async ({ entryId }) => ({ entry: memory.entry(entryId), chain: memory.why(entryId) }),
		history: async ({ limit, ...of }) => memory.history(of, limit),

		add: ({ text, requestId, file, headingPath }) => writer.append({ ...owned(requestId), text, file, headingPath }),
		edit: async ({ entryId, baseHash, text }) => writer.patch({ ...edited(entryId), entryId, baseHash, text }),
		supersede: async ({ entryId, baseHash, text }) => writer.supersede({ ...superseded(entryId), entryId, baseHash, text }),
		move: async ({ entryId, baseHash, file, headingPath }) => writer.move({ ...owned(), entryId, baseHash, file, headingPath }),
		setValidity: async ({ entryId, baseHash, validFrom, validUntil }) =>
			writer.setValidity({ ...owned(), entryId, baseHash, validFrom, validUntil }),
		remove: async ({ entryId, baseHash }) => writer.remove({ ...owned(), entryId, baseHash }),
		undo: async ({ changeId }) => writer.undo({ ...owned(), changeId }),
		restore: async ({ entryId, changeId }) => writer.restore({ ...owned(), entryId, changeId }),
		resolveConflict: async ({ conflictId, take }) => writer.resolveConflict({ ...owned(), conflictId, take }),

		forgetPreview: ({ entryId }) => forget.preview(entryId),
		forget: ({ entryId, baseHash }) => forget.forget(mintWriteGrant({ by: 'owner' }), entryId, baseHash),

		reindex: () => memory.reindex(),
		verify: () => memory.verify(),
		embedding: async () => embedding.choice(),
		chooseEmbedding: (choice, { signal }) => embedding.choose(choice, signal),
	};
}

/** Written by the owner, in Hearth, out of nothing but their head: no source is said. */
function ownersWord(at: number): Provenance {
	return { author: 'owner', label: 'owner', origin: 'owner', sources: [], at };
}

/**
 * The owner changed a text. Their word is trusted; but what once came from outside keeps its origin and its sources for ever, however
 * much was changed (B4).
 */
function ownersEdit({ origin, approval, sources }: Provenance, at: number): Provenance {
	if (origin !== 'external') return ownersWord(at);
	return { author: 'owner', label: 'approved', origin: 'external', sources, at, ...(approval && { approval }) };
}
