import { memo, useId, useState } from 'react';
import { Link } from 'wouter';
import { en } from '../../../src/contract/strings/index.ts';
import type { RunId } from '../../../src/domain/ids.ts';
import type { Json } from '../../../src/domain/json.ts';
import type { ToolPart } from '../../../src/domain/message.ts';
import type { ToolResult } from '../../../src/domain/tool.ts';
import { useServers } from '../../settings/servers/queries.ts';
import { KeptText } from '../../timeline/kept-text.tsx';
import { markedFlags } from '../../ui/flag-pieces.ts';
import { FlaggedLegend, FlaggedMark } from '../../ui/flagged.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { StateMark, TrustLabel } from '../../ui/marks.tsx';
import { type Say, type StringId, Text, useSay } from '../../ui/strings.tsx';
import { EntryWords, Receipts } from '../memory/receipts.tsx';
import { memoryGlance } from '../memory/tool-words.ts';
import { firstText } from './first-text.ts';
import { CommandGiven, LiveOutput } from './live-output.tsx';
import { LongText } from './long-text.tsx';

interface ToolRowsProps {
	calls: readonly ToolPart[];
	/** The run that made them; null in a copy of a reply. */
	runId: RunId | null;
}

/** Neighbouring tool calls: one line each, open to what went in and what came back. */
export const ToolRows = memo(function ToolRows({ calls, runId }: ToolRowsProps) {
	return (
		<div className="calls">
			{calls.map((call) => (
				<ToolRow key={call.callId} call={call} runId={runId} />
			))}
		</div>
	);
});

/** The tool's name for people: what the catalogue calls it, else its own name in words. */
export function toolTitle(say: Say, tool: string, done = true): string {
	const id = `chat.tool.${tool}`;
	if (id in en) return say(id as StringId);
	return say(done ? 'chat.toolUsed' : 'chat.toolUsing', { tool: plainName(tool) });
}

/** Of a tool server's tool: the server's short name, and the tool's. */
function plainName(tool: string): string {
	const [, server, name] = /^mcp_([a-z][a-z0-9]*)_(.+)$/.exec(tool) ?? [];
	return name === undefined ? tool.replaceAll('_', ' ') : `${server}: ${name.replaceAll('_', ' ')}`;
}

const STATES = {
	running: 'running',
	waiting: 'pending',
	failed: 'failed',
	denied: 'failed',
	skipped: 'stale',
	unknown: 'alert',
	stopped: 'stale',
} as const;

/** Tools that wait for something else than the owner. */
const SLEEPERS: readonly string[] = ['wait_until', 'wait_for_event', 'delegate'];

function stateOf({ tool, status }: ToolPart) {
	if (status === 'waiting' && SLEEPERS.includes(tool)) return 'waiting';
	return status === 'done' ? 'done' : STATES[status];
}

export function toolIcon(tool: string): IconName {
	if (tool === 'plan') return 'list';
	if (tool === 'ask_owner') return 'chat';
	if (tool.startsWith('wait_')) return 'hourglass';
	if (tool === 'delegate') return 'fork';
	if (tool.startsWith('memory_') && tool !== 'memory_search') return 'memory';
	if (tool.startsWith('mcp_')) return 'plug';
	if (tool === 'send_message') return 'send';
	if (tool === 'fetch_url') return 'globe';
	if (tool === 'remind') return 'hourglass';
	if (tool === 'open_inbox') return 'inbox';
	if (tool.includes('skill')) return 'bookmark';
	if (tool.includes('search')) return 'search';
	if (tool.includes('file') || tool.includes('read')) return 'file';
	return 'terminal';
}

const RUN_COMMAND = 'run_command';

/** What a command was given; undefined for another tool, or where it makes no sense. */
function commandOf({ tool, args }: ToolPart): { command: string; reason: string; cwd: string; hosts: string[] } | undefined {
	if (tool !== RUN_COMMAND || args === null || typeof args !== 'object' || Array.isArray(args)) return undefined;
	const { command, reason, cwd, hosts } = args;
	if (typeof command !== 'string') return undefined;
	return {
		command,
		reason: typeof reason === 'string' ? reason : '',
		cwd: typeof cwd === 'string' ? `workspace/${cwd}` : 'workspace',
		hosts: Array.isArray(hosts) ? hosts.filter((host) => typeof host === 'string') : [],
	};
}

