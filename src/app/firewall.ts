import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { StateDb } from '../db/open.ts';
import type { ErrorShape } from '../domain/errors.ts';
import { recordAnswer } from '../firewall/answers.ts';
import { countUse, ensureWorkspacePermission, permissionsInForce } from '../firewall/permission-store.ts';
import type { AuditLog, Inspector, Redactor } from '../firewall/ports.ts';
import type { FirewallDoor } from '../run/gate-port.ts';
import { redactorFor } from '../run/redact-event.ts';
import { runJobs } from '../run/run-job.ts';
import { taskOfRun } from '../tasks/run-store.ts';
import { findInstance } from '../workflows/instance-store.ts';
import type { Live } from './live.ts';
import { openPolicyFile, type PolicyFile } from './policy-file.ts';

export interface FirewallDeps {
	readonly db: StateDb;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly live: Pick<Live, 'announce'>;
	readonly audit: AuditLog;
	readonly redactor: Redactor;
	readonly inspector: Inspector;
	/** Where the owner's `policy.yaml` is. */
	readonly policyFile: string;
	/** The file is not in force, or is again. */
	readonly warn: (problem: ErrorShape | undefined) => void;
}

export interface Firewall {
	readonly door: FirewallDoor;
	readonly policy: PolicyFile;
}

/** What the gate judges by, as it is now. */
export function createFirewall({ db, clock, logger, live, audit, redactor, inspector, policyFile, warn }: FirewallDeps): Firewall {
	db.write((tx) => ensureWorkspacePermission(tx, clock.now()));
	const policy = openPolicyFile(policyFile, logger, warn);
	return {
		policy,
		door: {
			law: () => {
				const now = clock.now();
				return { rules: policy.current().rules, permissions: permissionsInForce(db.read, now), now };
			},
			jobOf: runJobs(
				db.read,
				(id) => findInstance(db.read, id)?.workflow,
				(root) => taskOfRun(db.read, root),
			),
			inspectArguments: (args, commands) => inspector.inspectArguments(args, commands),
			inspectOutside: (text, runId) => inspector.inspectOutside(text, runId),
			hasMask: (text) => redactor.hasMask(text),
			redacted: (text, label) => redactorFor(redactor, label)(text),
			audit,
			used: countUse,
			answered: (tx, interrupt, answer, at) => recordAnswer(tx, audit, interrupt, answer, at),
			changed: () => live.announce({ type: 'permissions_changed' }),
		},
	};
}
