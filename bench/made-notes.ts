import { seeded } from './numbers.ts';

/** Sentences as notes hold them, made from a small grammar: different in each place, the same in each run. */

const list = (text: string): string[] => text.split('|').map((part) => part.trim());
const PEOPLE = list(
	'Anna|Ben|Ms. Okafor|my brother|the landlord|Priya|Dr. Haddad|Tom and Lea|our neighbour|the plumber|Jonas|the team|Grandma|Mr. Ito|the school',
);
const DEEDS = list(
	'repaired|lost|bought|promised|painted|cancelled|ordered|returned|sold|borrowed|measured|cleaned|planned|forgot|photographed|recommended|inherited|complained about|insured|designed|tested|wrapped|hid|praised|moved',
);
const THINGS = list(
	'the bicycle|a second-hand piano|the kitchen tap|two train tickets|the garden fence|an old camera|the tax form|a birthday cake|the heating valve|a guitar lesson|the winter tyres|a sourdough starter|the quarterly report|a kayak|the passport photos|a telescope|the roof tiles|a Spanish course|the deposit|an oak table|the fish tank|a chess set|the router|a wool coat|the allergy test|the wedding ring|a bread knife|the lease|a hiking map|the solar panels',
);
const PLACES = list(
	'in the cellar|near the station|at the market|in Lisbon|on the balcony|at the clinic|behind the library|on the ferry|in the old office|by the river|at the allotment|in the attic|next to the bakery|in the car park|at the border',
);
const TIMES = list(
	'yesterday|last Tuesday|in spring|two weeks ago|before breakfast|on the 14th|during the storm|at noon|after the concert|every Friday|in October|late at night|since the move|on her birthday|as agreed',
);
const ENDS = list(
	'and it cost more than expected|because the old one broke|but nobody told the insurer|which made everyone laugh|and the receipt is in the blue folder|although it rained|so we need a new date|and the warranty ends next year|for the second time|without asking|as a surprise|and wants the money back|since the manual was missing|to save energy|and it finally works',
);

export function sentences(count: number, seed: number): string[] {
	const random = seeded(seed);
	const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] as string;
	return Array.from({ length: count }, (_, at) => {
		const [person, deed, thing, place, time, end] = [pick(PEOPLE), pick(DEEDS), pick(THINGS), pick(PLACES), pick(TIMES), pick(ENDS)];
		const tail = random() < 0.6 ? `, ${end}` : '';
		const number = random() < 0.2 ? ` (ref ${10_000 + at})` : '';
		// Words that few share, as names and products are: real notes have many of them.
		const rare = random() < 0.5 ? ` with ${rareWord(random)} and ${rareWord(random)}` : '';
		return `${person} ${deed} ${thing} ${place} ${time}${rare}${tail}${number}.`;
	});
}

export function questions(count: number, seed: number): string[] {
	const random = seeded(seed);
	const pick = (from: readonly string[]): string => from[Math.floor(random() * from.length)] as string;
	const forms: (() => string)[] = [
		() => `Who ${pick(DEEDS)} ${pick(THINGS)} ${pick(PLACES)}?`,
		() => `What did ${pick(PEOPLE)} do with ${pick(THINGS)}?`,
		() => `When was ${pick(THINGS)} ${pick(DEEDS)} ${pick(PLACES)}?`,
		() => `${pick(THINGS)} ${pick(PEOPLE)} ${rareWord(random)}`,
		() => `Why did ${pick(PEOPLE)} have ${pick(THINGS)} ${pick(DEEDS)} ${pick(TIMES)}?`,
	];
	return Array.from({ length: count }, (_, at) => (forms[at % forms.length] as () => string)());
}

const SYLLABLES = list('ka|lo|mi|tre|van|sol|pe|ri|dun|bra|ne|tu|zor|fel|gi|ham|que|sta|wil|yo');

function rareWord(random: () => number): string {
	const length = 2 + Math.floor(random() * 2);
	// Few words are common and most are rare, as in language.
	return Array.from({ length }, () => SYLLABLES[Math.floor(random() ** 1.5 * SYLLABLES.length)] as string).join('');
}
