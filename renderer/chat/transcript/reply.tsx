import { useMemo } from 'react';
import type { Message } from '../../../src/domain/message.ts';
import { StateMark } from '../../ui/marks.tsx';
import { useSay } from '../../ui/strings.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { NeedsYou } from '../needs/needs-you.tsx';
import { SummaryNotice } from '../summary/summary-notice.tsx';
import { CurrentPlan } from './current-plan.tsx';
import { Ending } from './ending.tsx';
import { isQuiet, Notice } from './notice.tsx';
import { Reasoning } from './reasoning.tsx';
import { replyBlocks } from './reply-parts.ts';
import { ToolRows } from './tool-row.tsx';
import { Under } from './under.tsx';

/** A whole turn of Hearth: thinking, tool calls and text of all its steps in order, and how it ended. */
export function Reply({ message, last }: { message: Message; last: boolean }) {
	const say = useSay();
	const blocks = useMemo(() => replyBlocks(message.parts), [message.parts]);
	const streaming = message.status === 'streaming';
	const atWork = streaming || message.status === 'waiting';
	const lastPart = message.parts.length - 1;
	return (
		<article className="reply" aria-label={say('chat.hearth')} aria-busy={streaming || undefined}>
			{atWork ? <CurrentPlan message={message} /> : null}
			{blocks.map((block) => {
				const open = streaming && block.key === lastPart;
				switch (block.kind) {
					case 'text':
						return <Markdown key={block.key} text={block.text} streaming={open} />;
					case 'reasoning':
						return <Reasoning key={block.key} text={block.text} thinking={open} />;
					case 'notice':
						if (isQuiet(block.notice)) return null;
						return block.notice.code === 'compacted' ? (
							<SummaryNotice key={block.key} notice={block.notice} />
						) : (
							<Notice key={block.key} notice={block.notice} />
						);
					case 'tools':
						return <ToolRows key={block.key} calls={block.calls} runId={message.runId} />;
					default:
						return null;
				}
			})}
			{streaming && blocks.length === 0 ? <StateMark state="running">{say('chat.working')}</StateMark> : null}
			{message.status === 'waiting' ? <NeedsYou sessionId={message.sessionId} runId={message.runId} /> : null}
			<Ending message={message} last={last} />
			{atWork ? null : <Under message={message} />}
		</article>
	);
}
