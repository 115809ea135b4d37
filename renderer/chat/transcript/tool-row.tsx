import { memo, useId, useState } from 'react';
import { en } from '../../../src/contract/strings/index.ts';
import type { Json } from '../../../src/domain/json.ts';
import type { ToolPart } from '../../../src/domain/message.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { StateMark, TrustLabel } from '../../ui/marks.tsx';
import { type Say, type StringId, useSay } from '../../ui/strings.tsx';
import { EntryWords, Receipts } from '../memory/receipts.tsx';
import { memoryGlance } from '../memory/tool-words.ts';
import { LongText } from './long-text.tsx';

/** Neighbouring tool calls: one line each, open to what went in and what came back. */
export const ToolRows = memo(function ToolRows({ calls }: { calls: readonly ToolPart[] }) {
	return (
		<div className="calls">
			{calls.map((call) => (
				<ToolRow key={call.callId} call={call} />
			))}
		</div>
	);
});

/** The tool's name for people: what the catalogue calls it, else its own name in words. */
export function toolTitle(say: Say, tool: string, done = true): string {
	const id = `chat.tool.${tool}`;
	if (id in en) return say(id as StringId);
	return say(done ? 'chat.toolUsed' : 'chat.toolUsing', { tool: tool.replaceAll('_', ' ') });
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

export function toolIcon(tool: string): IconName {
	if (tool.startsWith('memory_') && tool !== 'memory_search') return 'memory';
	if (tool.includes('search')) return 'search';
	if (tool.includes('file') || tool.includes('read')) return 'file';
	return 'terminal';
}

/** The one argument worth a glance: the first text among them. */
function glance(args: Json): string {
	if (typeof args === 'string') return args;
	if (args === null || typeof args !== 'object' || Array.isArray(args)) return '';
	const first = Object.values(args).find((value) => typeof value === 'string' && value !== '');
	return typeof first === 'string' ? first : '';
}

function Glance({ call }: { call: ToolPart }) {
	const of = memoryGlance(call);
	if (!of) return glance(call.args);
	return 'text' in of ? of.text : <EntryWords entryId={of.entryId} />;
}

function isEmpty(args: Json): boolean {
	return args === null || (typeof args === 'object' && Object.keys(args).length === 0);
}

function ToolRow({ call }: { call: ToolPart }) {
	const say = useSay();
	const [open, setOpen] = useState(false);
	const id = useId();
	const { status, result, startedAt, finishedAt } = call;
	const receipts = result?.receipts ?? [];
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
				{status === 'done' ? (
					<span className="meta num">
						{receipts.length > 0 ? '' : (result?.summary ?? (seconds === undefined ? '' : say('chat.toolSeconds', { seconds })))}
					</span>
				) : (
					<StateMark state={STATES[status]}>{say(`chat.toolStatus.${status}`)}</StateMark>
				)}
				<Icon name={open ? 'down' : 'right'} size="s" />
			</button>
			<Receipts receipts={receipts} />
			<div id={id} className="call-detail" hidden={!open}>
				{open ? (
					<>
						<p className="part-name">{say('chat.toolArguments')}</p>
						{isEmpty(call.args) ? (
							<p className="meta">{say('chat.toolNoArguments')}</p>
						) : (
							<LongText className="io" text={typeof call.args === 'string' ? call.args : JSON.stringify(call.args, null, 2)} />
						)}
						{result ? (
							<>
								<p className="part-name">{say('chat.toolResult')}</p>
								<LongText className={result.isError ? 'io failed' : 'io'} text={result.text} />
							</>
						) : null}
					</>
				) : null}
			</div>
		</>
	);
}
