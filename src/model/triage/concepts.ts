/**
 * Kinds of things that owners watch for and that items tell of in many words: how a line asks for one, and how items say that they are one.
 * English, with some German. `asks` finds it in a line; what it finds is then no part of the subject. Pure data.
 */

export interface Concept {
	readonly name: string;
	readonly asks: RegExp;
	readonly tells: RegExp;
}

/** Words by their beginnings: `releas*` is all that begins so, a space is any white space or hyphen. */
function words(list: string): RegExp {
	const alternatives = list
		.trim()
		.replace(/\s+\|\s+/g, '|')
		.replaceAll('*', '\\p{L}*')
		.replaceAll(' ', '[\\s-]+');
	return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives})(?![\\p{L}\\p{N}])`, 'iu');
}

function either(list: string, pattern: RegExp): RegExp {
	return new RegExp(`${words(list).source}|${pattern.source}`, 'iu');
}

const AMOUNT = /[$€£¥]\s?\d|\d[\d.,]*\s?(?:[$€£¥]|(?:euros?|dollars?|pounds?|usd|eur|gbp|chf|francs?|cents?)\b)/;
const DATE =
	/\b\d{1,2}(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:until|by|before|bis)\s+(?:the\s+)?(?:\d|mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|tomorrow|end\b|next\b)/;

export const CONCEPTS: readonly Concept[] = [
	{ name: 'alpha', asks: words('alphas?'), tells: either('alpha', /\d(?:a|alpha)\d+\b/) },
	{ name: 'beta', asks: words('betas?'), tells: either('beta', /\d(?:b|beta)\d+\b/) },
	{ name: 'candidate', asks: words('release candidates?|rcs?'), tells: either('release candidate*', /\bRC[\s-]?\d|\d-?rc\.?\d+\b/) },
	{
		name: 'preview',
		asks: words('pre ?releases?|previews?|nightl(?:y|ies)|testversionen'),
		tells: either(
			'alpha | beta | release candidate* | preview | prerelease | nightly | daily builds',
			/\bRC[\s-]?\d|\d-?(?:a|b|rc)\.?\d+\b/,
		),
	},
	{
		name: 'release',
		asks: words(
			'new releases? of|new releases?|releases?|new versions? of|new versions?|versions?|updates?|new major versions?|neue versionen|veröffentlichungen',
		),
		tells: either(
			'releas* | new versions? | minor versions? | major version | is out | out now | available now | ships | shipped | now available | update* | upgrade* | publish* | general availability | changelog | release notes | veröffentlicht | erschienen | tarballs?',
			/\bv?\d+\.\d+(?:\.\d+)*\b/,
		),
	},
	{
		name: 'security',
		asks: words(
			'security (?:holes?|fixes|fix|issues?|flaws?|problems?|bugs?|advisor\\p{L}*|updates?|patches|vulnerabilit\\p{L}*|news)|vulnerabilit*|exploits?|cves?|zero days?|sicherheitslücken?|security',
		),
		tells: either(
			'vulnerab* | exploit* | security (?:hole|flaw|issue|update|advisory|bug|fix|patch)\\p{L}* | flaw* | patch* | remote code execution | code execution | buffer overflow | use after free | privilege escalation | authentication bypass | attacker* | attack* | malicious | zero day* | backdoor* | side channel | leak* | injection | compromis* | sicherheitslücke*',
			/\b(?:CVE-\d|DSA-\d|USN-\d|GHSA-)/,
		),
	},
	{
		name: 'research',
		asks: words(
			'research (?:about|on|into)|research|studies (?:about|on)|studies|stud(?:y|ies)|papers? (?:about|on)|papers?|preprints?|findings? (?:about|on)|science of|studien?|forschung',
		),
		tells: words(
			'stud(?:y|ies) | researcher* | research | scientist* | preprint* | trial* | experiment* | paper | journal | published in | cohort | meta analysis | biologist* | psychologist* | virologist* | survey* | evaluat* | team from | university | institute | laborator* | genome | peer reviewed | found that | volunteers | measured | studie | forscher* | forschung*',
		),
	},
	{
		name: 'job',
		asks: words(
			'job offers? (?:for|of)|job offers?|jobs? (?:for|as|in)|jobs?|vacanc*|open positions?|positions?|stellenangebote?|stellen|hiring',
		),
		tells: words(
			'job | jobs | vacanc* | position* | hir(?:e|es|ing) | wanted | we seek | seek* | looks? for | looking for | appl(?:y|ications?|icants?) | full time | part time | salary | permanent | post doc | career* | join our team | recruit* | stelle* | bewerb* | gesucht',
		),
	},
	{
		name: 'outage',
		asks: words(
			'disruptions?(?: on)?|outages?|interruptions?|(?:is |are |gets? |being )?(?:turned|switched|shut|cut) off|fail(?:s|ed|ures?)?|down|closures?|delays?|cancellations?|cancelled|störung*|ausfälle?|sperrung*|blackouts?',
		),
		tells: words(
			'disrupt* | outage* | interrupt* | (?:turn|switch|shut|cut|turned|switched|turns|switches)\\s+(?:\\p{L}+\\s+){0,3}off | no (?:service|trains?|water|power|electricity|gas|internet|connection|heating) | without (?:power|water|electricity|gas) | has no | have no | delay* | cancell* | canceled | cancels | closed | closure* | closes | replacement bus* | buses replace | replace(?:s|d)? by bus* | buses | suspend* | failure* | fails? | failed | burst | down | shutdown | power cut* | blackout* | limited service | fewer | cut short | pauses? | paused | stand still | (?:do|does) not (?:stop|run|work) | every second | only every | restore* | maintenance | out of service | störung* | ausfall* | gesperrt',
		),
	},
	{
		name: 'strike',
		asks: words('strikes?(?: on| of| at)?|walkouts?|industrial action|streiks?'),
		tells: words(
			'strike | strikes | strikers? | striking | walkout* | walk out | industrial action | stop work | down tools | warning strike* | union* | ballot* | streik* | warnstreik*',
		),
	},
	{
		name: 'recall',
		asks: words('recalls? of|recalls?|recalled|product warnings?|rückrufe?'),
		tells: words(
			'recall* | call(?:s|ed)? back | withdraw* | withdrawn | taken off the (?:shelves|market) | pulled from | asks? to return | return (?:the|it|them) | refund* | money back | warning of | warns? of | choke | choking | may contain | contaminat* | rückruf* | ruft zurück',
		),
	},
	{
		name: 'hours',
		asks: words('(?:changes? (?:its |their |of )?)?opening (?:hours|times)|changes? (?:its|their) hours|hours|öffnungszeiten'),
		tells: words(
			'opening (?:hours|times) | new hours | hours | opens? (?:at|from|on|earlier|later) | open (?:until|from|on|till) | closed on | stays? open | closes? (?:at|on|earlier) | (?:only )?in the (?:morning|afternoon|evening) | öffnungszeiten | geöffnet',
		),
	},
	{
		name: 'event',
		asks: words(
			'concerts?|gigs?|festivals?|shows?|events?|exhibitions?|performances?|readings?|lectures?|talks?|meetups?|premieres?|konzerte?|ausstellung*',
		),
		tells: words(
			'concert* | gig* | festival* | show* | event* | live | tour | tickets? | doors open | programme | program | line up | plays | play | sings | sing | presents? | evening* | night* | session* | set | stage | premiere* | exhibition* | lecture* | quartet | quintet | trio | orchestra | band | admission | club | retrospective | days? of | weeks? in | returns | opens | announces its | konzert* | matinee',
		),
	},
	{
		name: 'price',
		asks: words(
			'price changes?(?: of| for)?|prices?(?: of| for)?|costs?(?: of| for)?|what .{1,20} costs?|discounts?(?: on)?|offers?|bargains?|preise?|kosten|rabatte?',
		),
		tells: either(
			'price* | pric(?:ey|ier|ing) | cost* | cheap* | expensive | discount* | offer* | tariff* | fee* | rais(?:e|es|ed) | reduc* | per cent off | preis* | kostet | kosten',
			AMOUNT,
		),
	},
	{
		name: 'subsidy',
		asks: words('subsid*(?: for)?|grants?(?: for)?|fundings?|tax (?:breaks?|credits?)|förderung*|zuschüsse?'),
		tells: words(
			'subsid* | grant | grants | bonus* | fund(?:s|ing|ed)? | tax (?:deduction|credit|break)* | credit | support programme | programme* | scheme* | allowance* | incentive* | rebate* | förder* | zuschuss*',
		),
	},
	{
		name: 'bill',
		asks: words(
			'invoices?|bills?|payment reminders?|reminders? to pay|payments? due|payments?|dunning|rechnung*|mahnung*|zahlungserinnerung*',
		),
		tells: words(
			'invoice* | bill | bills | charge* | payable | amount (?:due|outstanding|of) | outstanding | overdue | unpaid | not (?:been )?(?:settled|paid|received) | open balance | balance | please (?:pay|transfer|settle) | to pay | pay by | pay within | payment (?:due|overdue|reminder|method) | dunning | fee | is due | are due | due on | owe* | direct debit | rechnung* | mahnung* | zahlbar',
		),
	},
	{
		name: 'duty',
		asks: words(
			'(?:i |we )?(?:have|need|ought) to(?: \\p{L}+,?){1,6}(?: or \\p{L}+)?|(?:i|we) (?:must|should) \\p{L}+|sign|pay|bring|hand in|fill in|return|submit|to do',
		),
		tells: words(
			'please | sign | signs | signed | signature* | consent | form | slip | pay | paid | transfer | money | euros? | instal?ment* | contribution | bring* | send (?:\\p{L}+\\s+){0,3}with | give your | hand in | fill in | return (?:it|the|them) | to be (?:signed|paid|returned) | need* to | ha(?:s|ve) to | must | required | deadline | register* | registration | confirm | asked to | reply | bitte | unterschr* | mitbringen | bezahlen',
		),
	},
	{
		name: 'asks',
		asks: words(
			'(?:somebody |someone |who |that )?asks? (?:me|us)(?: for| to)?|(?:needs?|wants?|expects?|waits? for|for) an? (?:answer|reply)(?: from me)?|needs? (?:my|an) answer|questions? (?:for|to) me|replies|to (?:answer|reply|respond)|antwort*',
		),
		tells: either(
			'please (?:reply|respond|answer|confirm|let me know|let us know|get back|advise|tell) | let (?:me|us) know | can you | could you | would you | are you (?:free|available|able|coming) | do you | will you | have you | what do you think | tell (?:me|us) | rsvp | looking forward to (?:hearing|your) | (?:would|does) (?:\\p{L}+\\s+){1,4}(?:suit|work|be possible) | when (?:would|could|can|will) | waiting for your | not heard (?:back )?from you | your (?:answer|reply|feedback|decision|opinion) | bitte (?:um|antworte*|melde*) | kannst du | können sie',
			/\byou\b[^.!?\n]{0,120}\?/,
		),
	},
	{
		name: 'meet',
		asks: words(
			'(?:wants? to |like to |would like to )?meet(?: me| us| up)?|meetings?(?: requests?)?|appointments?|invitations?|invites?(?: me)?|termine?|treffen|einladung*',
		),
		tells: words(
			'meet | meeting | appointment | invit* | coffee | lunch | dinner | see you | visit | (?:are )?you free | suit you | get together | catch up | call on | schedule | treffen | termin* | einlad*',
		),
	},
	{
		name: 'rent',
		asks: words('(?:is |are )?(?:to let|to rent|for rent|rented out)|rentals?|lets|zu vermieten|mietwohnung*'),
		tells: words(
			'to let | to rent | for rent | be let | lets | letting | rent | rents | rented | renting | rental | cold rent | warm | tenant | lease | landlord | viewing* | available from | miete | vermiet* | mietwohnung*',
		),
	},
	{
		name: 'sale',
		asks: words('for sale|sales?|to buy|on sale|zu verkaufen'),
		tells: words('for sale | purchase price | on sale | sold | sells? | buy it | condominium | to buy | zu verkaufen | kaufpreis'),
	},
	{
		name: 'shared',
		asks: words('shared (?:flats?|apartments?|houses?|rooms?)|flat ?shares?|flatmates?|wgs?'),
		tells: words(
			'flatmate* | flat mate* | roommate* | housemate* | flat ?share* | shared (?:flat|apartment|house)* | room in | our wg | wg | wg zimmer',
		),
	},
	{
		name: 'rules',
		asks: words(
			'changes? (?:of|in|to) (?:\\p{L}+ )?(?:rules?|laws?|regulations?)|rules?(?: for| on| about)?|laws?(?: on| about)?|regulations?(?: of| on)?|legislation|bills?|directives?|gesetze?|regeln|verordnung*',
		),
		tells: words(
			'rule | rules | law | laws | regulat* | directive* | legislat* | act | bill | obligation* | parliament* | commission | council | lawmaker* | ban | bans | banned | prohibit* | guidelines | code of practice | authorit* | member states | compliance | fine | fines | fined | penalt* | amendment* | enters? into force | apply | applies | standards | gesetz* | verordnung* | richtlinie*',
		),
	},
	{
		name: 'deadline',
		asks: words('deadlines?|due dates?|fristen?|last days?'),
		tells: either('deadline* | due | at the latest | closing date | expires? | last day | frist*', DATE),
	},
	{
		name: 'fine',
		asks: words('fines?|penalt*|sanctions?|strafen?|bußgelder'),
		tells: words('fine | fines | fined | penalt* | sanction* | strafe* | bußgeld*'),
	},
	{
		name: 'internship',
		asks: words('internships?|trainee*|praktik*'),
		tells: words('internship* | intern | interns | trainee* | praktik*'),
	},
	{
		name: 'newsletter',
		asks: words('newsletters?|advertising|ads?|marketing|promotions?|werbung'),
		tells: words(
			'newsletter* | unsubscribe | sponsored | advertis* | special offer* | only today | promo* | discount code | werbung | abmelden',
		),
	},
	{
		name: 'death',
		asks: words('deaths?|obituar*|died|dies'),
		tells: words('died | dies | death of | obituary | passed away | gestorben'),
	},
	{
		name: 'acquisition',
		asks: words('acqui*|takeovers?|mergers?|funding rounds?|investments?|übernahmen?'),
		tells: words(
			'acquir* | acquisition* | takeover* | takes over | merg* | buys | bought | raises? | raised | series [a-e] | investor* | valuation | übernimmt | übernahme*',
		),
	},
	{
		name: 'weather',
		asks: words('storms?|floods?|frost|snow|severe weather|weather warnings?|unwetter*|sturm*'),
		tells: words(
			'storm* | flood* | frost | snow* | gale* | hurricane* | heavy rain | hail | thunder* | weather warning* | unwetter* | sturm* | hochwasser',
		),
	},
];
