import { useState } from 'react';
import type { StateAt } from '../../src/contract/methods/runs.ts';
import type { RunId } from '../../src/domain/ids.ts';
import { type Message, messageText } from '../../src/domain/message.ts';
import type { RunPlace } from '../../src/domain/run.ts';
import { AttachmentChips } from '../chat/composer/attachment-chips.tsx';
import { Markdown } from '../chat/markdown/markdown.tsx';
import { LongText } from '../chat/transcript/long-text.tsx';
import { isQuiet, Notice } from '../chat/transcript/notice.tsx';
import { Reasoning } from '../chat/transcript/reasoning.tsx';
import { replyBlocks } from '../chat/transcript/reply-parts.ts';
import { ToolRows } from '../chat/transcript/tool-row.tsx';
import { shapeOf } from '../connection/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TrustLabel } from '../ui/marks.tsx';
import { ErrorNote } from '../ui/note.tsx';
import { formatBytes, useSay } from '../ui/strings.tsx';
import { KeptText } from './kept-text.tsx';
import { useWhen } from './marks.tsx';
import { PlanSection } from './plan-list.tsx';
import { useStateAt } from './queries.ts';
import { stateOf } from './words.ts';

/** The state at a checkpoint, as the agent knew it (R4). Read only. */
export default function InspectDialog({ place, onClose }: { place: RunPlace; onClose: () => void }) {
	const say = useSay();
	const when = useWhen();
	const asked = useStateAt(place);
	const state = asked.data;
	const title = place.step === 0 ? say('timeline.inspectStart') : say('timeline.inspectTitle', { step: place.step });
	return (
		<Dialog
			open
			onClose={onClose}
			title={title}
			size="huge"
			{...(state && { lead: say('timeline.inspectLead', { time: when(state.at, { seconds: true }) }) })}
			footer={<Button onClick={onClose}>{say('common.close')}</Button>}
		>
			{asked.error ? (
				<ErrorNote error={shapeOf(asked.error)} actions={<Button onClick={() => void asked.refetch()}>{say('common.tryAgain')}</Button>} />
			) : null}
			{state ? <State state={state} /> : asked.error ? null : <p aria-busy="true">{say('common.loading')}</p>}
		</Dialog>
	);
}

function State({ state }: { state: StateAt }) {
	const say = useSay();
	const { runId } = state.place;
	return (
		<div className="state-at">
			<Facts state={state} />
			<section className="sec">
				<h3>{say('timeline.messages')}</h3>
				{state.messages.length === 0 ? (
					<p className="meta">{say('timeline.noMessages')}</p>
				) : (
					// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard
					<section className="state-messages" tabIndex={0} aria-label={say('timeline.messages')}>
						{state.messages.map((message) => (
							<Said key={message.id} message={message} />
						))}
					</section>
				)}
			</section>
			{state.plan && state.plan.steps.length > 0 ? <PlanSection plan={state.plan} /> : null}
			<ToolState kept={state.toolState} />
			<Files runId={runId} files={state.files} />
		</div>
	);
}

function Facts({ state }: { state: StateAt }) {
	const say = useSay();
	const { status, label, model, modelName, prompt, promptVersion, environment, place } = state;
	return (
		<dl className="kv">
			<dt>{say('timeline.status')}</dt>
			<dd>{say(stateOf({ status, step: place.step }).id, { step: place.step })}</dd>
			<dt>{say('timeline.label')}</dt>
			<dd>
				<TrustLabel label={label} />
			</dd>
			{model ? (
				<>
					<dt>{say('timeline.model')}</dt>
					<dd>{modelName ?? model.modelId}</dd>
				</>
			) : null}
			{prompt === undefined ? null : (
				<>
					<dt>{say('timeline.prompt')}</dt>
					<dd>
						{promptVersion === undefined ? null : <p>{say('timeline.promptVersion', { version: promptVersion })}</p>}
						<KeptText runId={place.runId} text="" rest={prompt} empty="" ask={say('timeline.promptShow')} />
					</dd>
				</>
			)}
			<dt>{say('timeline.environment')}</dt>
			<dd>{environment.length === 0 ? say('timeline.none') : environment.join(', ')}</dd>
		</dl>
	);
}

/** One message as the chat shows it, without what can be done with it there. */
function Said({ message }: { message: Message }) {
	const say = useSay();
	if (message.role === 'user') {
		const attachments = message.parts.flatMap((part) => (part.type === 'attachment' ? [part.attachment] : []));
		return (
			<article className="said-wrap" aria-label={say('chat.you')}>
				<div className="said">
					<AttachmentChips attachments={attachments} />
					<LongText text={messageText(message)} className="said-text" />
				</div>
			</article>
		);
	}
	return (
		<article className="reply" aria-label={say('chat.hearth')}>
			{replyBlocks(message.parts).map((block) => {
				switch (block.kind) {
					case 'text':
						return <Markdown key={block.key} text={block.text} streaming={false} />;
					case 'reasoning':
						return <Reasoning key={block.key} text={block.text} thinking={false} />;
					case 'notice':
						return isQuiet(block.notice) ? null : <Notice key={block.key} notice={block.notice} />;
					case 'tools':
						return <ToolRows key={block.key} calls={block.calls} runId={message.runId} />;
					default:
						return block satisfies never;
				}
			})}
		</article>
	);
}

function ToolState({ kept }: { kept: StateAt['toolState'] }) {
	const say = useSay();
	if (kept.length === 0) return null;
	return (
		<section className="sec">
			<h3>{say('timeline.toolState')}</h3>
			<dl className="tool-state">
				{kept.map(({ tool, key, value }) => (
					<div key={`${tool}\n${key}`} className="tool-state-row">
						<dt>
							<code>{`${tool} · ${key}`}</code>
						</dt>
						<dd>
							<code>{JSON.stringify(value)}</code>
						</dd>
					</div>
				))}
			</dl>
		</section>
	);
}

function Files({ runId, files }: { runId: RunId; files: StateAt['files'] }) {
	const say = useSay();
	return (
		<section className="sec">
			<h3>{say('timeline.files')}</h3>
			{files.length === 0 ? <p className="meta">{say('timeline.none')}</p> : null}
			<ul className="state-files">
				{files.map((file) => (
					<File key={file.path} runId={runId} file={file} />
				))}
			</ul>
		</section>
	);
}

function File({ runId, file: { path, hash, bytes } }: { runId: RunId; file: StateAt['files'][number] }) {
	const say = useSay();
	const [open, setOpen] = useState(false);
	return (
		<li>
			<code className="grow">{path}</code>
			<span className="meta num">{formatBytes(say, bytes)}</span>
			<Button
				kind="ghost"
				size="sm"
				aria-expanded={open}
				aria-label={say(open ? 'timeline.fileHide' : 'timeline.fileShow', { path })}
				icon={open ? 'down' : 'right'}
				onClick={() => setOpen(!open)}
			/>
			{open ? <KeptText runId={runId} text="" rest={hash} empty="" now /> : null}
		</li>
	);
}
