import { hostMatches, normalHostPattern, patternCovers } from '../base/host-pattern.ts';
import type { Touch } from '../domain/sink.ts';
import { commandMatches } from './command-words.ts';
import { liesIn } from './permission.ts';
import type { PolicyRule } from './policy-rule.ts';

/** Where a rule holds: folders, hosts, commands. Pure. What has no such scope is not what the rule speaks of. */

const WORKSPACE = /^workspace(?=\/|$)/;

export function isFolder(path: string): boolean {
	const [at] = inWorkspace(path);
	return liesIn(at, at);
}

export function isHost(host: string): boolean {
	return normalHostPattern(host) !== undefined;
}

export function isInScope({ folders, hosts, commands, verdict }: PolicyRule, touch: Touch | undefined): boolean {
	if (folders && !(touch?.sink === 'file' && folders.some((folder) => liesBelow(folder, touch.path)))) return false;
	if (commands && !(touch?.sink === 'shell' && commands.some((pattern) => commandMatches(pattern, touch.command)))) return false;
	return hosts === undefined || reaches(hosts, verdict === 'allow', touch);
}

/** `only`: what is allowed there is allowed nowhere else; for any other verdict one of the hosts is enough. */
function reaches(hosts: readonly string[], only: boolean, touch: Touch | undefined): boolean {
	if (touch?.sink === 'network') return URL.canParse(touch.url) && hosts.some((host) => hostMatches(host, new URL(touch.url)));
	if (touch?.sink !== 'shell' || touch.hosts.length === 0) return false;
	if (only) return touch.hosts.every((host) => hosts.some((named) => patternCovers(named, host)));
	return touch.hosts.some((host) => hosts.some((named) => patternCovers(named, host) || patternCovers(host, named)));
}

/** As touches name files: `workspace/…`, or whole paths. */
function liesBelow(folder: string, path: string): boolean {
	const [outer, outerIn] = inWorkspace(folder);
	const [inner, innerIn] = inWorkspace(path);
	return outerIn === innerIn && liesIn(outer, inner);
}

function inWorkspace(path: string): [path: string, isInWorkspace: boolean] {
	return WORKSPACE.test(path) ? [path.replace(WORKSPACE, '/'), true] : [path, false];
}
