import { isZone } from '../../domain/schedule.ts';
import type { Doubt, Read, Reader } from './parts.ts';

/** Time zones as people name them: by IANA name, by city, by country. A place that has several asks. */

/** Cities that people name and IANA doesn't. */
const CITIES: Readonly<Record<string, string>> = {
	'san francisco': 'America/Los_Angeles',
	'los angeles': 'America/Los_Angeles',
	seattle: 'America/Los_Angeles',
	'san diego': 'America/Los_Angeles',
	'las vegas': 'America/Los_Angeles',
	boston: 'America/New_York',
	washington: 'America/New_York',
	miami: 'America/New_York',
	atlanta: 'America/New_York',
	philadelphia: 'America/New_York',
	houston: 'America/Chicago',
	dallas: 'America/Chicago',
	austin: 'America/Chicago',
	montreal: 'America/Toronto',
	ottawa: 'America/Toronto',
	rio: 'America/Sao_Paulo',
	'rio de janeiro': 'America/Sao_Paulo',
	munich: 'Europe/Berlin',
	hamburg: 'Europe/Berlin',
	frankfurt: 'Europe/Berlin',
	cologne: 'Europe/Berlin',
	barcelona: 'Europe/Madrid',
	milan: 'Europe/Rome',
	geneva: 'Europe/Zurich',
	basel: 'Europe/Zurich',
	lyon: 'Europe/Paris',
	manchester: 'Europe/London',
	edinburgh: 'Europe/London',
	kyiv: 'Europe/Kyiv',
	beijing: 'Asia/Shanghai',
	shenzhen: 'Asia/Shanghai',
	delhi: 'Asia/Kolkata',
	'new delhi': 'Asia/Kolkata',
	mumbai: 'Asia/Kolkata',
	bangalore: 'Asia/Kolkata',
	chennai: 'Asia/Kolkata',
	osaka: 'Asia/Tokyo',
	kyoto: 'Asia/Tokyo',
	'tel aviv': 'Asia/Jerusalem',
	'abu dhabi': 'Asia/Dubai',
	'cape town': 'Africa/Johannesburg',
	wellington: 'Pacific/Auckland',
	canberra: 'Australia/Sydney',
};

/** Countries with the zones that most of their people live in, by what they and their people are called. */
const COUNTRIES: readonly [names: string, zones: string][] = [
	['us|usa|american|america|united states', 'America/New_York America/Chicago America/Denver America/Los_Angeles'],
	['canadian|canada', 'America/Halifax America/Toronto America/Winnipeg America/Edmonton America/Vancouver'],
	['australian|australia', 'Australia/Sydney Australia/Brisbane Australia/Adelaide Australia/Perth'],
	['brazilian|brazil', 'America/Sao_Paulo America/Manaus America/Rio_Branco'],
	['mexican|mexico', 'America/Mexico_City America/Tijuana America/Cancun'],
	['russian|russia', 'Europe/Moscow Asia/Yekaterinburg Asia/Novosibirsk Asia/Vladivostok'],
	['indonesian|indonesia', 'Asia/Jakarta Asia/Makassar Asia/Jayapura'],
	['spanish|spain', 'Europe/Madrid Atlantic/Canary'],
	['portuguese|portugal', 'Europe/Lisbon Atlantic/Azores'],
	['chilean|chile', 'America/Santiago Pacific/Easter'],
	['german|germany', 'Europe/Berlin'],
	['french|france', 'Europe/Paris'],
	['british|uk|united kingdom|english|england', 'Europe/London'],
	['irish|ireland', 'Europe/Dublin'],
	['italian|italy', 'Europe/Rome'],
	['austrian|austria', 'Europe/Vienna'],
	['swiss|switzerland', 'Europe/Zurich'],
	['dutch|netherlands', 'Europe/Amsterdam'],
	['belgian|belgium', 'Europe/Brussels'],
	['polish|poland', 'Europe/Warsaw'],
	['swedish|sweden', 'Europe/Stockholm'],
	['norwegian|norway', 'Europe/Oslo'],
	['danish|denmark', 'Europe/Copenhagen'],
	['finnish|finland', 'Europe/Helsinki'],
	['greek|greece', 'Europe/Athens'],
	['turkish|turkey', 'Europe/Istanbul'],
	['japanese|japan', 'Asia/Tokyo'],
	['indian|india', 'Asia/Kolkata'],
	['chinese|china', 'Asia/Shanghai'],
	['korean|korea', 'Asia/Seoul'],
	['israeli|israel', 'Asia/Jerusalem'],
	['moroccan|morocco', 'Africa/Casablanca'],
];

/** Letters that stand for several zones, or for an offset that knows no summer time. */
const LETTERS: Readonly<Record<string, string>> = {
	est: 'America/New_York America/Jamaica Australia/Sydney',
	edt: 'America/New_York Australia/Sydney',
	et: 'America/New_York America/Jamaica',
	pt: 'America/Los_Angeles America/Vancouver',
	ct: 'America/Chicago America/Winnipeg',
	mt: 'America/Denver America/Phoenix',
	cst: 'America/Chicago America/Costa_Rica Asia/Shanghai America/Havana',
	cdt: 'America/Chicago America/Havana',
	mst: 'America/Denver America/Phoenix',
	mdt: 'America/Denver America/Phoenix',
	pst: 'America/Los_Angeles Asia/Manila',
	pdt: 'America/Los_Angeles America/Vancouver',
	ist: 'Asia/Kolkata Europe/Dublin Asia/Jerusalem',
	bst: 'Europe/London Asia/Dhaka',
	cet: 'Europe/Berlin Europe/Paris Africa/Algiers',
	cest: 'Europe/Berlin Europe/Paris',
	ast: 'America/Halifax Asia/Riyadh',
};
const REGIONS: Readonly<Record<string, string>> = {
	eastern: 'America/New_York Australia/Sydney',
	central: 'America/Chicago Australia/Adelaide',
	mountain: 'America/Denver America/Phoenix',
	pacific: 'America/Los_Angeles America/Vancouver',
	european: 'Europe/London Europe/Berlin Europe/Athens',
	europe: 'Europe/London Europe/Berlin Europe/Athens',
};

