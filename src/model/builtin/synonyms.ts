import { termsOf } from './tokens.ts';

/** Everyday words that stand for each other in questions and notes. Few and plain: for how much of a question an entry holds, never for search. */

const GROUPS = `mother mum mom mummy mama mutter
father dad daddy papa vater
grandmother grandma granny oma großmutter
grandfather grandpa grandad opa großvater
child children kid kids
partner spouse
sibling siblings
friend mate
boss manager supervisor chef
colleague coworker teammate
doctor physician gp surgery practice
dentist teeth tooth orthodontist
optician glasses spectacles lens lenses eyes
vet veterinary animal
medicine medication pill pills tablet tablets drug tablette
allergy allergic allergies rash intolerant vertrage
jab shot vaccination vaccine booster injection impfung impfpass
illness sick ill disease
phone telephone mobile landline call number handy telefon
email mail address
live lives living home house flat apartment moved address wohnt
job work works working profession employed
salary wage pay raise rise
cost costs price charge charges fee pay paid pays euro euros dollars
money cash euros budget
buy buys bought purchase purchased
sell sells sold
rent landlord landlady tenant miete
accountant tax adviser steuerberater
lawyer solicitor attorney
insurance insured insures insurer policy versicherung
bank account
groceries grocery food shopping
donate donation charity give gives
owe owes owed lent borrowed loan debt
lend lends lent borrow borrows borrowed
boat dinghy ship yacht berth jetty moored
car vehicle auto
bike bicycle cycle fahrrad
motorbike motorcycle motorrad
inspection mot tuv service serviced
flight fly flies flying
train rail railway
hotel stay staying stays accommodation pensao guesthouse
luggage suitcase bag case
holiday vacation leave urlaub trip
cabin hut lodge
tap valve stopcock faucet
power electricity electric current strom
wifi wireless wlan network
internet online web connection
nas storage
computer laptop pc notebook
password passcode code pin passwort kennwort
expire expires expiry runs valid ends
ink cartridge toner
fridge refrigerator
freezer freeze frozen
stove oven cooker
sofa couch settee
lamp light bulb
rubbish trash garbage waste bin bins mull
key keys schlussel
decoration decorations ornament ornaments
present presents gift gifts
begin begins began begun start starts started
finish finishes finished end ends ended deadline due complete
repair repaired mend mended fix fixed replaced
break breaks broke broken
steal stole stolen thief
lose loses lost
see saw seen watch watched
read book novel
film movie cinema
choir sing sings sang singing voice alto soprano tenor bass
rehearsal practice
wedding marry married marriage bride
birthday born birth geburtstag geboren
die died death dead buried
meet meets met meeting
teacher teach teaches taught class
school class lesson lessons
eat eats food diet
hate hates dislike dislikes stand detest
like likes love loves favourite enjoy prefer prefers
avoid never not mustn
hive hives beehive beehives bees
lawnmower mower
slug slugs snail snails
evening night
autumn fall
exercise exercises raises workout training
size big large length
picture pictures photo photos
raining rain weather
colour color painted paint red green blue yellow black white grey brown
called name named names heisst
postman postwoman postie
kilo kilos kilogram kilograms kg
fast fastest best quick record
neighbour neighbours neighbor neighbors nachbar
babysitter nanny childminder looks
pet pets`;

const synonyms = new Map<string, Set<string>>();
for (const line of GROUPS.split('\n')) {
	const terms = new Set(line.split(' ').flatMap((word) => termsOf(word)));
	for (const term of terms) {
		const known = synonyms.get(term) ?? new Set<string>();
		for (const other of terms) known.add(other);
		synonyms.set(term, known);
	}
}

/** The term and what may stand for it. */
export function sameAs(term: string): ReadonlySet<string> {
	return synonyms.get(term) ?? new Set([term]);
}
