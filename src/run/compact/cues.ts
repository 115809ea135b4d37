import type { KeptKind } from '../../domain/compaction.ts';

/**
 * How a decision, a promise or a number is told from other words, in English and German. Data and pure functions. Texts may be hostile: every
 * repetition here is bounded, or can match in one way only.
 */

const LABELS: readonly (readonly [KeptKind, string])[] = [
	[
		'decision',
		'(?:final |key )?decisions?|(?:we )?decided|resolution|agreed|agreement|conclusion|(?:endgültige )?entscheidung(?:en)?|entschieden|beschluss|beschlüsse|beschlossen|vereinbart|vereinbarung|festgelegt|ergebnis',
	],
	[
		'question',
		'(?:open )?questions?|open (?:points?|issues?)|unresolved|to be (?:decided|clarified)|tb[dc]|(?:offene )?fragen?|offene(?:r)? punkte?|offen|ungeklärt|zu klären',
	],
	[
		'commitment',
		'commitments?|promises?|promised|action items?|actions?|next steps?|to-?dos?|tasks?|deadlines?|due|zusagen?|zugesagt|versprochen|aufgaben?|frist|fristen|nächste schritte',
	],
	[
		'note',
		'remember(?: this)?|important|note|nb|keep in mind|constraints?|requirements?|rules?|preferences?|merken?|merke dir|wichtig|notiz|hinweis|vorgaben?|anforderung(?:en)?|regeln?',
	],
];
const ANY_LABEL = LABELS.map(([, words]) => words).join('|');
/** Said in every second reply of a model. */
const WEAK =
	/^(?:conclusion|ergebnis|questions?|fragen?|actions?|next steps?|tasks?|due|aufgaben?|nächste schritte|important|note|nb|constraints?|requirements?|rules?|preferences?|wichtig|notiz|hinweis|vorgaben?|anforderung(?:en)?|regeln?)$/iu;
/** List marks, quotes, headings, signs and check boxes before a line's own words. */
const LEAD = String.raw`\s{0,40}(?:(?:[^\p{L}\p{N}\s|]{1,6}|\d{1,3}[.)])\s{1,8}){0,8}(?:\[[ xX]\]\s{0,4})?`;
/** `Decision (final)`, `Beschluss 3`, `Decision #12`, `Decision on the paint`. */
const ABOUT = String.raw`(?:\s{0,4}\([^)\n]{1,40}\)|\s{1,4}(?:#|no\.?\s?|nr\.?\s?)?\d{1,4}|\s{1,4}(?:on|about|for|of|from|regarding|made|taken|zu|zum|zur|über|für|vom|von|der|des)\s[^:：.!?\n]{1,60})?`;
const SPOKEN = new RegExp(
	String.raw`^(?:${LEAD})[*_~]{0,3}(?<label>${ANY_LABEL})${ABOUT}\s{0,4}[*_~]{0,3}(?:\s{0,4}[:：]|\s[–—-]\s)\s{0,4}[*_~]{0,3}(?<rest>.*)$`,
	'iu',
);
const BRACKETED = new RegExp(String.raw`^(?:${LEAD})[\[(【](?<label>${ANY_LABEL})[\])】][:：]?(?<rest>.*)$`, 'iu');
const CELL = new RegExp(String.raw`^\s{0,8}\|\s{0,8}[*_]{0,2}(?<label>${ANY_LABEL})[*_]{0,2}[:：]?\s{0,40}\|(?<rest>.*)$`, 'iu');
/** In the middle of a line only with a capital, as a label has. */
const INNER = new RegExp(
	String.raw`(?<![\p{L}\p{N}])[*_]{0,3}(?<label>${ANY_LABEL})${ABOUT}\s{0,4}[*_]{0,3}[:：][*_]{0,3}\s{1,8}\S`,
	'giu',
);
const LEFT_FOR_LATER = new RegExp(String.raw`^(?:${LEAD})(?:TO(?:DO)|FIX(?:ME)|TBD)\b`, 'u');
const OPEN_BOX = /^\s{0,40}(?:[-*+•]|\d{1,3}[.)])\s{1,8}\[ \]\s{1,8}\S/u;
const HEADING = new RegExp(String.raw`^\s{0,8}(?:#{1,6}\s{1,8}|[*_]{2})(?<label>${ANY_LABEL})${ABOUT}\s{0,4}[*_]{0,2}\s{0,8}$`, 'iu');
const EXACT = LABELS.map(([kind, words]) => [kind, new RegExp(`^(?:${words})$`, 'iu')] as const);

export interface Mark {
	readonly kind: KeptKind;
	/** What stands below is meant. */
	readonly heading: boolean;
	readonly weak: boolean;
}

