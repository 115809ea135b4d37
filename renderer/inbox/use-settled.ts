import { useEffect, useRef, useState } from 'react';

/** How long something is shown before it is asked about, where others were shown just before it. */
const SETTLE_MS = 160;

/**
 * True once `key` is what is looked at: at once, but while one after another flies past only when it stays. Nothing that only flew past is asked
 * about, or counts as opened.
 */
export function useSettled(key: string | undefined): boolean {
	const [settled, setSettled] = useState<string>();
	const last = useRef(0);
	useEffect(() => {
		if (key === undefined) return;
		const passed = performance.now() - last.current;
		last.current = performance.now();
		if (passed > SETTLE_MS) {
			setSettled(key);
			return;
		}
		const timer = setTimeout(() => setSettled(key), SETTLE_MS);
		return () => clearTimeout(timer);
	}, [key]);
	return key !== undefined && settled === key;
}
