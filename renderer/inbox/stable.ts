import { useMemo, useRef } from 'react';

/** Functions that stay the same ones through all renders, and do what the newest of them does: who is given them need not be drawn anew. */
export function useStable<T extends { readonly [name: string]: unknown }>(functions: T): T {
	const latest = useRef(functions);
	latest.current = functions;
	return useMemo(() => {
		const names = Object.keys(latest.current);
		const call =
			(name: string) =>
			(...given: unknown[]) =>
				(latest.current[name] as (...given: unknown[]) => unknown)(...given);
		return Object.fromEntries(names.map((name) => [name, call(name)])) as T;
	}, []);
}