function Glance({ call }: { call: ToolPart }) {
	const of = memoryGlance(call);
	if (!of) return firstText(call.args);
	return 'text' in of ? of.text : <EntryWords entryId={of.entryId} />;
}

function isEmpty(args: Json): boolean {
	return args === null || (typeof args === 'object' && Object.keys(args).length === 0);
}

function ToolRow({ call, runId }: { call: ToolPart; runId: RunId | null }) {
	const say = useSay();
	const [open, setOpen] = useState(false);
	const id = useId();
	const { status, result, startedAt, finishedAt } = call;
	const receipts = result?.receipts ?? [];
	const command = commandOf(call);
	const seconds = startedAt !== undefined && finishedAt !== undefined ? Math.max(0, finishedAt - startedAt) / 1000 : undefined;
	return (
		<>
			<button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
				<Icon name={toolIcon(call.tool)} />
				<b>{toolTitle(say, call.tool, status === 'done')}</b>
				<span className="cut grow dim" dir="auto">
					<Glance call={call} />
				</span>
				{call.label && call.label !== 'agent' && call.label !== 'owner' ? <TrustLabel label={call.label} /> : null}
				<FlaggedMark inspection={result?.inspection} />
				{status === 'done' ? (
					<span className="meta num">
						{receipts.length > 0 ? '' : (result?.summary ?? (seconds === undefined ? '' : say('chat.toolSeconds', { seconds })))}
					</span>
				) : (
					<>
						{command && result?.summary ? <span className="meta num">{result.summary}</span> : null}
						<StateMark state={stateOf(call)}>{say(`chat.toolStatus.${status}`)}</StateMark>
					</>
				)}
				<Icon name={open ? 'down' : 'right'} size="s" />
			</button>
			<Receipts receipts={receipts} />
			{status === 'denied' ? <ToolsWait tool={call.tool} /> : null}
			{status === 'running' && call.tool === RUN_COMMAND && runId ? <LiveOutput runId={runId} callId={call.callId} /> : null}
			<div id={id} className="call-detail" hidden={!open}>
				{open ? (
					<>
						<p className="part-name">{say('chat.toolArguments')}</p>
						{command ? (
							<CommandGiven {...command} />
						) : isEmpty(call.args) ? (
							<p className="meta">{say('chat.toolNoArguments')}</p>
						) : (
							<LongText className="io" text={typeof call.args === 'string' ? call.args : JSON.stringify(call.args, null, 2)} />
						)}
						{result ? (
							<>
								<p className="part-name">{say('chat.toolResult')}</p>
								{/* What a command puts out is no message of Hearth's, whatever its exit code. */}
								<Result result={command ? { ...result, isError: false } : result} runId={runId} />
							</>
						) : null}
					</>
				) : null}
			</div>
		</>
	);
}

/** A call of a server that has tools which wait for the owner was refused: that may be why. */
function ToolsWait({ tool }: { tool: string }) {
	const { data } = useServers();
	const id = /^mcp_([a-z][a-z0-9]*)_/.exec(tool)?.[1];
	const view = data?.servers.find(({ server }) => server.id === id);
	if (!view || view.tools.waiting === 0) return null;
	const { waiting: count, changed } = view.tools;
	const link = (
		<Link className="lnk" href="/settings/servers">
			<Text id="chat.toolsWaitPlace" />
		</Link>
	);
	return (
		<p className="meta call-note">
			<Text
				id={changed > 0 ? 'chat.toolsChanged' : 'chat.toolsWait'}
				values={{ count: changed > 0 ? changed : count, name: view.server.title, link }}
			/>
		</p>
	);
}

/** Of a large result the message holds only the beginning; the rest is kept with its run. */
function Result({ result: { text, whole, isError, inspection }, runId }: { result: ToolResult; runId: RunId | null }) {
	const say = useSay();
	const flags = markedFlags(inspection);
	if (whole && runId)
		return (
			<>
				<KeptText runId={runId} text={text} rest={whole.hash} empty="" />
				<FlaggedLegend flags={flags} />
			</>
		);
	return (
		<>
			<LongText className={isError ? 'io failed' : 'io'} text={text} flags={flags} />
			<FlaggedLegend flags={flags} />
			{whole ? <p className="meta">{say('chat.toolBeginning')}</p> : null}
		</>
	);
}
