/** `compute`, a pure function of a text, that knows what it said of the last `most` texts. */
export function remembered<Value>(most: number, compute: (text: string) => Value): (text: string) => Value {
	const known = new Map<string, { readonly value: Value }>();
	return (text) => {
		const before = known.get(text);
		if (before) return before.value;
		const value = compute(text);
		// The one that came first goes.
		const [oldest] = known.size < most ? [] : known.keys();
		if (oldest !== undefined) known.delete(oldest);
		known.set(text, { value });
		return value;
	};
}
