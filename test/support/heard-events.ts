import { onTestFinished } from 'vitest';
import type { Connection } from '../../src/contract/client.ts';
import type { LiveEvent } from '../../src/contract/events.ts';

/** All that is announced in one life, as a view hears it that connects at any time; until the test ends. */
export function heardEvents({ rpc }: Pick<Connection, 'rpc'>): LiveEvent[] {
	const events: LiveEvent[] = [];
	const stop = new AbortController();
	onTestFinished(() => stop.abort());
	void (async () => {
		for await (const item of await rpc.system.live({ afterSeq: 0 }, { signal: stop.signal }))
			if (item.type === 'event') events.push(item.event);
	})().catch(() => undefined);
	return events;
}
