/**
 * Text that is safe to store and send. JavaScript strings may hold half of a surrogate pair (an emoji cut in the middle);
 * providers refuse such text for ever after (chat-4). Cut with `cutCodePoints`, repair what comes from outside with
 * `repairSurrogates`.
 */

const LONE_SURROGATE = /\p{Surrogate}/gu;
const REPLACEMENT = '\uFFFD';

/** The longest beginning of `text` of at most `maxUnits` UTF-16 units that ends between two code points. */
export function cutCodePoints(text: string, maxUnits: number): string {
	const limit = Math.max(0, Math.floor(maxUnits));
	if (text.length <= limit) return text;
	return text.slice(0, splitsPair(text, limit) ? limit - 1 : limit);
}

/** The longest end of `text` of at most `maxUnits` UTF-16 units that begins between two code points. */
export function cutCodePointsFromStart(text: string, maxUnits: number): string {
	const limit = Math.max(0, Math.floor(maxUnits));
	if (text.length <= limit) return text;
	const start = text.length - limit;
	return text.slice(splitsPair(text, start) ? start + 1 : start);
}

/** `text` with every half of a surrogate pair replaced by U+FFFD; the very same string where there is none. */
export function repairSurrogates(text: string): string {
	return text.replace(LONE_SURROGATE, REPLACEMENT);
}

/** A JSON-like value with every string (keys too) repaired; the very same value where nothing was broken. */
export function repairSurrogatesDeep<Value>(value: Value): Value {
	return repairValue(value) as Value;
}

function repairValue(value: unknown): unknown {
	if (typeof value === 'string') return repairSurrogates(value);
	if (Array.isArray(value)) {
		const repaired = value.map(repairValue);
		return repaired.some((item, index) => item !== value[index]) ? repaired : value;
	}
	if (value !== null && typeof value === 'object') {
		const entries = Object.entries(value);
		const repaired = entries.map(([key, item]) => [repairSurrogates(key), repairValue(item)] as const);
		const changed = repaired.some(([key, item], index) => key !== entries[index]?.[0] || item !== entries[index]?.[1]);
		return changed ? Object.fromEntries(repaired) : value;
	}
	return value;
}

/** Whether a cut at `index` would fall between the two halves of one code point. */
function splitsPair(text: string, index: number): boolean {
	if (index <= 0 || index >= text.length) return false;
	const before = text.charCodeAt(index - 1);
	const after = text.charCodeAt(index);
	return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff;
}