const NAMED =
	/(?:in\s+|by\s+|at\s+)?(?:the\s+)?(?:(?:time\s*-?zone|zone)\s+(?:of\s+)?)?\(?(?<name>[a-z]+(?:\/[a-z0-9_+-]+){1,2})\)?(?:\s+(?:local\s+)?time)?(?![\p{L}\p{N}/])/iuy;
const PLACED =
	/(?:in\s+|by\s+)?(?:the\s+)?(?:(?:time\s*-?zone|zone)\s+(?:of\s+)?(?<zone>\p{L}+(?:\s\p{L}+)?)|(?<place>(?:\p{L}+[\s_]){0,2}\p{L}+)\s+(?:standard\s+|daylight\s+|local\s+)?time)(?![\p{L}\p{N}])/iuy;
const LETTER =
	/(?:in\s+)?(?<letters>UTC|GMT|EST|EDT|ET|PT|CT|MT|CST|CDT|MST|MDT|PST|PDT|IST|BST|CET|CEST|AST)(?:\s+time)?(?![\p{L}\p{N}/+-])/uy;
const OWN = /(?:in\s+)?(?:local|my|my\s+own|our)\s+time(?![\p{L}\p{N}])/iuy;

export const zoneReaders: readonly Reader[] = [
	(text, at) => {
		const { name, end } = match(NAMED, text, at, 'name');
		if (name === undefined) return undefined;
		if (!isZone(name)) return REAL_REGION.test(name) ? unknown(name, end) : undefined;
		return { said: [{ kind: 'zone', zone: written(name) }], end };
	},
	(text, at) => {
		const { name: letters, end } = match(LETTER, text, at, 'letters');
		if (letters === undefined) return undefined;
		const zones = LETTERS[letters.toLowerCase()];
		return zones === undefined ? { said: [{ kind: 'zone', zone: 'UTC' }], end } : read(letters, zones.split(' '), end);
	},
	(text, at) => {
		const found = match(OWN, text, at, '');
		return found.end > at ? { said: [{ kind: 'zone', zone: undefined }], end: found.end } : undefined;
	},
	(text, at) => {
		const zoned = match(PLACED, text, at, 'zone');
		const placed = zoned.name === undefined ? match(PLACED, text, at, 'place') : zoned;
		if (placed.name === undefined) return undefined;
		const zones = zonesOf(placed.name);
		if (zones.length > 0) return read(placed.name, zones, placed.end);
		// “At lunch time” names no place; “at 9 Springfield time” does.
		const isPlace = zoned.name !== undefined || /^\p{Lu}/u.test(placed.name);
		return isPlace && /(?:^|\d|[ap]m|noon)\s$/iu.test(text.slice(Math.max(0, at - 5), at)) ? unknown(placed.name, placed.end) : undefined;
	},
];

const REAL_REGION = /^(?:africa|america|antarctica|arctic|asia|atlantic|australia|europe|indian|pacific|etc)\//i;

function zonesOf(place: string): string[] {
	const name = place.replaceAll('_', ' ').replace(/\s+/g, ' ').trim().toLowerCase();
	const city = CITIES[name] ?? ianaCities().get(name);
	if (city !== undefined) return [city];
	const country = COUNTRIES.find(([names]) => names.split('|').includes(name))?.[1] ?? REGIONS[name];
	return country?.split(' ') ?? [];
}

function read(place: string, zones: readonly string[], end: number): Read {
	const [only] = zones;
	return zones.length === 1
		? { said: [{ kind: 'zone', zone: only }], end }
		: { said: [{ kind: 'doubt', doubt: which(place, zones) }], end };
}

function which(place: string, zones: readonly string[]): Doubt {
	return {
		question: `“${place}” may be more than one time zone. Which one?`,
		choices: zones.map((zone) => ({ text: zone, phrase: `in zone ${zone}` })),
	};
}

function unknown(place: string, end: number): Read {
	const said = {
		kind: 'never' as const,
		message: `I don’t know the time zone of “${place}”.`,
		action: 'Name it as in Europe/Berlin.',
	};
	return { said: [said], end };
}

function match(expression: RegExp, text: string, at: number, group: string): { name: string | undefined; end: number } {
	expression.lastIndex = at;
	const found = expression.exec(text);
	return { name: found?.groups?.[group], end: found ? at + found[0].length : at };
}

/** As IANA writes it. */
function written(name: string): string {
	return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone === name
		? name
		: (Intl.supportedValuesOf('timeZone').find((zone) => zone.toLowerCase() === name.toLowerCase()) ?? name);
}

let cities: ReadonlyMap<string, string> | undefined;

/** By the last part of their names: a city that names two zones names none. */
function ianaCities(): ReadonlyMap<string, string> {
	if (cities) return cities;
	const found = new Map<string, string>();
	for (const zone of Intl.supportedValuesOf('timeZone')) {
		const name = zone.split('/').at(-1)?.replaceAll('_', ' ').toLowerCase() ?? '';
		if (zone.includes('/')) found.set(name, zone);
	}
	cities = found;
	return found;
}
