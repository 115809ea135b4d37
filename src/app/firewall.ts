import type { Clock } from '../base/clock.ts';
import type { StateDb } from '../db/open.ts';
import { recordAnswer } from '../firewall/answers.ts';
import { inspect } from '../firewall/inspect/inspect.ts';
import { countUse, ensureWorkspacePermission, permissionsInForce } from '../firewall/permission-store.ts';
import type { AuditLog, Redactor } from '../firewall/ports.ts';
import { SHIPPED_POLICY } from '../firewall/shipped-policy.ts';
import type { FirewallDoor } from '../run/gate-port.ts';
import { redactorFor } from '../run/redact-event.ts';
import type { Live } from './live.ts';

export interface FirewallDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly live: Pick<Live, 'announce'>;
	readonly audit: AuditLog;
	readonly redactor: Redactor;
}

/** What the gate judges by, as it is now. */
export function createFirewall({ db, clock, live, audit, redactor }: FirewallDeps): FirewallDoor {
	db.write((tx) => ensureWorkspacePermission(tx, clock.now()));
	return {
		law: () => {
			const now = clock.now();
			return { rules: SHIPPED_POLICY, permissions: permissionsInForce(db.read, now), now };
		},
		inspect: (text) => inspect(text, { direction: 'out' }),
		hasMask: (text) => redactor.hasMask(text),
		redacted: (text, label) => redactorFor(redactor, label)(text),
		audit,
		used: countUse,
		answered: (tx, interrupt, answer, at) => recordAnswer(tx, audit, interrupt, answer, at),
		changed: () => live.announce({ type: 'permissions_changed' }),
	};
}
