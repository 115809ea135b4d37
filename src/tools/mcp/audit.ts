import { sha256 } from '../../base/sha256.ts';
import type { AuditEntry } from '../../domain/audit.ts';
import { sourceName } from '../../domain/context-source.ts';
import type { Label } from '../../domain/label.ts';
import type { ToolServerConfig } from '../../domain/tool-server.ts';
import { inspect } from '../../firewall/inspect/inspect.ts';
import type { Pin } from './pins.ts';
import { wordsOf } from './view.ts';

/** What is written down of tool servers beside calls of their tools (S1). */

const MOST_FLAGS = 50;

/** The owner said yes to what a server says of a tool. */
export function approvedEntry(server: ToolServerConfig, pin: Pin): AuditEntry {
	return ofTool(server, pin, 'approved', 'server_tool_approved', 'You approved it: the agent may be offered this tool, as it was shown.');
}

export function unapprovedEntry(server: ToolServerConfig, pin: Pin): AuditEntry {
	return ofTool(server, pin, 'revoked', 'server_tool_approved', 'You took your approval back: the agent is not offered this tool.');
}

/** New or changed, and not offered until the owner has seen it. */
export function heldEntry(server: ToolServerConfig, pin: Pin): AuditEntry {
	const reason = pin.approvedHash === undefined ? 'It is new.' : 'It is not what you approved any more.';
	return ofTool(server, pin, 'held', 'server_tool_held', `${reason} The agent is not offered it until you have looked at it.`);
}

/** The server asked Hearth for something: a model, a question to the owner, folders. */
export function refusedEntry(server: ToolServerConfig, method: string): AuditEntry {
	return entry(server, {
		decision: 'refused',
		rule: 'server_may_not_ask',
		label: 'external',
		from: server.title,
		to: 'Hearth',
		reason: `The server asked for “${sourceName(method)}”. Tool servers get no model, no questions to you and no folders.`,
		tool: undefined,
	});
}

/** The owner set it up, changed it, or took it away. */
export function configuredEntry(server: ToolServerConfig, decision: 'granted' | 'revoked'): AuditEntry {
	return entry(server, {
		decision,
		rule: 'server_configured',
		label: 'owner',
		from: 'Settings, Tool servers',
		to: sourceName(placeOf(server)),
		reason: decision === 'granted' ? 'You set up this tool server.' : 'You removed this tool server, with its approvals and secrets.',
		tool: undefined,
	});
}

/** Its program was started. */
export function startedEntry(server: ToolServerConfig, sandboxed: boolean): AuditEntry {
	const command = placeOf(server);
	return {
		...entry(server, {
			decision: 'done',
			rule: 'server_started',
			label: 'owner',
			from: 'Settings, Tool servers',
			to: sourceName(command),
			reason: sandboxed ? 'Started in the sandbox, as you set it up.' : 'Started with all of your rights, as you said.',
			tool: undefined,
		}),
		sink: 'shell',
		textHash: sha256(command),
	};
}

function placeOf({ transport }: ToolServerConfig): string {
	return transport.kind === 'stdio' ? [transport.command, ...transport.args].join(' ') : transport.url.replace(/[?#].*$/s, '');
}

function ofTool(server: ToolServerConfig, pin: Pin, decision: AuditEntry['decision'], rule: string, reason: string): AuditEntry {
	const { risk, flags } = inspect(wordsOf(pin));
	return {
		...entry(server, {
			decision,
			rule,
			label: decision === 'held' ? 'external' : 'owner',
			from: sourceName(`${server.title} · ${pin.tool}`),
			to: 'What the agent is offered',
			reason,
			tool: pin.tool,
		}),
		risk,
		flags: flags.slice(0, MOST_FLAGS),
		textHash: pin.offeredHash ?? pin.approvedHash ?? null,
	};
}

interface Crossing {
	readonly decision: AuditEntry['decision'];
	readonly rule: string;
	readonly label: Label;
	readonly from: string;
	readonly to: string;
	readonly reason: string;
	readonly tool: string | undefined;
}

function entry({ title }: ToolServerConfig, { decision, rule, label, from, to, reason, tool }: Crossing): AuditEntry {
	return {
		sink: 'server',
		decision,
		rule,
		label,
		risk: 'none',
		flags: [],
		textHash: null,
		latencyMs: 0,
		detail: {
			from,
			to,
			reason,
			sources: [{ kind: 'server', name: sourceName(title), label: 'external' }],
			...(tool !== undefined && { tool: tool.slice(0, 200) }),
		},
	};
}
