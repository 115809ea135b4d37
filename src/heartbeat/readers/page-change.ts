import { createHash } from 'node:crypto';

/** What is new on a page since it was last read, by paragraphs: pure. */

export interface Paragraph {
	readonly text: string;
	/** The same for the same words, whatever their links, dates and counts of comments. */
	readonly key: string;
	/** It tells something in numbers: that one comes back is news. */
	readonly hasNumber: boolean;
}

/** Of a page, the first ones. */
const MOST_PARAGRAPHS = 3_000;
/** That were there once: banners and teasers that come and go. */
const MOST_REMEMBERED = 3_000;

/** Not over the beginning of the next one: a page of nothing but beginnings must not be read once for each. */
const LINK = /\]\([^)\]\s]*\)/g;
const MONTH = String.raw`(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|ma[yi]|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\.?`;
const UNIT =
	'(?:sec(?:ond)?s?|min(?:ute)?s?|minuten?|sekunden?|h(?:ou)?rs?|stunden?|days?|tag(?:en?)?|weeks?|wochen?|months?|monat(?:en?)?|years?|jahr(?:en?)?)';
const COUNTED =
	'(?:comments?|kommentare?|views?|aufrufe?|likes?|shares?|repl(?:y|ies)|antworten|reads?|visitors?|besucher|votes?|stimmen|points?|punkte|stars?|followers?|members? online|online)';
/** What changes by itself. */
const PASSING = new RegExp(
	[
		String.raw`\b\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:z|[+-]\d{2}:?\d{2})?)?`,
		String.raw`\b\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})?`,
		String.raw`\b\d{1,2}\.? ${MONTH}(?:,? \d{4})?`,
		String.raw`\b${MONTH} \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?`,
		String.raw`\b\d{1,2}:\d{2}(?::\d{2})?(?: ?[ap]m)?(?: uhr)?`,
		String.raw`\b(?:an?|\d+) ${UNIT} ago\b`,
		String.raw`\bvor (?:einer?|einem|\d+) ${UNIT}`,
		// So many digits at most, since each of them could begin it.
		String.raw`\b\d[\d.,]{0,20}k? ${COUNTED}\b`,
		String.raw`\b${COUNTED}:? ?\(?\d[\d.,]*\)?`,
		String.raw`\b(?:just now|yesterday|today|heute|gestern|gerade eben)\b`,
	].join('|'),
	'giu',
);

/** In the order of the page. A list or a table has one a line. */
export function paragraphsOf(text: string): Paragraph[] {
	const blocks = text.split(/\n{2,}/).flatMap((block) => (/^\s*(?:[-*+|]|\d+\.)\s?/.test(block) ? block.split('\n') : [block]));
	return blocks.slice(0, MOST_PARAGRAPHS).flatMap((block) => {
		const lasting = block.replace(LINK, ']').toLowerCase().replace(PASSING, ' ');
		const words = lasting.match(/[\p{L}\p{N}]+/gu) ?? [];
		if (words.length === 0) return [];
		return [{ text: block.trim(), key: shortHash(words.join(' ')), hasNumber: words.some((word) => /\p{N}/u.test(word)) }];
	});
}

export interface SeenPage {
	/** Keys of the paragraphs of the last reading. */
	readonly now: string[];
	/** Keys of those that were there before and are gone, newest last. */
	readonly gone: string[];
}

/** The paragraphs that are new, and what is to be remembered. `change` names this very change of this very page. */
export function changeOf(before: SeenPage, paragraphs: readonly Paragraph[]): { added: Paragraph[]; seen: SeenPage; change: string } {
	const [then, gone] = [new Set(before.now), new Set(before.gone)];
	const now = [...new Set(paragraphs.map(({ key }) => key))];
	const present = new Set(now);
	const told = new Set<string>();
	const added = paragraphs.filter(({ key, hasNumber }) => {
		if (told.has(key)) return false;
		told.add(key);
		return !then.has(key) && (hasNumber || !gone.has(key));
	});
	const nowGone = [...before.gone.filter((key) => !present.has(key)), ...before.now.filter((key) => !present.has(key))];
	return {
		added,
		seen: { now, gone: nowGone.slice(-MOST_REMEMBERED) },
		change: shortHash(JSON.stringify([before.now, added.map(({ key }) => key)])),
	};
}

function shortHash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
