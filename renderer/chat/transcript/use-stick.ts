import { type RefObject, useEffect, useRef, useState } from 'react';

/** Pixels from the end that still count as at the end. */
const NEAR = 4;
/** Pixels from the end at which the way back is offered. */
const FAR = 160;

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
	const [far, setFar] = useState(false);

	const onScroll = (): void => {
		const view = scroller.current;
		if (!view) return;
		const distance = view.scrollHeight - view.scrollTop - view.clientHeight;
		if (distance <= NEAR) following.current = true;
		// A smaller offset that is not the end: the reader went up.
		else if (view.scrollTop < lastTop.current - 1) following.current = false;
		lastTop.current = view.scrollTop;
		setFar(!following.current && distance > FAR);
	};
	const toEnd = (): void => {
		following.current = true;
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
		const watch = new ResizeObserver(() => {
			if (following.current) view.scrollTop = view.scrollHeight;
		});
		watch.observe(view);
		watch.observe(grown);
		return () => watch.disconnect();
	}, [scroller, content]);

	return { following, far, onScroll, toEnd, leave };
}
