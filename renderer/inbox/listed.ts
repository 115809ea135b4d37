import { createContext, useContext } from 'react';
import type { HeartbeatTick, TickId, WatchedKind, WatchedSourceId } from '../../src/domain/heartbeat.ts';
import { KIND_ICONS } from '../settings/background/sources/source-words.ts';
import type { IconName } from '../ui/icon.tsx';

/**
 * What all rows share, so that none of them asks for it: the looks that they came from and what kind of source it was, as far as either is known,
 * and how many findings a look may leave.
 */
export interface Listed {
	readonly looks: ReadonlyMap<TickId, HeartbeatTick>;
	readonly kinds: ReadonlyMap<WatchedSourceId, WatchedKind>;
	readonly cap: number | undefined;
}

export const ListedContext = createContext<Listed>({ looks: new Map(), kinds: new Map(), cap: undefined });

export function useKindOf(sourceId: WatchedSourceId | undefined): WatchedKind | undefined {
	const { kinds } = useContext(ListedContext);
	return sourceId && kinds.get(sourceId);
}

/** What is open beside the list. Apart from it, so that the list itself is not drawn anew for each row that is gone to. */
export const OpenContext = createContext<string | undefined>(undefined);

/** Without a kind the source is gone: what came from it is not. */
export function kindIcon(kind: WatchedKind | undefined): IconName {
	return kind ? KIND_ICONS[kind] : 'bookmark';
}

/** The look that found it, where it is known still. */
export function useLook(tickId: TickId | undefined): HeartbeatTick | undefined {
	const { looks } = useContext(ListedContext);
	return tickId && looks.get(tickId);
}
