import { terminal } from '../domain/errors.ts';
import { asJson, canonicalJson } from '../domain/json.ts';
import type { PermissionJob, PermissionTerms } from '../domain/permission.ts';

/**
 * What the owner permits a task with their yes to its card. Terms that a test run offers name a task that does not exist yet; they hold for the
 * task that is confirmed with them, and for no other work. Throws `invalid_input` for terms of other work. Pure.
 */
export function boundTo(job: PermissionJob, terms: readonly PermissionTerms[], known: readonly PermissionTerms[] = []): PermissionTerms[] {
	const seen = new Set(known.map(keyOf));
	return terms.flatMap((given) => {
		if (given.job.kind !== 'task')
			throw terminal('invalid_input', 'With a task only permissions of this task can be given.', {
				safe: 'Nothing was changed.',
				action: 'Give others in Settings, Permissions.',
			});
		const bound = { ...given, job };
		if (seen.has(keyOf(bound))) return [];
		seen.add(keyOf(bound));
		return [bound];
	});
}

function keyOf(terms: PermissionTerms): string {
	return canonicalJson(asJson(terms));
}
