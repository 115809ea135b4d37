import { type Ref, useEffect, useEffectEvent, useImperativeHandle, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { MessageId, SessionId } from '../../../src/domain/ids.ts';
import { loadOlder, loadUntil, useTranscripts } from '../../connection/transcripts-store.ts';
import { Button } from '../../ui/button.tsx';
import { useSay } from '../../ui/strings.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useChatUi } from '../chat-ui-store.ts';
import { sayProblem } from '../session-actions.ts';
import { showVersionOf } from '../turn-actions.ts';
import { markQuote, markWords } from './mark-words.ts';
import { MessageRow } from './message-row.tsx';
import { useOrder } from './use-message.ts';
import { useStick } from './use-stick.ts';

/** Pixels from the top at which the page before is asked for. */
const AHEAD = 800;
/** Room above the first message, as the stylesheet has it. */
const TOP = 20;

/** Messages that are laid out first, and how long the others wait for them. */
const FIRST = 12;
const AFTER_PAINT_MS = 50;

/** Where each chat was left; a chat that was left at its end is not in it. */
const places = new Map<string, { messageId: string; above: number }>();

export interface TranscriptHandle {
	toEnd(): void;
}

/** The messages of a session, only those in view in the page. Mounted anew for each session. */
export function Transcript({ sessionId, ref }: { sessionId: SessionId; ref?: Ref<TranscriptHandle> }) {
	const say = useSay();
	const loaded = useOrder(sessionId);
	const order = useEndFirst(sessionId, loaded);
	const loadingOlder = useTranscripts((state) => state.bySession[sessionId]?.loadingOlder ?? false);
	const scroller = useRef<HTMLElement>(null);
	const content = useRef<HTMLDivElement>(null);
	const list = useRef<VirtualizerHandle>(null);
	const stick = useStick(scroller, content);
	const shift = useShift(order);
	useImperativeHandle(ref, () => ({ toEnd: stick.toEnd }));
	useLeftPlace(sessionId, order, list, scroller, stick);
	useTarget(sessionId, list, scroller, stick.leave);

	const onScroll = (): void => {
		stick.onScroll();
		if (order.length === loaded.length && (scroller.current?.scrollTop ?? AHEAD) < AHEAD) loadOlder(sessionId).catch(sayProblem);
	};
	return (
		<div className="transcript-frame">
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be scrollable by keyboard */}
			<section className="pane-body transcript" ref={scroller} aria-label={say('chat.messages')} tabIndex={0} onScroll={onScroll}>
				<div className="turns" ref={content}>
					<Virtualizer ref={list} data={order} scrollRef={scroller} startMargin={TOP} shift={shift} bufferSize={600}>
						{(messageId: MessageId, index) => (
							<MessageRow key={messageId} sessionId={sessionId} messageId={messageId} last={index === order.length - 1} />
						)}
					</Virtualizer>
				</div>
			</section>
			{loadingOlder ? (
				<p className="older meta" role="status">
					{say('chat.older')}
				</p>
			) : null}
			{stick.far ? (
				<Button size="sm" icon="down" className="to-latest" onClick={stick.toEnd}>
					{say('chat.latest')}
				</Button>
			) : null}
		</div>
	);
}

/**
 * A chat that opens at its end shows its last messages first and the rest a frame later: a list lays out its beginning
 * before it can jump, and laying out replies that nobody sees is most of the time that opening takes.
 */
function useEndFirst(sessionId: SessionId, order: readonly MessageId[]): readonly MessageId[] {
	const [all, setAll] = useState(() => places.has(sessionId) || useChatUi.getState().target?.sessionId === sessionId);
	useEffect(() => {
		const timer = setTimeout(() => setAll(true), AFTER_PAINT_MS);
		return () => clearTimeout(timer);
	}, []);
	return useMemo(() => (all ? order : order.slice(-FIRST)), [all, order]);
}

/** True in the render in which older messages came in front: the list then keeps its distance to the end. */
function useShift(order: readonly MessageId[]): boolean {
	const shown = useRef(order);
	const before = shown.current;
	useLayoutEffect(() => {
		shown.current = order;
	}, [order]);
	return before !== order && before[0] !== undefined && order[0] !== before[0] && order.at(-1) === before.at(-1);
}

/** Opens a chat where it was left, else at its end; remembers the place when it is left. */
function useLeftPlace(
	sessionId: SessionId,
	order: readonly MessageId[],
	list: { current: VirtualizerHandle | null },
	scroller: { current: HTMLElement | null },
	stick: { following: { current: boolean }; leave(): void },
): void {
	const open = useEffectEvent(() => {
		const place = places.get(sessionId);
		const index = place ? order.indexOf(place.messageId as MessageId) : -1;
		if (place && index >= 0) {
			stick.leave();
			list.current?.scrollToIndex(index, { align: 'start', offset: place.above });
		} else {
			list.current?.scrollToIndex(order.length - 1, { align: 'end' });
		}
	});
	useLayoutEffect(() => {
		open();
		const view = scroller.current;
		const remember = (): void => {
			const handle = list.current;
			if (!handle || !view) return;
			const top = view.scrollTop - TOP;
			const messageId = useTranscripts.getState().bySession[sessionId]?.transcript.order[handle.findItemIndex(top)];
			if (stick.following.current || !messageId) places.delete(sessionId);
			else places.set(sessionId, { messageId, above: top - handle.getItemOffset(handle.findItemIndex(top)) });
		};
		view?.addEventListener('scrollend', remember);
		return () => view?.removeEventListener('scrollend', remember);
	}, [sessionId, list, scroller, stick.following]);
}

/** Goes to the message that a search or a link named, loading what lies between, and marks it. */
function useTarget(
	sessionId: SessionId,
	list: { current: VirtualizerHandle | null },
	scroller: { current: HTMLElement | null },
	leave: () => void,
): void {
	const say = useSay();
	const target = useChatUi((state) => (state.target?.sessionId === sessionId ? state.target : null));
	const go = useEffectEvent(async (messageId: MessageId, quote: string | undefined) => {
		leave();
		// What is found but not in this version of the chat lies in another one.
		if (!(await loadUntil(sessionId, messageId)) && !(await showVersionOf(sessionId, messageId))) {
			showToast(say('chat.messageGone'));
			return;
		}
		// One frame for the rows that were just loaded, one more for the list to measure them.
		await frame();
		const index = useTranscripts.getState().bySession[sessionId]?.transcript.order.indexOf(messageId) ?? -1;
		leave();
		list.current?.scrollToIndex(index, { align: 'center' });
		await frame();
		await frame();
		const row = scroller.current?.querySelector(`[data-message-id="${CSS.escape(messageId)}"]`) ?? null;
		const first = (quote === undefined ? undefined : markQuote(row, quote)) ?? markWords(row, quote ?? useChatUi.getState().words);
		if (first && scroller.current) bringIntoView(scroller.current, first);
	});
	useEffect(() => {
		if (target) go(target.messageId as MessageId, target.quote).catch(sayProblem);
		return () => {
			markWords(null, '');
		};
	}, [target]);
}

/** In a long message the words may lie far from its middle: they come to the upper third of the view. */
function bringIntoView(view: HTMLElement, words: Range): void {
	const at = words.getBoundingClientRect();
	const seen = view.getBoundingClientRect();
	if (at.top >= seen.top && at.bottom <= seen.bottom) return;
	view.scrollTop += at.top - seen.top - seen.height / 3;
}

function frame(): Promise<void> {
	return new Promise((resolve) => {
		requestAnimationFrame(() => resolve());
	});
}
