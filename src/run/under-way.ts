import type { Touch, TouchOf } from '../domain/sink.ts';
import { type Decision, judgeTouch } from '../firewall/judge.ts';
import { permits } from '../firewall/permission.ts';
import type { NamedBy } from '../net/page-address.ts';
import type { Tool, ToolContext } from '../tools/port.ts';
import { crossingsOf } from './crossings.ts';
import type { Caller, FirewallDoor, GateCall } from './gate-port.ts';
import { crossingOf } from './reading.ts';

/** What a call under way comes upon. Nobody is asked in its midst. */

interface UnderWay {
	readonly tool: Tool;
	readonly call: GateCall;
	readonly caller: Caller;
	/** What it was allowed to touch. */
	readonly touches: readonly Touch[];
}

export function underWay(firewall: FirewallDoor, call: UnderWay): Pick<ToolContext, 'mayTouch' | 'namedBy'> {
	return { mayTouch: (touch) => mayTouch(firewall, call, touch), namedBy: (touch) => namedBy(firewall, call, touch) };
}

/**
 * What led there was chosen by who answered, not by the model: within a host that the call may reach it may be followed; beyond it the rules
 * decide. Written down either way.
 */
function mayTouch(firewall: FirewallDoor, { tool, call, caller, touches }: UnderWay, touch: Touch): boolean {
	const since = performance.now();
	const { callId, args, label } = call;
	const reading = { tool, callId, args, label, touches: [touch], inspection: undefined, since };
	const decision: Decision = touches.some((allowed) => isSameHost(allowed, touch))
		? { verdict: 'allow', rule: 'same_host', reason: 'The call may reach this host.', touch }
		: judgeTouch(firewall.law(), crossingOf(reading, caller), touch);
	const allowed = decision.verdict === 'allow' && tool.sinks?.includes(touch.sink) === true;
	const told: Decision = allowed ? decision : { ...decision, verdict: 'deny' };
	void firewall.audit.record(crossingsOf({ tool: tool.name, callId, args, label, since }, caller, [told]).audit);
	return allowed;
}

/** The owner's own naming of a host, not that of a wildcard (S2): also as one that a command may reach. */
function namedBy(firewall: FirewallDoor, { call, caller, touches }: UnderWay, touch: TouchOf<'network'>): NamedBy | undefined {
	const { tool, label, approvedTouches = [] } = call;
	const { job, addresses } = caller;
	const permitted = firewall.law().permissions.some(({ terms }) => {
		const { scope } = terms;
		if (scope.kind === 'host') return scope.host === touch.host && permits(terms, { touch, label, tool, job });
		if (scope.kind !== 'command' || !scope.hosts.includes(touch.host)) return false;
		return touches.some((command) => command.sink === 'shell' && permits(terms, { touch: command, label, tool, job }));
	});
	if (permitted) return 'permission';
	if (approvedTouches.some((approved) => namesHost(approved, touch.host))) return 'approval';
	return [...addresses()].some((address) => new URL(address).host === touch.host) ? 'message' : undefined;
}

function isSameHost(allowed: Touch, touch: Touch): boolean {
	return allowed.sink === 'network' && touch.sink === 'network' && touch.method === 'GET' && allowed.host === touch.host;
}

function namesHost(touch: Touch, host: string): boolean {
	return (touch.sink === 'network' && touch.host === host) || (touch.sink === 'shell' && touch.hosts.includes(host));
}
