import { remembered } from '../base/remembered.ts';
import { disagree, factOf } from '../model/builtin/sentences.ts';
import { namesIn } from '../model/triage/watch.ts';

/** What two statements about the same thing say differently. Heuristics for English and German: they point the owner to what to look at. Pure. */

/** Texts of which is kept what was read in them: more than are compared with one. */
export const MOST_READ = 4_000;

export type Difference = 'number' | 'date' | 'time' | 'weekday' | 'money' | 'version' | 'negation' | 'status' | 'value';

const MONTHS = 'jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez';
const DATES: readonly RegExp[] = [
	/\b(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})\b/gi,
	new RegExp(`\\b(?<day>\\d{1,2})(?:st|nd|rd|th|\\.)?\\s+(?:of\\s+)?(?<name>${MONTHS})\\p{L}*`, 'giu'),
	new RegExp(`\\b(?<name>${MONTHS})\\p{L}*\\.?\\s+(?<day>\\d{1,2})(?!\\d|[:.]\\d)(?:st|nd|rd|th)?`, 'giu'),
	/\b(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?:\d{4}|\d{2}\b|(?!\d))/g,
];
const TIMES =
	/\b(?:(?<hour>\d{1,2})[:.](?<minute>\d{2})(?:\s*(?<half>[ap])\.?m\b)?|(?<bare>\d{1,2})\s*(?:(?<bareHalf>[ap])\.?m\b|uhr\b|o['’]clock\b))/giu;
const WEEKDAYS =
	/\b(mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(montags?|dienstags?|mittwochs?|donnerstags?|freitags?|samstags?|sonntags?)\b/giu;
const MONEY =
	/(?<sign>[$€£¥₹])\s?(?<amount>\d[\d.,\u00a0']*)|(?<after>\d[\d.,\u00a0']*)\s?(?<unit>[$€£¥₹]|(?:euros?|dollars?|pounds?|usd|eur|gbp|chf|francs?|franken)\b)/giu;
const VERSIONS = /\bv?\d+\.\d+(?:\.\d+)*(?:-?(?:alpha|beta|rc)\.?\d*)?\b/giu;
/** A number with what it counts. */
const COUNTED = /(?<![\p{L}\d.,:-])(?<number>\d[\d.,']*)\s*(?<unit>%|[\p{L}°]+)?/gu;
const NUMBER_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const NEGATIONS =
	/\b(?:not|no longer|never|cannot|without|none|neither|nor|kein(?:e[rsnm]?)?|nicht|nie|niemals|ohne)\b|\b\p{L}+n['’]t\b|\bno\b(?!\.)/giu;
const RELEASES = /\b(?:releas|publish|ship|announc|out now|available now|veröffentlich|erschien)\p{L}*/iu;

/** Words of which one excludes the other, by their beginnings. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
	[/\b(?:open|opens|opened|reopen(?:s|ed)?|geöffnet|offen)\b/iu, /\b(?:clos(?:e|es|ed|ing)|shut|geschlossen|zu)\b/iu],
	[/\b(?:approved|accepted|granted|genehmigt|angenommen)\b/iu, /\b(?:rejected|refused|denied|declined|abgelehnt)\b/iu],
	[
		/\b(?:confirmed|going ahead|takes? place|on schedule|bestätigt)\b/iu,
		/\b(?:cancell?ed|called off|postponed|delayed|abgesagt|verschoben)\b/iu,
	],
	[/\b(?:available|in stock|verfügbar)\b/iu, /\b(?:unavailable|sold out|out of stock|ausverkauft|discontinued)\b/iu],
	[/\b(?:allowed|permitted|legal|erlaubt)\b/iu, /\b(?:forbidden|banned|prohibited|illegal|verboten)\b/iu],
	[
		/\b(?:rais(?:e|es|ed)|increas(?:e|es|ed)|r(?:i|o)ses?|risen|higher|erhöht|gestiegen|steigt)\b/iu,
		/\b(?:lower(?:s|ed)?|decreas(?:e|es|ed)|cuts?|fell|falls|fallen|drop(?:s|ped)?|gesenkt|gesunken|sinkt)\b/iu,
	],
	[/\b(?:passed|succeeded|works?|working|fixed|bestanden|behoben)\b/iu, /\b(?:failed|fails|broken|unfixed|gescheitert|kaputt)\b/iu],
	[/\b(?:free|kostenlos|gratis)\b/iu, /\b(?:paid|costs?|fee|charged|kostenpflichtig|kostet)\b/iu],
	[/\b(?:mandatory|required|compulsory|pflicht)\b/iu, /\b(?:optional|voluntary|freiwillig)\b/iu],
	[/\b(?:supported|supports|unterstützt)\b/iu, /\b(?:unsupported|deprecated|end of life|dropped support|drops support)\b/iu],
	[/\b(?:safe|secure|sicher|unaffected)\b/iu, /\b(?:unsafe|insecure|vulnerable|unsicher|affected|recalled)\b/iu],
	[/\b(?:starts?|started|begins?|began|beginnt)\b/iu, /\b(?:ends?|ended|stops?|stopped|endet)\b/iu],
	[/\b(?:won|wins|gewinnt|gewonnen)\b/iu, /\b(?:lost|loses|verliert|verloren)\b/iu],
	[/\b(?:yes|true|ja|wahr)\b/iu, /\b(?:false|nein|falsch|untrue)\b/iu],
	[/\b(?:enabled|turned on|switched on|active)\b/iu, /\b(?:disabled|turned off|switched off|inactive)\b/iu],
];

interface Facts {
	readonly dates: ReadonlySet<string>;
	readonly times: ReadonlySet<string>;
	readonly weekdays: ReadonlySet<string>;
	readonly money: ReadonlySet<string>;
	readonly versions: ReadonlySet<string>;
	/** By what they count. */
	readonly counts: ReadonlyMap<string, ReadonlySet<string>>;
	readonly negated: boolean;
	/** Of each pair of opposites: 1 where only the one is said, -1 where only the other is. */
	readonly sides: readonly number[];
}

/**
 * What they differ in, where each says something of the kind that the other does not. That they speak of the same thing is the caller's business:
 * it is what likeness is for.
 */
export function differences(one: string, other: string): Difference[] {
	const [a, b] = [factsOf(one), factsOf(other)];
	const found: Difference[] = [];
	if (apart(a.dates, b.dates)) found.push('date');
	if (apart(a.times, b.times)) found.push('time');
	if (apart(a.weekdays, b.weekdays) && !found.includes('date')) found.push('weekday');
	if (apart(a.money, b.money)) found.push('money');
	if (apart(a.versions, b.versions)) found.push('version');
	if ([...a.counts].some(([unit, numbers]) => apart(numbers, b.counts.get(unit) ?? new Set()))) found.push('number');
	if (a.negated !== b.negated) found.push('negation');
	if (a.sides.some((side, index) => side * (b.sides[index] ?? 0) < 0)) found.push('status');
	const [fact, otherFact] = [factOf(one), factOf(other)];
	// Numbers, times and days are compared above, in whatever way they are written.
	const isPlain =
		fact && otherFact && found.length === 0 && !/\d/.test(fact.value + otherFact.value) && a.weekdays.size + b.weekdays.size === 0;
	if (isPlain && disagree(fact, otherFact)) found.push('value');
	return found;
}

const CALENDAR = new RegExp(
	`^(?:${MONTHS}|mon|tues|wednes|thurs|fri|satur|sun|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)`,
	'iu',
);
const REFERENCE = /\b(?=[\p{L}\d]*\d)[\p{L}\d]+(?:[-/#][\p{L}\d]+)+\b|#\d+/giu;

/** Each names somebody or something that the other does not: then they speak of two things. */
export function nameOthers(one: string, other: string): boolean {
	return apart(namesOf(one), namesOf(other));
}

const namesOf = remembered(MOST_READ, (text): ReadonlySet<string> => {
	const names = namesIn(text, true)
		.flat()
		.flatMap((name) => name.split(/[\s-]+/))
		.filter((name) => !CALENDAR.test(name) && !/^\d/.test(name));
	return new Set([...names, ...(text.match(REFERENCE) ?? []).filter((reference) => !/^\d{4}-\d{2}-\d{2}$/.test(reference))]);
});

/** Another version that came out makes the one before no lie. */
export function isNews(difference: Difference, one: string, other: string): boolean {
	return difference === 'version' && RELEASES.test(one) && RELEASES.test(other);
}

/** Each has one that the other has not: of opening hours, only the end may have changed. Where one merely says more, nothing is said against the other. */
function apart(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
	return [...one].some((value) => !other.has(value)) && [...other].some((value) => !one.has(value));
}

const factsOf = remembered(MOST_READ, (text): Facts => {
	// Each takes its signs away from those after it, so that a date is not also two numbers.
	let rest = text;
	const take = (pattern: RegExp, read: (groups: Record<string, string | undefined>, whole: string) => string): Set<string> => {
		const values = new Set<string>();
		rest = rest.replace(pattern, (...match: unknown[]) => {
			values.add(read((typeof match.at(-1) === 'object' ? match.at(-1) : {}) as Record<string, string | undefined>, String(match[0])));
			return ' ';
		});
		return values;
	};
	const dates = new Set(DATES.flatMap((pattern) => [...take(pattern, dateKey)]));
	const money = take(MONEY, ({ amount, after }) => numberKey(amount ?? after ?? ''));
	const times = take(TIMES, timeKey);
	const weekdays = take(WEEKDAYS, (_, whole) => weekdayKey(whole));
	const versions = take(VERSIONS, (_, whole) => whole.toLowerCase().replace(/^v/, ''));
	const negated = (text.match(NEGATIONS) ?? []).length % 2 === 1;
	const sides = OPPOSITES.map(([one, other]) => Number(one.test(text)) - Number(other.test(text)));
	return { dates, times, weekdays, money, versions, counts: countsOf(rest), negated, sides };
});

function countsOf(text: string): Map<string, Set<string>> {
	const counts = new Map<string, Set<string>>();
	const spelled = text.replace(/\p{L}+/gu, (word) => {
		const number = NUMBER_WORDS.indexOf(word.toLowerCase());
		return number < 0 ? word : String(number);
	});
	for (const { groups } of spelled.matchAll(COUNTED)) {
		const unit = (groups?.unit ?? '').toLowerCase().replace(/(?:es|s|n|en)$/, '');
		const numbers = counts.get(unit) ?? new Set();
		counts.set(unit, numbers.add(numberKey(groups?.number ?? '')));
	}
	return counts;
}

const MONTH_STARTS: readonly (readonly string[])[] = 'jan feb mar,mär apr may,mai jun jul aug sep oct,okt nov dec,dez'
	.split(' ')
	.map((names) => names.split(','));
const WEEKDAY_STARTS: readonly (readonly string[])[] = 'mo tu,di we,mi th,do fr sa su,so'.split(' ').map((names) => names.split(','));

function dateKey({ day = '', month, name }: Record<string, string | undefined>): string {
	const start = name?.toLowerCase().slice(0, 3) ?? '';
	return `${Number(day)}.${month === undefined ? MONTH_STARTS.findIndex((names) => names.includes(start)) + 1 : Number(month)}`;
}

function weekdayKey(name: string): string {
	const start = name.toLowerCase().slice(0, 2);
	return String(WEEKDAY_STARTS.findIndex((names) => names.includes(start)));
}

function timeKey({ hour, minute, half, bare, bareHalf }: Record<string, string | undefined>): string {
	const number = Number(hour ?? bare);
	const isAfternoon = (half ?? bareHalf)?.toLowerCase() === 'p';
	return `${isAfternoon && number < 12 ? number + 12 : number}:${minute ?? '00'}`;
}

/** `1,250.00`, `1.250` and `1250` are one number. */
function numberKey(text: string): string {
	const bare = text
		.replace(/[.,'\u00a0]+$/u, '')
		.replace(/[.,](\d{1,2})$/, '_$1')
		.replace(/[.,'\u00a0]/g, '')
		.replace('_', '.');
	return String(Number(bare) || bare);
}