/** What a line says of itself. */
export function markOf(line: string): Mark | undefined {
	for (const pattern of [SPOKEN, BRACKETED, CELL]) {
		const found = pattern.exec(line)?.groups;
		if (found?.label) return markFor(found.label, found.rest?.trim() === '');
	}
	if (LEFT_FOR_LATER.test(line)) return { kind: 'commitment', heading: false, weak: false };
	if (OPEN_BOX.test(line)) return { kind: 'commitment', heading: false, weak: true };
	const heading = HEADING.exec(line)?.groups?.label;
	return heading === undefined ? undefined : markFor(heading, true);
}

/** Where in a line, behind other words, it says so, if it does. */
export function innerMarkOf(line: string): { mark: Mark; at: number } | undefined {
	for (const { index, groups } of line.matchAll(INNER)) {
		const label = groups?.label ?? '';
		const mark = /^\p{Lu}/u.test(label) ? markFor(label, false) : undefined;
		if (mark) return { mark, at: index };
	}
	return undefined;
}

function markFor(label: string, heading: boolean): Mark | undefined {
	const kind = EXACT.find(([, pattern]) => pattern.test(label))?.[0];
	return kind && { kind, heading, weak: WEAK.test(label) };
}

export function isListItem(line: string): boolean {
	return /^\s*(?:[-*+•–]|\d{1,3}[.)])\s+\S/u.test(line);
}

/** Words that stand alone; `\b` knows only ASCII. */
const words = (pattern: string) => new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${pattern})(?![\p{L}\p{N}])`, 'iu');

const DECISION = words(
	[
		'decided|agreed|settled on|settled|concluded|chose|chosen|picked|opted for|ruled out|approved|rejected|cancelled|canceled|confirmed|final(?:ised|ized)?',
		"(?:we|i)(?:'ll| will| are going to| am going to)? (?:go|going|went|stick|stay|keep) (?:with|to|on)",
		"(?:we|i)(?:'ll| will| shall) (?:use|take|switch|move|start|stop|drop|buy|hire|book|build|write|host|call|name|do|make|have|need|not)",
		"let(?:'|’)s (?:go|use|take|keep|do|call|make|stay|stick|drop|switch)|instead of|from now on|the plan is|no longer",
		'entschieden|entscheide|beschlossen|vereinbart|geeinigt|festgelegt|abgelehnt|genehmigt|bestätigt|abgesagt|ausgeschlossen|verworfen',
		'wir (?:nehmen|machen|bleiben|verwenden|benutzen|nutzen|wechseln|bauen|kaufen|starten|gehen|lassen|streichen)|(?:ab jetzt|ab sofort|von nun an)|statt|stattdessen|es bleibt (?:bei|dabei)',
	].join('|'),
);
const COMMITMENT = words(
	[
		"(?:i|we|he|she|they|you)(?:'ll|’ll| will| shall) (?!use|take|switch|be happy|be glad|gladly)\\p{L}+",
		'promised?|committed to|(?:have|has|need|needs) to|must|remind me|due (?:on|by|in)|deadline|no later than|on my list|follow up|get back to',
		'(?:by|until|before) (?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|tonight|noon|next|the end|\\d)',
		'(?:ich|wir|er|sie) (?:werde|werden|wird) |(?:ich|wir) (?:schicke|schicken|sende|mache|kümmere|kümmern|melde|melden|liefere|liefern|rufe|prüfe|prüfen|überweise)',
		'versprochen|verspreche|zugesagt|sage zu|erinnere mich|muss|müssen|spätestens|frist',
		'bis (?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|morgen|heute|zum|ende|spätestens|\\d)',
	].join('|'),
);
/** How things are to be done, where the owner says so. */
const WISH = words(
	"always|never|don(?:'|’)t|do not|must not|only ever|prefer|i want|make sure|immer|nie|niemals|bitte nicht|keinesfalls|auf keinen fall|nicht mehr|bevorzuge|am liebsten|ich möchte|achte darauf",
);
/** Said without meaning anything by it. */
const PLEASANTRY = words('happy to help|glad to|let me know|feel free|of course|gerne|sag (?:mir )?(?:einfach )?bescheid|natürlich');

const MONTH =
	'jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sep(?:t(?:ember)?)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?';
const UNIT =
	'%|‰|€|\\$|£|eur|euros?|usd|dollars?|chf|franken|gbp|k|m|mio|mrd|bn|million(?:en)?|kg|g|t|km|cm|mm|m²|m2|qm|l|ml|kwh|kw|w|v|gb|mb|kb|tb|ms|sec(?:onds?)?|min(?:utes?|uten?)?|h|hrs?|hours?|days?|weeks?|months?|years?|stunden?|tage?n?|wochen?|monate?n?|jahre?n?|tokens?|users?|people|persons?|personen|pieces?|stück|pages?|seiten?|rooms?|zimmer|times|x|mal|uhr|am|pm|°c|°f';
const NUMBER = new RegExp(
	[
		String.raw`[€$£¥]\s?\d`,
		String.raw`(?:eur|usd|chf|gbp)\s?\d`,
		String.raw`(?<![\p{L}\d])\d[\d.,'’]*\s?(?:${UNIT})(?![\p{L}\d])`,
		String.raw`(?<!\d)\d{1,4}[-./]\d{1,2}[-./]\d{1,4}(?!\d)`,
		String.raw`(?<!\d)\d{1,2}[:.]\d{2}(?!\d)`,
		String.raw`(?<!\d)\d{1,2}(?:\.|st|nd|rd|th)?\s(?:of\s)?(?:${MONTH})(?!\p{L})`,
		String.raw`(?<!\p{L})(?:${MONTH})\.?\s\d{1,2}(?!\d)`,
		String.raw`#\d+`,
		String.raw`(?:version|v|port|nr\.?|no\.?|number|nummer|room|zimmer|platform|gleis|gate)\s?\d`,
		String.raw`(?<![\p{L}\d])\d{3,}(?!\p{L})`,
		String.raw`(?<![\p{L}\d])\d+[.,]\d+(?!\p{L})`,
	].join('|'),
	'iu',
);

