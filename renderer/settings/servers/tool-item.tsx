import { changedParts, OFFER_PARTS, offerParts } from '../../../src/contract/server-tool.ts';
import type { ServerTool } from '../../../src/domain/tool-server.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/controls.tsx';
import { markedFlags } from '../../ui/flag-pieces.ts';
import { FlaggedLegend, FlaggedMark, FlaggedText } from '../../ui/flagged.tsx';
import type { IconName } from '../../ui/icon.tsx';
import { StateMark, TrustLabel } from '../../ui/marks.tsx';
import { useSay } from '../../ui/strings.tsx';
import { WordDiff } from '../../ui/word-diff.tsx';

const MARKS = {
	new: { state: 'pending', icon: 'alert' },
	approved: { state: 'done', icon: 'done' },
	changed: { state: 'alert', icon: 'alert' },
	gone: { state: 'stale', icon: 'plug' },
	unusable: { state: 'failed', icon: 'failed' },
} as const satisfies Record<ServerTool['state'], { state: string; icon: IconName }>;

interface ToolItemProps {
	tool: ServerTool;
	busy: boolean;
	onApprove: (shownHash: string) => void;
	onUnapprove: () => void;
	onReadOnly: (readOnly: boolean) => void;
}

/** One tool: the server's words as plain text, what is odd in them, what changed, and the owner's word. */
export function ToolItem({ tool, busy, onApprove, onUnapprove, onReadOnly }: ToolItemProps) {
	const say = useSay();
	const { state, shownHash, readOnly, saysReadOnly, inspection, problem } = tool;
	const waits = (state === 'new' || state === 'changed') && shownHash !== undefined;
	return (
		<li className="server-tool">
			<div className="server-tool-head">
				<h3 className="grow" dir="auto">
					{tool.tool}
				</h3>
				<StateMark {...MARKS[state]}>{say(`serverTools.state.${state}`)}</StateMark>
				<FlaggedMark inspection={inspection} />
				<TrustLabel label={state === 'approved' ? 'approved' : 'external'} />
			</div>
			<p className="meta">
				<code>{tool.name}</code>
				{saysReadOnly && !readOnly ? ` ${say('serverTools.saysReadOnly')}` : null}
			</p>
			{problem ? <p className="field-error">{problem}</p> : null}
			{state === 'changed' ? <Changes tool={tool} /> : <Words tool={tool} />}
			<div className="server-tool-acts">
				{state === 'approved' ? (
					<span className="switch-line">
						<Switch label={say('serverTools.readOnly', { name: tool.tool })} checked={readOnly} onChange={onReadOnly} />
						<span>
							{say('serverTools.readOnlyLabel')} <span className="meta">{say('serverTools.readOnlyHint')}</span>
						</span>
					</span>
				) : null}
				{tool.approved ? (
					<Button size="sm" busy={busy} aria-label={say('serverTools.unapproveNamed', { name: tool.tool })} onClick={onUnapprove}>
						{say('serverTools.unapprove')}
					</Button>
				) : null}
				{waits ? (
					<Button
						size="sm"
						kind="primary"
						busy={busy}
						aria-label={say('serverTools.approve', { name: tool.tool })}
						onClick={() => onApprove(shownHash)}
					>
						{say('serverTools.approveShort')}
					</Button>
				) : null}
			</div>
		</li>
	);
}

function Words({ tool: { offered, approved, inspection } }: { tool: ServerTool }) {
	const say = useSay();
	const { description, ...parts } = offerParts(offered ?? approved);
	// Offsets are those of the whole; the description stands first in it.
	const flags = markedFlags(inspection);
	const inDescription = flags.filter(({ start }) => start < description.length);
	return (
		<>
			<p className="server-words" dir="auto">
				{description === '' ? say('serverTools.noWords') : <FlaggedText text={description} flags={inDescription} />}
			</p>
			<FlaggedLegend flags={flags} />
			{OFFER_PARTS.map((part) =>
				part === 'description' || parts[part] === '' ? null : (
					<details className="advanced" key={part}>
						<summary>{say(`serverTools.part.${part}`)}</summary>
						{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys */}
						<pre className="well server-json" tabIndex={0}>
							{parts[part]}
						</pre>
					</details>
				),
			)}
		</>
	);
}

function Changes({ tool: { offered, approved, inspection } }: { tool: ServerTool }) {
	const say = useSay();
	const changes = changedParts(approved, offered);
	const { description } = offerParts(offered);
	const flags = markedFlags(inspection);
	const inDescription = flags.filter(({ start }) => start < description.length);
	return (
		<>
			{changes.length === 0 ? <p>{say('serverTools.sameWords')}</p> : null}
			{changes.map(({ part, before, after }) => (
				<section key={part} aria-label={say(`serverTools.part.${part}`)}>
					<h4 className="meta">{say(`serverTools.part.${part}`)}</h4>
					<WordDiff before={before} after={after} />
				</section>
			))}
			{/* Once more as a whole: what is hidden in it can't be seen in a comparison. */}
			{inDescription.length > 0 ? (
				<p className="server-words" dir="auto">
					<FlaggedText text={description} flags={inDescription} />
				</p>
			) : null}
			<FlaggedLegend flags={flags} />
		</>
	);
}
