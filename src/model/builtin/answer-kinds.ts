/** What kind of answer a question wants, and whether a text has one of that kind. Pure; by words of English and German. */

type Kind = 'time' | 'number' | 'place' | 'name' | 'person' | 'colour';

const QUESTIONS: readonly [RegExp, Kind][] = [
	[/\b(?:what|which) colou?r\b|\bwelche farbe\b/i, 'colour'],
	[
		/^\W*(?:on |by |until |since |from |ab |bis |seit )?(?:when\b|what time\b|(?:what|which) (?:day|date|month|year|weekday)\b|wann\b|um wie ?viel uhr\b|an welchem tag\b)|\b(?:birthday|deadline|geburtstag)\b/i,
		'time',
	],
	[
		/\bhow (?:many|much|old|long|big|tall|high|far|warm|hot|cold|heavy|fast|early|late|often|large)\b|\b(?:cost|charge|price|number|pin|code|phone|ip|password|fee|wie ?viele?|wie (?:alt|lange|hoch|groß|weit|oft|teuer|schwer|warm)|kostet|nummer|preis)\b/i,
		'number',
	],
	[/^\W*(?:where\b|wo\b|wohin\b|woher\b)|\bwhat(?: i|['’])s .*\baddress\b/i, 'place'],
	[/\bname of\b|['’]s (?:\w+ )?name\b|\b(?:is|are) .* (?:called|named)\b|\bwie heißt\b|\bwie heißen\b/i, 'name'],
	[/^\W*(?:who|whom|whose|by whom|with whom|wer|wen|wem|wessen)\b/i, 'person'],
];

const MONTHS =
	'january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember';
const WEEKDAYS =
	'mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?';
const NUMBER_WORDS =
	'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|half|once|twice|every|each|first|second|third|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert|tausend|jede[nrs]?|halb';

const ANSWERS: Readonly<Record<Kind, RegExp>> = {
	time: new RegExp(
		`(?<!\\p{L})(?:${MONTHS}|${WEEKDAYS}|spring|summer|autumn|fall|winter|easter|christmas|frühling|sommer|herbst|ostern|weihnachten|morning|afternoon|evening|night|noon|midnight|today|tomorrow|yesterday|weekly|daily|monthly|yearly|quarter|half past|o['’]clock|uhr|(?:every|each) (?:\\w+ )?(?:day|week|month|year)|weekends?)(?!\\p{L})|\\b\\d{1,2}[:.]\\d{2}\\b|\\b(?:19|20)\\d{2}\\b(?!-)|\\b\\d+ ?(?:am|pm|days?|weeks?|months?|years?|hours?)\\b`,
		'iu',
	),
	number: new RegExp(`\\d|(?<!\\p{L})(?:${NUMBER_WORDS})(?!\\p{L})`, 'iu'),
	place:
		/(?<!\p{L})(?:in|at|on|under|behind|near|by|inside|outside|beside|between|above|below|from|to|next to|im|am|bei|beim|unter|hinter|neben|auf|an|vor|über|zwischen)(?!\p{L})/iu,
	name: /\b(?:called|named|name is|heißt|heissen|nennt|christened)\b|\b(?:is|are|ist|sind) (?:(?:Dr|Mr|Mrs|Ms|Frau|Herr)\.? )?\p{Lu}/u,
	person:
		/(?:^|\P{L})(?:Dr|Mr|Mrs|Ms|Frau|Herr|Aunt|Uncle|Cousin|Oma|Opa)\.? ?\p{Lu}|(?<=\p{Ll}[,;:]? |[“"(]|^)\p{Lu}\p{L}+|\b(?:mum|mother|dad|father|sister|brother|aunt|uncle|neighbours?|babysitter|wife|husband)\b/u,
	colour:
		/\b(?:red|green|blue|yellow|black|white|grey|gray|brown|orange|pink|purple|violet|teal|turquoise|beige|cream|silver|golden|painted|rot|grün|blau|gelb|schwarz|weiß|grau|braun)\b/i,
};

/** “in March”, “on Mondays”: no places. */
const TIME_PHRASE = new RegExp(
	`(?<!\\p{L})(?:in|on|at|by|from|to|im|am|bis|ab) (?:the )?(?:late |early |mid-)?(?:${MONTHS}|${WEEKDAYS}|spring|summer|autumn|winter|morning|afternoon|evening|night|\\d{1,2}[:. ]\\d{0,2}|\\d{4})(?!\\p{L})`,
	'giu',
);

/** `true` and `false`: the text has such an answer, or has none. Undefined where the question wants no special kind. */
export function hasAnswerOfKind(question: string, text: string): boolean | undefined {
	const kind = QUESTIONS.find(([pattern]) => pattern.test(question))?.[1];
	return kind && ANSWERS[kind].test(kind === 'place' ? text.replace(TIME_PHRASE, ' ') : text);
}

const NAME = /(?<=\p{L}[\p{L}’']*,? )\p{Lu}\p{Ll}[\p{L}’'-]*/gu;
const GERMAN = /(?<!\p{L})(?:wer|was|wann|wo|wie|welche[rnsm]?|ist|der|die|das|hat|mein|meine|und)(?!\p{L})/iu;

/** Names in a question, other than its first word: who or what it is about. None in German, where every noun looks like one. */
export function namesIn(question: string): string[] {
	if (GERMAN.test(question)) return [];
	return (question.match(NAME) ?? []).map((name) => name.replace(/['’]s?$/u, ''));
}

/** “How tall is Nils?” is not answered by what “Nils’s hockey stick” is: somebody’s or something’s name stands for another thing there. */
export function isAboutSomethingOf(question: string, text: string): boolean {
	return (question.match(/[\p{L}]{3,}(?!['’]\p{L})/gu) ?? []).some((word) => {
		const owned = new RegExp(`(?<!\\p{L})${word}(?:['’]s?|s['’]) `, 'iu');
		return owned.test(text) && !owned.test(question) && !new RegExp(`(?<!\\p{L})${word}(?!['’\\p{L}])`, 'iu').test(text);
	});
}

const WHERE_OF_SEVERAL = /\b(?:at|in)\s+(?:the |my |our )?(work|home|school|office|car|garden|cellar|kitchen|bathroom|church)\b[\s?.!]*$/i;

/** “… at work?”: there is one of these at home as well. The word that a text has to hold to be about the right one. */
export function whichOfSeveral(question: string): string | undefined {
	return WHERE_OF_SEVERAL.exec(question)?.[1];
}
