import { useEffect, useState } from 'react';

/** A value once it has stood still for so long, in milliseconds. */
export function useSettledFor<T>(value: T, ms: number): T {
	const [settled, setSettled] = useState(value);
	useEffect(() => {
		const timer = setTimeout(() => setSettled(value), ms);
		return () => clearTimeout(timer);
	}, [value, ms]);
	return settled;
}
