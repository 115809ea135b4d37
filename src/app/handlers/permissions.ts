import type { Clock } from '../../base/clock.ts';
import { newId } from '../../base/ids.ts';
import type { Announce } from '../../contract/announce.ts';
import type { PolicyView } from '../../contract/methods/firewall.ts';
import type { StateDb } from '../../db/open.ts';
import type { PermissionId } from '../../domain/permission.ts';
import { permissionEntry } from '../../firewall/answers.ts';
import { FLOOR_PREFIX, FLOORS } from '../../firewall/floor.ts';
import { getPermission, insertPermission, listPermissions, revokePermission } from '../../firewall/permission-store.ts';
import type { AuditLog } from '../../firewall/ports.ts';
import { ruleCovers } from '../../firewall/rule-words.ts';
import type { OwnPlaces } from '../../tools/workspace/denied.ts';
import type { PolicyFile } from '../policy-file.ts';
import type { Handlers } from '../router.ts';
import { settledTerms } from '../settled-terms.ts';

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
			const terms = await settledTerms(given, places, now);
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
