import type { Json } from '../domain/json.ts';
import type { Redactor } from '../firewall/ports.ts';
import { jsonWith } from '../run/redact-event.ts';

/**
 * These handlers take the owner's own words. What Hearth knows to be secret is removed from them before anything is kept (S3); all else stays as
 * they wrote it. Inputs are JSON: they came through the contract.
 */
export function withoutKnownSecrets<Handlers extends object>(
	handlers: Handlers,
	names: readonly (keyof Handlers)[],
	redactor: Pick<Redactor, 'redactKnown'>,
): Handlers {
	const guarded = { ...handlers };
	for (const name of names) {
		const handler = handlers[name] as (input: unknown, context: unknown) => unknown;
		const without = (input: unknown, context: unknown): unknown =>
			handler(
				jsonWith(input as Json, (text) => redactor.redactKnown(text).text),
				context,
			);
		guarded[name] = without as Handlers[typeof name];
	}
	return guarded;
}
