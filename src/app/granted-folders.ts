import type { Clock } from '../base/clock.ts';
import type { ReadDb } from '../db/brands.ts';
import { permits } from '../firewall/permission.ts';
import { permissionsInForce } from '../firewall/permission-store.ts';
import type { FirewallDoor } from '../run/gate-port.ts';
import type { GrantedFolders } from '../tools/workspace/port.ts';

/** The folders that permissions in force open to a call. Whether it may do there what it wants is the gate's to say. */
export function grantedFolders(db: ReadDb, clock: Clock, jobOf: FirewallDoor['jobOf']): GrantedFolders {
	return ({ runId, sessionId }) => {
		const { job } = jobOf(runId, sessionId);
		return permissionsInForce(db, clock.now()).flatMap(({ terms }) => {
			const { scope, tool = '' } = terms;
			if (scope.kind !== 'folder') return [];
			const touch = { sink: 'file' as const, access: 'read' as const, path: scope.path };
			const { path, access, mine } = scope;
			return permits(terms, { touch, label: 'owner', tool, job }) ? [{ path, access, mine }] : [];
		});
	};
}
