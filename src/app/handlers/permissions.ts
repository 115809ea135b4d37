import type { Clock } from '../../base/clock.ts';
import { normalHostPattern } from '../../base/host-pattern.ts';
import { newId } from '../../base/ids.ts';
import type { Announce } from '../../contract/announce.ts';
import type { PolicyView } from '../../contract/methods/firewall.ts';
import type { StateDb } from '../../db/open.ts';
import { assertNever } from '../../domain/assert-never.ts';
import { terminal } from '../../domain/errors.ts';
import type { PermissionId, PermissionScope } from '../../domain/permission.ts';
import { permissionEntry } from '../../firewall/answers.ts';
import { isPattern } from '../../firewall/command-words.ts';
import { FLOOR_PREFIX, FLOORS } from '../../firewall/floor.ts';
import { getPermission, insertPermission, listPermissions, revokePermission } from '../../firewall/permission-store.ts';
import type { AuditLog } from '../../firewall/ports.ts';
import { ruleCovers } from '../../firewall/rule-words.ts';
import { isMetadataHost } from '../../net/destination.ts';
import { grantableFolder, type OwnPlaces } from '../../tools/workspace/denied.ts';
import type { PolicyFile } from '../policy-file.ts';
import type { Handlers } from '../router.ts';

/** Of those that ended: the newest. */
const MOST_ENDED = 200;

export interface PermissionsDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly announce: Announce;
	readonly audit: AuditLog;
	readonly policy: PolicyFile;
	readonly policyPath: string;
	readonly places: OwnPlaces;
	readonly liveSeq: () => number;
}

/** `permissions.*` of the contract: what the owner permits in advance, and takes back. Only their own doors lead here (B3). */
export function createPermissionsHandlers(deps: PermissionsDeps): Handlers['permissions'] {
	const { db, clock, announce, audit, policy, policyPath, places, liveSeq } = deps;
	return {
		list: async () => {
			const seq = liveSeq();
			return { permissions: listPermissions(db.read, clock.now(), MOST_ENDED), workspace: places.workspace, seq };
		},
		add: async ({ terms: given }) => {
			const now = clock.now();
			if (given.until !== undefined && given.until <= now) throw refused('Its end lies in the past.');
			const terms = { ...given, scope: await settledScope(given.scope, places) };
			const id = newId<PermissionId>();
			db.write((tx) => {
				insertPermission(tx, { id, terms, origin: 'owner', createdAt: now });
				audit.append(tx, [permissionEntry('granted', id, terms)]);
			});
			announce({ type: 'permissions_changed' });
			return getPermission(db.read, id);
		},
		revoke: async ({ permissionId }) => {
			const changed = db.write((tx) => {
				const ended = revokePermission(tx, permissionId, clock.now());
				if (ended) audit.append(tx, [permissionEntry('revoked', permissionId, getPermission(tx, permissionId).terms)]);
				return ended;
			});
			if (changed) announce({ type: 'permissions_changed' });
			return getPermission(db.read, permissionId);
		},
		policy: async () => policyView(policy, policyPath),
	};
}

/** As it is kept and matched: a folder without links, a host as addresses have it. Throws `invalid_input`. */
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

function policyView(policy: PolicyFile, path: string): PolicyView {
	const { rules, own } = policy.current();
	const problem = policy.problem();
	const floors = Object.entries(FLOORS).map(([id, { verdict, covers, reason }]) => ({
		id: `${FLOOR_PREFIX}${id}`,
		covers,
		verdict,
		reason,
		origin: 'floor' as const,
	}));
	const read = rules.map((rule, at) => ({
		id: rule.id,
		covers: ruleCovers(rule),
		verdict: rule.verdict,
		reason: rule.reason,
		origin: at < own ? ('file' as const) : ('shipped' as const),
	}));
	return { rules: [...floors, ...read], path, ...(problem && { problem: problem.message }) };
}