/** `KD-20418`, `AB 1234`: capitals only. */
const ID = /(?<![\p{L}\d])[A-Z]{1,6}[-_/ ]?\d{2,}/u;

/** What an unmarked sentence is, judged by its words. */
export function kindOf(sentence: string, by: 'owner' | 'agent' | 'tool'): KeptKind | undefined {
	if (isQuestion(sentence)) return by === 'tool' ? undefined : 'question';
	if (by !== 'tool' && !PLEASANTRY.test(sentence)) {
		if (DECISION.test(sentence)) return 'decision';
		if (COMMITMENT.test(sentence)) return 'commitment';
		if (by === 'owner' && WISH.test(sentence)) return 'note';
	}
	return NUMBER.test(sentence) || ID.test(sentence) ? 'number' : undefined;
}

export function isQuestion(sentence: string): boolean {
	return /[?？؟][\s"'”’)»*_]*$/u.test(sentence);
}

/** The agent says that it does not know yet. */
export const LEAVES_OPEN = words(
	"(?:i )?(?:do not|don(?:'|’)t|cannot|can(?:'|’)t) (?:know|say|tell|find)|not sure|unclear|let me (?:check|look)|need to check|depends|ich weiß (?:es )?nicht|kann ich (?:noch )?nicht sagen|unklar|muss ich (?:erst )?(?:prüfen|nachsehen)|kommt darauf an",
);

const EXTENSION =
	'md|txt|pdf|docx?|xlsx?|pptx?|odt|ods|csv|tsv|json|jsonl|ya?ml|toml|xml|html?|css|scss|tsx?|jsx?|mjs|cjs|py|ipynb|rb|rs|go|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|ps1|bat|sql|db|sqlite|lock|log|ini|cfg|conf|env|png|jpe?g|gif|svg|webp|heic|mp[34]|wav|mov|zip|tar|gz|tgz|7z|deb|dmg|exe|eml|ics|vcf|tex|bib|rtf|epub|pem|crt|key|patch|diff';
const NAMES = new RegExp(
	[
		String.raw`https?:\/\/[^\s<>"'’”\x60)\]}]+[^\s<>"'’”\x60)\]}.,;:!?]`,
		String.raw`[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`,
		// In quotes a name may hold spaces.
		String.raw`(?<=[\x60"“„'«])[^\x60"“”„'«»\n]{1,120}\.(?:${EXTENSION})(?=[\x60"”“'»])`,
		String.raw`(?<![\p{L}\p{N}])(?:[A-Za-z]:\\|~?\/|\.{1,2}\/)(?:[\p{L}\p{N}._@+-]+[\\/])*[\p{L}\p{N}._@+-]*[\p{L}\p{N}_]`,
		String.raw`(?<![\p{L}\p{N}])(?:[\p{L}\p{N}._@+-]+\/)*[\p{L}\p{N}_][\p{L}\p{N}._@+-]*\.(?:${EXTENSION})(?![\p{L}\p{N}])`,
	].join('|'),
	'giu',
);

/** Data, not words: looked through for names it would take the square of its length. */
const NO_NAME = /\S{300,}/g;

/** Files, paths and addresses in a text, as they are written there. */
export function namesIn(text: string): string[] {
	return [...text.replace(NO_NAME, ' ').matchAll(NAMES)].map(([name]) => name).filter((name) => name.length > 3);
}
