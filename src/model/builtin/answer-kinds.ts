/** What kind of answer a question wants, and whether a text has one of that kind. Pure; by words of English and German. */

type Kind = 'clock' | 'time' | 'age' | 'height' | 'weight' | 'money' | 'phone' | 'number' | 'place' | 'name' | 'person' | 'colour';

const QUESTIONS: readonly [RegExp, Kind][] = [
	[/\b(?:what time|how late|um wie ?viel uhr)\b/i, 'clock'],
	[/\b(?:what|which) colou?r\b|\bwelche farbe\b/i, 'colour'],
	[
		/^\W*(?:on |by |until |since |from |ab |bis |seit )?(?:when\b|(?:what|which) (?:day|date|month|year|weekday)\b|wann\b|an welchem tag\b)|\b(?:birthday|deadline|geburtstag)\b/i,
		'time',
	],
	[/\bhow old\b|\bwhat age\b|\bwie alt\b/i, 'age'],
	[/\bhow (?:tall|deep|wide|thick)\b|\bwie (?:groß|tief|breit)\b/i, 'height'],
	[/\bhow heavy\b|\bweigh\b|\bwie schwer\b|\bwiegt\b/i, 'weight'],
	[
		/\b(?:cost|costs|(?<!in )charge|charges|price|fee|salary|kostet|kosten|preis)\b|\bhow (?:much (?:is|does .* pay|do .* pay|money)|expensive)\b|\bwie teuer\b/i,
		'money',
	],
	[/\b(?:phone|telephone|mobile) number\b|\btelefonnummer\b|\bhandynummer\b/i, 'phone'],
	[
		/\bhow (?:many|much|old|long|big|tall|high|far|warm|hot|cold|heavy|fast|early|late|often|large)\b|\b(?:cost|(?<!in )charge|price|number|pin|code|phone|ip|password|fee|wie ?viele?|wie (?:alt|lange|hoch|groß|weit|oft|teuer|schwer|warm)|kostet|nummer|preis)\b/i,
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
	clock: new RegExp(
		`\\b\\d{1,2}[:.]\\d{2}\\b|\\b(?:half|quarter) (?:past|to)\\b|\\bo['’]clock\\b|\\buhr\\b|\\b(?:noon|midnight|morning|evening)\\b|\\b(?:at|until|from|after|by|before) (?:\\d{1,2}|${NUMBER_WORDS})(?!\\p{L})|\\b\\d{1,2} ?[ap]m\\b`,
		'iu',
	),
	time: new RegExp(
		`(?<!\\p{L})(?:${MONTHS}|${WEEKDAYS}|spring|summer|autumn|fall|winter|easter|christmas|midsummer|halloween|new year|(?:fif|six|seven|eigh|nine)teenth|(?:twen|thir)tieth|fifth|sixth|seventh|eighth|ninth|tenth|frühling|sommer|herbst|ostern|weihnachten|morning|afternoon|evening|night|noon|midnight|today|tomorrow|yesterday|weekly|daily|monthly|yearly|quarter|half past|o['’]clock|uhr|(?:every|each) (?:\\w+ )?(?:day|week|month|year)s?|weekends?)(?!\\p{L})|\\b\\d{1,2}[:.]\\d{2}\\b|\\b(?:19|20)\\d{2}\\b(?!-)|\\b\\d+ ?(?:am|pm|days?|weeks?|months?|years?|hours?)\\b`,
		'iu',
	),
	age: /\b(?:born|years? old|aged?|turns?|turned|\d{1,3}(?:st|nd|rd|th) birthday|geboren|jahre alt|wird \d+|\w+ieth)\b|-year-old/i,
	height: /\d ?(?:cm|m|metres?|meters?|feet|foot|ft)\b|\btall\b|\bgroß\b/i,
	weight: /\d ?(?:kg|g|kilos?|kilograms?|grams?|pounds?|lbs?|stone)\b|\bweighs?\b|\bwiegt\b/i,
	money: /[€$£]|\b(?:euros?|dollars?|pounds?|cents?|francs?|free|percent|nothing)\b/i,
	phone: /\d[\d ()/-]{5,}\d/,
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
	`(?<!\\p{L})(?:in|on|at|by|from|to|im|am|bis|ab) (?:the )?(?:late |early |mid-)?(?:\\d{1,2}(?:st|nd|rd|th|\\.)? (?:of )?(?:${MONTHS})|${MONTHS}|${WEEKDAYS}|spring|summer|autumn|winter|morning|afternoon|evening|night|\\d{1,2}[:. ]\\d{0,2}|\\d{4})(?!\\p{L})`,
	'giu',
);

/** Names and persons come in many forms; of the other kinds a text that has none is no answer. */
const LOOSE: readonly Kind[] = ['name', 'person', 'place', 'colour'];

const ASKS =
	/^\W*(?:and |but |so |then |well )?(?:who|whom|whose|what|when|where|why|which|how|wer|wen|wem|was|wann|wo|wohin|wie|warum|welche[rnsm]?)(?!\p{L})/iu;

/** What really asks, without what leads up to it or follows: “The form is here: which number is it?”. The whole where nothing stands out. */
export function askingPart(question: string): string {
	const parts = question.split(/(?<=[.!?;:,])(?<!(?<!\p{L})(?:Dr|Mr|Mrs|Ms|Prof|St|No|Nr)\.)\s+|\s+[–—-]\s+/u);
	return parts.length === 1 ? question : (parts.find((part) => ASKS.test(part)) ?? parts.find((part) => /[?？]$/.test(part)) ?? question);
}

/**
 * Whether the text has an answer of the kind that the question wants: `maybe` where the question wants no special kind, or one that
 * can't be told for sure.
 */
export function hasAnswerOfKind(question: string, text: string): 'yes' | 'maybe' | 'hardly' | 'no' {
	const asking = askingPart(question);
	const kind = QUESTIONS.find(([pattern]) => pattern.test(asking))?.[1];
	if (!kind) return 'maybe';
	if (ANSWERS[kind].test(kind === 'place' ? text.replace(TIME_PHRASE, ' ') : text)) return 'yes';
	return LOOSE.includes(kind) || SOME_TIME[kind]?.some(([asks, says]) => asks.test(asking) && says.test(text)) ? 'hardly' : 'no';
}

/** “When does the knee hurt?”: after a long run. “How long does she stay?”: until summer. */
const SOME_TIME: Partial<Record<Kind, readonly [asks: RegExp, says: RegExp][]>> = {
	time: [[/(?:)/, /(?<!\p{L})(?:after|before|until|till|once|when|if|nach|vor|bis|wenn|sobald)(?!\p{L})/iu]],
	number: [[/\bhow long\b|\bwie lange\b/i, /(?<!\p{L})(?:until|till|since|from|bis|seit|ab)(?!\p{L})/iu]],
};

/** These say by themselves what was asked for. */
const TELLING: readonly Kind[] = ['clock', 'time', 'age', 'height', 'weight', 'money', 'phone', 'colour'];
const ATTRIBUTE =
	/\b(?:what|which)\s+(?:(?:kind|sort|type|brand|make) of\s+)?(?<before>(?!(?:is|are|was|were|do|does|did|can|should|will|has|have|would)\b)\p{L}+(?:\s\p{L}+){0,2}?)\s+(?:is|are|was|were|do|does|did|can|should|will|has|have|would)\b|\bwhat(?:['’]s| is| are| was| were)\s+(?:the |my |our )?(?:.*['’]s? )?(?<after>\p{L}+(?:\s\p{L}+)??)(?:\s+(?:of|for|on|in|at|from|to|with)\b.*)?[\s?.!]*$/iu;
const COUNTED = /\b(?:how many|wie ?viele)\s+(?<counted>\p{L}+)/iu;

/** What is counted: “How many hives …?” */
export function countedIn(question: string): string | undefined {
	return COUNTED.exec(askingPart(question))?.groups?.counted;
}

const COUNT = new RegExp(`(?<!\\p{L})(?:\\d[\\d.,]*|${NUMBER_WORDS})(?!\\p{L})(?<of>(?:[ -]\\p{L}+){0,3})`, 'giu');

/** What a text counts: a few words after each number. */
export function countsIn(text: string): string[] {
	return [...text.matchAll(COUNT)].map(({ groups }) => groups?.of ?? '');
}

/**
 * Which words an answer has to hold besides its kind: “What breed is Rufus?” is not answered by what Rufus eats. Empty where the
 * kind alone tells.
 */
export function attributeIn(question: string): string {
	const asking = askingPart(question);
	const kind = QUESTIONS.find(([pattern]) => pattern.test(asking))?.[1];
	if (kind && TELLING.includes(kind)) return '';
	const groups = ATTRIBUTE.exec(asking)?.groups;
	return (groups?.before ?? groups?.after ?? '').replace(/(?<!\p{L})(?:name|names|called)(?!\p{L})/giu, '').trim();
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

const OPPOSITES = [
	[/\b(?:buy|bought|pay|paid|purchased?)\b/i, /\b(?:sell|sold|sale)\b/i],
	[/\b(?:leaves?|left|departs?|departure)\b/i, /\b(?:arrives?|arrived|arrival|lands?|landed|returns?|returned)\b/i],
	[/\b(?:opens?|opened|opening)\b/i, /\b(?:closes?|closed|closing|shuts?)\b/i],
	[/\b(?:starts?|started|begins?|began)\b/i, /\b(?:ends?|ended|finish(?:es|ed)?)\b/i],
	[/\b(?:finds?|found)\b/i, /\b(?:loses?|lost)\b/i],
] as const;

/** “What did we pay for it?” is not answered by what it was sold for. */
export function isOfTheOpposite(question: string, text: string): boolean {
	return OPPOSITES.some(
		([one, other]) =>
			(one.test(question) && !other.test(question) && other.test(text) && !one.test(text)) ||
			(other.test(question) && !one.test(question) && one.test(text) && !other.test(text)),
	);
}

const WHERE_OF_SEVERAL = /\b(?:at|in)\s+(?:the |my |our )?(work|home|school|office|car|garden|cellar|kitchen|bathroom|church)\b[\s?.!]*$/i;

/** “… at work?”: there is one of these at home as well. The word that a text has to hold to be about the right one. */
export function whichOfSeveral(question: string): string | undefined {
	return WHERE_OF_SEVERAL.exec(question)?.[1];
}
