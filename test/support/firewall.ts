import type { AuditEntry } from '../../src/domain/audit.ts';
import type { Permission } from '../../src/domain/permission.ts';
import type { InterruptDetail } from '../../src/domain/run.ts';
import { inspectArguments } from '../../src/firewall/inspect/arguments.ts';
import { inspect } from '../../src/firewall/inspect/inspect.ts';
import type { PolicyRule } from '../../src/firewall/policy-rule.ts';
import { SHIPPED_POLICY } from '../../src/firewall/shipped-policy.ts';
import type { FirewallDoor } from '../../src/run/gate-port.ts';

/** What a gate is judged by without a database: what it writes down is kept in `entries`. */
export function testFirewall(
	law: { rules?: readonly PolicyRule[]; permissions?: Permission[]; hasMask?: (text: string) => boolean } = {},
): FirewallDoor & { readonly entries: AuditEntry[] } {
	const entries: AuditEntry[] = [];
	return {
		entries,
		law: () => ({ rules: law.rules ?? SHIPPED_POLICY, permissions: law.permissions ?? [], now: 1 }),
		jobOf: (runId, sessionId) => ({ job: { runs: [runId], sessions: [sessionId] }, addresses: () => new Set() }),
		inspectArguments,
		inspectOutside: async (text) => inspect(text),
		hasMask: law.hasMask ?? (() => false),
		redacted: (text) => text,
		audit: { append: (_, added) => void entries.push(...added), record: async (added) => void entries.push(...added) },
		used: () => {},
		answered: () => {},
		changed: () => {},
	};
}

/** A question about an action, with nothing to say beyond the call itself. */
export function approvalDetail(
	more: Partial<Extract<InterruptDetail, { kind: 'approval' }>> = {},
): Extract<InterruptDetail, { kind: 'approval' }> {
	return {
		kind: 'approval',
		tool: 'send',
		args: { to: 'ada', text: 'hi' },
		effect: 'effectful',
		label: 'agent',
		rule: 'effectful',
		reason: 'It changes something.',
		touches: [],
		sources: [],
		flags: [],
		risk: 'none',
		offers: [],
		...more,
	};
}
