import { closest, distance } from 'fastest-levenshtein';

/** ` Did you mean “title”?` with a space before it, or nothing where no known word is near. */
export function didYouMean(word: string, known: readonly string[]): string {
	const lower = word.toLowerCase();
	const byLower = new Map(known.map((each) => [each.toLowerCase(), each]));
	if (byLower.size === 0) return '';
	const nearest = closest(lower, [...byLower.keys()]);
	return distance(lower, nearest) <= Math.max(2, Math.floor(nearest.length / 3)) ? ` Did you mean “${byLower.get(nearest)}”?` : '';
}
