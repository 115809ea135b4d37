import { type RefObject, useEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as at the end. */
const NEAR = 4;
/** Pixels from the end at which the way back is offered. */
const FAR = 160;
/** How long after a wheel, key or touch a change of the offset still counts as the reader's, in milliseconds. */
const INTENT_MS = 600;
/** How long after a jump to the end or a change of the view's size the list may still move the offset by itself, in milliseconds. */
const SETTLE_MS = 600;

export interface Stick {
	/** The view follows the end. */
	readonly following: RefObject<boolean>;
	/** So far from the end that a button back is worth its place. */
	readonly far: boolean;
	/** To be called on every scroll of the scroller. */
	onScroll(): void;
	toEnd(): void;
	leave(): void;
}

/**
 * Keeps the end of the transcript in view while it grows, but only for a reader who is there: whoever scrolled up stays
 * exactly where they are.
 */
export function useStick(scroller: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>): Stick {
	const following = useRef(true);
	const lastTop = useRef(0);
	const lastHeight = useRef(0);
	const lastView = useRef(0);
	const intent = useRef(Number.NEGATIVE_INFINITY);
	const settling = useRef(Number.NEGATIVE_INFINITY);
	const [far, setFar] = useState(false);

	const onScroll = (): void => {
		const view = scroller.current;
		if (!view) return;
		const distance = view.scrollHeight - view.scrollTop - view.clientHeight;
		const up = view.scrollTop < lastTop.current - 1;
		const measured = view.scrollHeight !== lastHeight.current || view.clientHeight !== lastView.current;
		// The list itself moves the offset when it measures rows, and a field that shrinks and grows moves the end; every other
		// way up is the reader's, by whatever means.
		const now = performance.now();
		const byReader = now - intent.current < INTENT_MS || (!measured && now - settling.current > SETTLE_MS);
		if (distance <= NEAR) following.current = true;
		else if (up && byReader) following.current = false;
		else if (following.current && !byReader) view.scrollTop = view.scrollHeight;
		lastHeight.current = view.scrollHeight;
		lastView.current = view.clientHeight;
		lastTop.current = view.scrollTop;
		setFar(!following.current && distance > FAR);
	};
	const toEnd = (): void => {
		following.current = true;
		settling.current = performance.now();
		const view = scroller.current;
		if (view) view.scrollTop = view.scrollHeight;
		setFar(false);
	};
	const leave = (): void => {
		following.current = false;
	};

	useEffect(() => {
		const view = scroller.current;
		const grown = content.current;
		if (!view || !grown) return;
		const watch = new ResizeObserver((entries) => {
			if (entries.some(({ target }) => target === view)) settling.current = performance.now();
			if (following.current) view.scrollTop = view.scrollHeight;
		});
		watch.observe(view);
		watch.observe(grown);
		const meant = (): void => {
			intent.current = performance.now();
		};
		// The scroll bar is the scroller's own; a hold of it ends anywhere.
		const hold = (event: PointerEvent): void => {
			if (event.target === view) intent.current = Number.POSITIVE_INFINITY;
		};
		const release = (): void => {
			if (intent.current === Number.POSITIVE_INFINITY) meant();
		};
		const inputs = ['wheel', 'touchmove', 'keydown'] as const;
		for (const input of inputs) view.addEventListener(input, meant, { passive: true });
		view.addEventListener('pointerdown', hold);
		window.addEventListener('pointerup', release);
		return () => {
			watch.disconnect();
			for (const input of inputs) view.removeEventListener(input, meant);
			view.removeEventListener('pointerdown', hold);
			window.removeEventListener('pointerup', release);
		};
	}, [scroller, content]);

	return { following, far, onScroll, toEnd, leave };
}
