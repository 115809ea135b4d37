import { startTransition, useEffect, useRef, useState } from 'react';

/** The value, but no more often than this many milliseconds apart: what changes faster is left out, and the last one always comes. */
export function useThrottled<T>(value: T, apartMs: number): T {
	const [shown, setShown] = useState(value);
	const last = useRef(0);
	useEffect(() => {
		if (Object.is(shown, value)) return;
		const show = (): void => {
			last.current = performance.now();
			startTransition(() => setShown(() => value));
		};
		const wait = last.current + apartMs - performance.now();
		if (wait <= 0) {
			show();
			return;
		}
		const timer = setTimeout(show, wait);
		return () => clearTimeout(timer);
	}, [value, shown, apartMs]);
	return shown;
}
