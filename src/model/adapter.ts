import type { ProviderConfig } from '../domain/model.ts';
import type { GuardedFetch } from '../net/guarded-fetch.ts';

/** What every adapter is made from. Client libraries are imported with the first call, not before: an idle runtime stays small. */
export interface AdapterDeps {
	provider: ProviderConfig;
	/** Undefined where the provider has no key. Rejects with a HearthError where the store is locked. */
	key(): Promise<string | undefined>;
	fetch: GuardedFetch;
	now(): number;
	/** Its models that refuse to be told the shape of an answer; the adapter adds to it. */
	wordsOnly?: Set<string>;
}
