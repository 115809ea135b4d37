import { useQuery } from '@tanstack/react-query';
import { useLocation } from 'wouter';
import { type Compaction, type KeptItem, KeptKind } from '../../../src/domain/compaction.ts';
import type { CompactionId } from '../../../src/domain/ids.ts';
import { call, shapeOf } from '../../connection/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TrustLabel } from '../../ui/marks.tsx';
import { useSay } from '../../ui/strings.tsx';
import { jumpTo } from '../chat-ui-store.ts';

/** What the model is told in place of older messages: a model's words, where one wrote, and every kept passage with its way to the original. */
export default function SummaryDialog({ compactionId, onClose }: { compactionId: CompactionId; onClose: () => void }) {
	const say = useSay();
	const { data: summary, error } = useQuery({
		queryKey: ['chat', 'summary', compactionId],
		queryFn: () => call((client) => client.chat.summary({ compactionId }), { repeatable: true }),
		staleTime: 0,
	});
	const failure = error ? shapeOf(error) : undefined;
	return (
		<Dialog
			open
			onClose={onClose}
			title={say('summary.title')}
			lead={summary ? say('summary.lead', { of: summary.within ? 'reply' : 'chat', count: summary.covers }) : undefined}
			wide
			footer={<Button onClick={onClose}>{say('common.close')}</Button>}
		>
			{summary ? (
				<Summary summary={summary} onLeave={onClose} />
			) : (
				<p className="meta" role="status">
					{failure ? [failure.message, failure.safe, failure.action].filter(Boolean).join(' ') : say('common.loading')}
				</p>
			)}
		</Dialog>
	);
}

function Summary({ summary, onLeave }: { summary: Compaction; onLeave: () => void }) {
	const say = useSay();
	const { text, items, label, model, tokensBefore, tokensAfter } = summary;
	return (
		<div className="summary">
			<p className="meta summary-about">
				<TrustLabel label={label} />
				<span>{model ? say('summary.by', { model: model.modelId }) : say('summary.byNobody')}</span>
				<span className="num">{say('summary.sizes', { before: tokensBefore, after: tokensAfter })}</span>
			</p>
			{text === '' ? null : (
				<p className="said-text" dir="auto">
					{text}
				</p>
			)}
			{KeptKind.options.map((kind) => (
				<Kept key={kind} kind={kind} items={items.filter((item) => item.kind === kind)} summary={summary} onLeave={onLeave} />
			))}
		</div>
	);
}

interface KeptProps {
	kind: KeptKind;
	items: readonly KeptItem[];
	summary: Compaction;
	onLeave: () => void;
}

function Kept({ kind, items, summary: { sessionId }, onLeave }: KeptProps) {
	const say = useSay();
	const [, navigate] = useLocation();
	if (items.length === 0) return null;
	const show = ({ messageId, text }: KeptItem): void => {
		onLeave();
		navigate(`/chat/${sessionId}`);
		jumpTo(sessionId, messageId, text);
	};
	return (
		<section>
			<h3>{say(`summary.kind.${kind}`)}</h3>
			<ul className="summary-items">
				{items.map((item) => (
					<li key={`${item.messageId}:${item.part}:${item.text}`}>
						<span className="said-text grow" dir="auto">
							{item.text}
						</span>
						<button type="button" className="lnk num" onClick={() => show(item)}>
							{say('summary.show', { by: item.by, number: item.number })}
						</button>
					</li>
				))}
			</ul>
		</section>
	);
}
