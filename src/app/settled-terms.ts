import { normalHostPattern } from '../base/host-pattern.ts';
import { assertNever } from '../domain/assert-never.ts';
import { terminal } from '../domain/errors.ts';
import type { Timestamp } from '../domain/ids.ts';
import type { PermissionScope, PermissionTerms } from '../domain/permission.ts';
import { isPattern } from '../firewall/command-words.ts';
import { isMetadataHost } from '../net/destination.ts';
import { grantableFolder, type OwnPlaces } from '../tools/workspace/denied.ts';

/**
 * What the owner permits in advance, wherever they say it, as it is kept and matched: a folder without links, a host as addresses have it. Rejects
 * with `invalid_input` for what can't be permitted.
 */
export async function settledTerms(given: PermissionTerms, places: OwnPlaces, now: Timestamp): Promise<PermissionTerms> {
	if (given.until !== undefined && given.until <= now) throw refused('Its end lies in the past.');
	return { ...given, scope: await settledScope(given.scope, places) };
}

async function settledScope(scope: PermissionScope, places: OwnPlaces): Promise<PermissionScope> {
	switch (scope.kind) {
		case 'workspace':
		case 'server':
			return scope;
		case 'folder':
			return { ...scope, path: await grantableFolder(scope.path, places) };
		case 'host':
			return { ...scope, host: settledHost(scope.host) };
		case 'command':
			if (!isPattern(scope.pattern))
				throw refused(
					'A command is one program with plain words, and * at the end for any more: git status *. Chained commands, quotes with $ and wildcards for the program can’t be permitted in advance.',
				);
			return { ...scope, pattern: scope.pattern.trim(), hosts: scope.hosts.map(settledHost) };
		default:
			return assertNever(scope);
	}
}

function settledHost(host: string): string {
	const settled = normalHostPattern(host);
	if (settled === undefined)
		throw refused(`“${host.slice(0, 100)}” is no host. Write it like example.com, *.example.com or example.com:8080.`);
	if (isMetadataHost(settled))
		throw refused(
			`${settled} is the metadata service of a cloud, which gives away the keys of the machine. It is never reached, whoever names it.`,
		);
	return settled;
}

function refused(why: string) {
	return terminal('invalid_input', why, { safe: 'Nothing was granted.' });
}
