import { terminal } from '../domain/errors.ts';
import type { WatchedKind } from '../domain/heartbeat.ts';
import type { SourceReader } from './ports.ts';

/** The readers there are, one a kind. */
export type Readers = { readonly [K in WatchedKind]?: SourceReader<K> };

/** Throws `invalid_input` where nothing reads this kind. */
export function readerOf<K extends WatchedKind>(readers: Readers, kind: K): SourceReader<K> {
	const reader = readers[kind] as SourceReader<K> | undefined;
	if (!reader) throw terminal('invalid_input', `Nothing here can read a source of the kind “${kind}”.`);
	return reader;
}
