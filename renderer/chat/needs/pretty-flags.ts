import type { Flag } from '../../../src/domain/inspection.ts';

/** Flags of a value's JSON in one line, at their places in the same JSON as it is shown: only blanks between its parts are added there. Pure. */
export function prettyFlags(compact: string, pretty: string, flags: readonly Flag[]): Flag[] {
	if (flags.length === 0) return [];
	const places: number[] = [];
	let at = 0;
	for (const character of compact) {
		while (at < pretty.length && !pretty.startsWith(character, at)) at += 1;
		for (let unit = 0; unit < character.length; unit++) places.push(at + unit);
		at += character.length;
	}
	return flags.flatMap(({ kind, start, end }) => {
		const [from, to] = [places[start], places[end - 1]];
		return from === undefined || to === undefined ? [] : [{ kind, start: from, end: to + 1 }];
	});
}
