import { cutCodePoints } from '../../domain/text.ts';
import { dayIn } from './dates.ts';
import { findingsQuestion } from './findings.ts';
import { isForLater } from './for-later.ts';
import { factOf, sentenceOf } from './sentences.ts';

/** What the owner wants, as far as fixed phrases tell. Pure; the first that fits wins. */
export type Intent =
	| { kind: 'greeting' }
	| { kind: 'thanks' }
	| { kind: 'help' }
	| { kind: 'who_are_you' }
	| { kind: 'connect' }
	| { kind: 'schedule' | 'workflow' | 'yes' | 'no' }
	/** `text`: what to remember, as it was written. `isBefore`: it was said in the message before this one. */
	| { kind: 'remember'; text: string; isBefore?: true }
	| { kind: 'forget'; subject: string }
	| { kind: 'undo' }
	| { kind: 'knows_about'; subject: string }
	/** `about`: what of that day; empty where all of it is meant. */
	| { kind: 'on_day'; day: string; about: string }
	/** Something that is known is not so. `sentence`: what is so, where it was said in full; else `value`. */
	| { kind: 'correction'; sentence: string; value: string }
	/** What background work found. `about`: of what, where that was said; else empty. */
	| { kind: 'findings'; about: string }
	| { kind: 'search'; query: string }
	| { kind: 'now'; what: 'time' | 'date' }
	| { kind: 'count' }
	| { kind: 'needs_model'; verb: string }
	| { kind: 'question' }
	| { kind: 'statement' };

const POLITE = /^(?:(?:hey|hi|hello|ok|okay|so|well|now|and|please|hearth)[,!.\s]+)*(?:(?:can|could|would|will) you\s+)?(?:please\s+)?/i;
const GREETING =
	/^(?:hi|hey|hello|yo|howdy|good (?:morning|afternoon|evening|day)|greetings|hallo|guten (?:tag|morgen|abend)|bonjour|salut|hola|buenos d[ií]as|ciao|ol[aá]|hej|hei|ahoj|cze[sś][cć]|привет|здравствуйте|你好|您好|こんにちは|안녕하세요|안녕|مرحبا|שלום|नमस्ते)(?:[ ,]+(?:there|hearth|again|all|you))*[\s!.,。！،]*$/iu;
const THANKS =
	/^(?:thanks?(?: you)?(?: (?:a lot|so much|very much))?|thx|ty|cheers|great|perfect|nice|danke|merci|gracias|ok(?:ay)?|cool)[\s!.,]*$/i;
const HELP =
	/^(?:help|\/help|\?|commands?|menu|what (?:can|do) (?:you|i) do(?: here)?|what are you able to do|how do(?:es)? (?:this|it|you|hearth) work|what (?:are|is) (?:the|your) commands?|how do i use (?:this|you|hearth)|getting started)[\s?!.]*$/i;
const WHO =
	/^(?:who|what) (?:are|r) (?:you|u)\b|\bare you (?:an? )?(?:ai|a\.i\.|bot|human|real|robot|person|llm|language model|model|chatgpt|claude|gpt)\b|^which model (?:are you|is this)|^(?:are you )?(?:ai|a bot)\?$/i;
const CONNECT =
	/\b(?:connect|set ?up|install|add|use|choose|pick|configure|get|switch to|change)\b.{0,30}\b(?:model|models|ollama|lm ?studio|openai|anthropic|claude|gpt|api key|ai)\b|\bhow (?:do|can) i (?:get|use) (?:a real |an? )?(?:ai|model)\b/i;
const REMEMBER =
	/^(?:remember|memori[sz]e|keep in mind|don(?:'|’)?t (?:ever )?forget|make a note|(?:please )?note(?: down)?|save|store|write down|merk(?:e)? dir|merke|denk(?:e)? (?:dran|daran)|vergiss (?:bitte )?nicht|notier(?:e)?(?: dir)?|speicher(?:e)?|behalt(?:e)?|schreib(?:e)? (?:dir )?auf)(?![\p{L}\p{N}])(?! me\b|ing\b|\?| when\b| how\b)/iu;
const REMEMBER_FILLER =
	/^(?:[\s,:]|(?:this|the following|it|for me|for later|to (?:your |my )?memory|in (?:your |my )?memory|please|bitte|mir|dir|folgendes|im gedächtnis|into (?:your |my )?memory|about|of)(?![\p{L}\p{N}]))*(?:that(?![\p{L}\p{N}])|dass(?![\p{L}\p{N}])|to(?= \p{L}))?[\s,:]*/iu;
/** “…, ok?” asks for a nod, not for an answer. */
const NOD =
	/(?:\s*[,–—-]\s*(?:ok(?:ay)?|al+ ?right|right|got it|yes|yeah|please|(?:will|would|could|can) you|ja|gut|klar|alles klar|verstanden|in ordnung|bitte)(?: please| bitte)?\s*[?!.]*|\s+(?:ok(?:ay)?|please|bitte)\s*\?+)$/iu;
const NOD_LENGTH = 40;
/** At the end of a message: “I moved to Bonn. Please remember it.” */
const REMEMBER_BEFORE =
	/(?:^|[.!?…;:,–—\n-]\s*|(?<=\s)(?=(?:and |und )?(?:please|bitte)\s))(?:(?:and|so|und)\s+)?(?:(?<asks>please|bitte|(?:can|could|would|will) you(?: please)?|kannst du(?: dir)?|könntest du(?: dir)?)\s+)?(?:(?:remember|memori[sz]e|save|store|note|keep|don(?:'|’)?t forget)\s+(?:it|this|that|these|them)|keep (?:it|this|that) in mind|(?:write|note) (?:it|this|that) down|(?:make|take) a note(?: of (?:it|this|that))?|(?:merke?|notiere?) dir (?:das|es)|(?:speichere?|notiere?|behalte?|merke?) (?:das|es)|schreibe? (?:dir )?(?:das|es) (?:bitte )?auf|vergiss (?:das|es) (?:bitte )?nicht|(?:das|es) (?:merken|notieren|speichern|aufschreiben))(?:\s+(?:please|bitte|for me|for later|mal|down|in mind|(?:in|to) (?:your |my )?memory))*[\s.!]*(?<mark>\?*)\s*$/iu;
const REMEMBER_BEFORE_LENGTH = 120;
const FORGET_FROM_MEMORY =
	/^(?:delete|erase|remove|drop|clear|wipe|strike|take|forget|lösche?|entferne?|streiche?|nimm|tilge?)\s+(?<subject>.+?)\s+(?:from|out of|off|aus)\s+(?:(?:your|my|the|deinem|meinem|dem)\s+)?(?:long-term )?(?:memor(?:y|ies)|gedächtnis|speicher|memory\.md)(?:\s+(?:please|bitte|heraus|raus))*[\s.!?]*$/isu;
const UNDO =
	/^(?:(?:undo|revert|roll back)(?: (?:that|it|this|the last(?: (?:one|change|thing|save))?|your last change|what you (?:just )?(?:did|saved|wrote)))?|take (?:that|it|this) back|(?:mache?|mach) (?:das|es) (?:bitte |wieder )*rückgängig|rückgängig(?: machen)?|nimm (?:das|es) (?:bitte |wieder )*zurück)(?: please| bitte| again)*[\s.!?]*$/iu;
const FORGET =
	/^(?:forget|unlearn|erase|delete (?:what|everything|all)|remove (?:from (?:your )?memory|what you know)|vergiss|vergesse|lösch(?:e)?|streich(?:e)?)(?![\p{L}\p{N}])/iu;
const FORGET_FILLER =
	/^(?:[\s,:]|(?:about|that|what you know|what i said|what i told you|everything|anything|all|it|memory|from your memory|please|bitte|dass|über|was du|alles|weißt|weisst|wieder|den eintrag|the entry|the note)(?![\p{L}\p{N}]))*/iu;
const YES =
	/^(?:yes|yep|yeah|yes please|please do|do it|do that|correct|right|sure|ok(?:ay)?|go ahead|replace it|ja|jawohl|ja bitte|genau|mach das)[\s!.]*$/i;
const NO = /^(?:no|nope|no thanks|don(?:'|’)?t|leave it|nein|nein danke|lass es)[\s!.]*$/i;
const KNOWS =
	/^what (?:do|did) you (?:know|remember|recall)(?: about)?\s*(.*?)[\s?.!]*$|^what have i told you(?: about)?\s*(.*?)[\s?.!]*$|^do you (?:know|remember|recall)(?: anything| what i said)?(?: about)?\s+(.+?)[\s?.!]*$|^was (?:weißt|weisst) du(?: noch| alles)*(?: über| von| zu)?\s*(.*?)[\s?.!]*$|^(?:tell me|show me) (?:everything|all|what) you (?:know|remember)(?: about)?\s*(.*?)[\s?.!]*$/i;
/** “No, it's …”, “Actually, my dentist is …”, “That's wrong: …”. */
const CORRECTION =
	/^(?:no|nope|nein|wrong|falsch|actually|eigentlich|correction|korrektur|that(?:'|’)?s (?:wrong|not right|not true|out of date)|das stimmt nicht)\s*[,:;.!–-]+\s*(?:it was |actually )?(?<rest>\S.*)$/isu;
const SHORT_CORRECTION =
	/^(?:it(?:'|’)?s|it is|they are|they(?:'|’)?re|es ist|das ist|er ist|sie ist)\s+(?:now |jetzt )?(?<value>\S.*?)[\s.!]*$/isu;
/** What a question about a day may hold when it means all of it. */
const DAY_WORDS =
	/(?<!\p{L})(?:what|was|which|did|have|had|i|we|you|me|us|do|does|say|said|write|wrote|written|note|noted|notes|happen|happened|tell|told|going|went|on|about|remember|know|is|there|it|anything|something|show|list|all|of|from|my|our|the|that|day|habe|hab|haben|ich|wir|du|dir|gesagt|getan|gemacht|geschrieben|notiert|passiert|war|los|gab|es|am|an|mir|erzählt)(?!\p{L})/giu;
const ASKS_OF_DAY = /^(?:what|was|show|list|which|did|tell|anything)\b/i;
const DAY =
	'(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|days?|mornings?|evenings?|afternoons?|nights?|noons?|hours?|weeks?|months?|years?|quarters?|minutes?';
const SCHEDULE = new RegExp(
	`^(?:every|each)\\s+(?:other\\s+|second\\s+|\\d+\\s+|first\\s+|last\\s+)?(?:${DAY})\\b|^(?:daily|weekly|monthly|hourly)\\b|^remind me\\b|^schedule\\b|^(?:wake|ping|nudge|alert|notify) me\\b.*\\b(?:at|in|on|when|every|tomorrow)\\b|^(?:tomorrow|tonight|on (?:${DAY})|at \\d{1,2}(?::\\d\\d)?(?: ?[ap]m)?)\\b.*\\b(?:remind|check|send|summari[sz]e|tell|look|read|fetch)\\b|\\b(?:every|each) (?:${DAY})(?: at \\d|,? (?:check|send|summari[sz]e|tell|look|read|fetch|remind))`,
	'i',
);
/** To begin or see one; a workflow that is merely told of is a statement as any other. */
const WORKFLOW =
	/^(?:start|begin|run|launch|trigger|stop|cancel|show|list|open|continue|resume|retry|(?:i (?:want|would like|(?:'|’)?d like) to|how (?:do|can) i|where (?:do|can) i) (?:start|begin|run|find|see|stop))\b.{0,100}\bworkflows?\b|^(?:which|what) workflows\b|^workflows?[\s?!.]*$|^(?:starte?|beginne?|zeige?|stoppe?)(?!\p{L}).{0,100}(?<!\p{L})workflows?(?!\p{L})/iu;
const SEARCH =
	/^(?:\/?(?:search|find|look up|look for|lookup|grep)|search for|where did (?:i|we|you) (?:say|write|mention|talk about|discuss)|when did (?:i|we|you) (?:say|write|mention|talk about|discuss))(?=$|[\s:“"'])[\s:]*(.*)$/i;
const SEARCH_FILLER =
	/^(?:(?:in|through|all|my|our|the|old|earlier|past|previous|other|chats?|conversations?|messages?|history|sessions?|everything|anything|what i said|something)\s+)*(?:for|about|on)\s+(?=\S)|^for\s+(?=\S)/i;
const TIME =
	/^(?:what(?:'|’)?s|what is|tell me|do you know|what)\s+(?:the\s+)?(?:current\s+)?time(?: is it)?(?: now| right now)?[\s?.!]*$|^(?:the )?time\??$/i;
const DATE =
	/^(?:what(?:'|’)?s|what is|tell me|what)\s+(?:the\s+)?(?:(?:current|today(?:'|’)s)\s+)?(?:date|day|day of the week|weekday|week day)(?: is it)?(?: today| now)?(?: of the week)?(?: is it)?(?: today)?[\s?.!]*$|^(?:the )?(?:date|today)\??$|^what day is (?:it|today)\??$/i;
const COUNT = /\b(?:how many|count(?: the| all)?(?: number of)?|number of) (?:the )?(?:words|characters|letters|lines)\b|\bword count\b/i;
const NEEDS_MODEL =
	/^(write|translate|summari[sz]e|sum up|explain|draft|compose|generate|brainstorm|rewrite|rephrase|paraphrase|improve|correct|proofread|edit|code|program|implement|analy[sz]e|compare|suggest|recommend|invent|imagine|plan|describe|create|design|review|tl;?dr)\b/i;
const QUESTION_MARK = /[?？؟;]\s*["”»)]?\s*$|¿/u;
const QUESTION_START =
	/^(?:who|whom|whose|what|when|where|why|which|how|is|are|am|was|were|do|does|did|can|could|will|would|should|shall|has|have|had|may|might|tell me|show me|quote|give me|list|wer|was|wann|wo|warum|wie|welche[rsnm]?|qui|que|quoi|quand|où|pourquoi|comment|quel(?:le)?s?|qué|cuándo|dónde|quién|cómo)\b/iu;
/** A question after what leads up to it: “Rosa comes tonight, what is she allergic to”, or before what follows: “Who has the key? I need it.” */
const QUESTION_WITHIN =
	/[?？]\s|[,.:;!–—-]\s+(?:(?:who|whom|whose|what|when|where|why|which|how)(?:['’](?:s|re|d)|(?!\s+(?:i|we|he|she|they|it|you|this|that|the)\b)(?:\s+\p{L}+)?\s+(?:is|are|am|was|were|do|does|did|can|could|should|will|would|has|have|had))|(?:wer|was|wann|wo|wie|warum|welche[rnsm]?)\s+(?:\p{L}+\s+)?(?:ist|sind|war|hat|haben|habe|kann|darf|soll|muss))(?!\p{L})/iu;
const ASKS_FIRST =
	/^(?:who|whom|whose|what|when|where|why|how)(?: on earth| the hell)?(?:['’](?:s|re)|\s+(?:is|are|was|were|do|does|did|can|could|should|will|has|have))(?!\p{L})/iu;
/** Words after a question that leave it one. */
const MOST_AFTER = 3;
/** Said by someone who wants to be told. */
const MISSES =
	/^(?:(?:i|we)(?:['’]ve| have)? forgot(?:ten)?|(?:i|we) (?:can(?:['’]?t|not)|don(?:['’]?)t|do not) (?:remember|recall|know|find)|(?:i|we)(?:['’]?m|['’]?re| am| are) (?:looking for|trying to find|not sure)|(?:ich|wir) (?:suchen?|finden?|weiß|wissen|hab(?:e|en)? .{0,80}vergessen))(?!\p{L})/iu;

const PHRASE_LENGTH = 500;
const QUESTION_END = 12;

export function intentOf(text: string, now: number): Intent {
	// Phrases stand at the start: the rest of a long text is not worth a search through all patterns.
	const whole = cutCodePoints(text.trim(), PHRASE_LENGTH);
	if (GREETING.test(whole)) return { kind: 'greeting' };
	if (THANKS.test(whole)) return { kind: 'thanks' };
	if (HELP.test(whole)) return { kind: 'help' };
	const said = whole.replace(POLITE, '').trim() || whole;
	if (HELP.test(said)) return { kind: 'help' };
	// “Remember when …?” asks; “Can you remember …?” asks politely.
	if (YES.test(whole)) return { kind: 'yes' };
	if (NO.test(whole)) return { kind: 'no' };
	if (UNDO.test(said)) return { kind: 'undo' };
	const before = saidBefore(text);
	if (before) return before;
	if (REMEMBER.test(said) && (said !== whole || !QUESTION_MARK.test(withoutNod(text.trim()))))
		return { kind: 'remember', text: rest(text, REMEMBER, REMEMBER_FILLER) };
	const forgotten = FORGET_FROM_MEMORY.exec(said)?.groups?.subject;
	if (forgotten !== undefined) return { kind: 'forget', subject: forgotten.replace(FORGET_FILLER, '').trim() };
	if (FORGET.test(said)) return { kind: 'forget', subject: rest(text, FORGET, FORGET_FILLER) };
	if (SCHEDULE.test(said) || isForLater(said, now)) return { kind: 'schedule' };
	if (WORKFLOW.test(said)) return { kind: 'workflow' };
	if (TIME.test(said)) return { kind: 'now', what: 'time' };
	if (DATE.test(said)) return { kind: 'now', what: 'date' };
	if (COUNT.test(said)) return { kind: 'count' };
	if (WHO.test(said)) return { kind: 'who_are_you' };
	const findings = findingsQuestion(said);
	if (findings) return { kind: 'findings', ...findings };
	const knows = KNOWS.exec(said);
	if (knows) return { kind: 'knows_about', subject: (knows.slice(1).find((subject) => subject !== undefined) ?? '').trim() };
	const onDay = dayQuestion(said, now);
	if (onDay) return onDay;
	const correction = correctionOf(said);
	if (correction) return correction;
	const search = SEARCH.exec(said);
	if (search) return { kind: 'search', query: searchQuery(search[1] ?? '') };
	if (CONNECT.test(said) && said.length < 200) return { kind: 'connect' };
	const verb = NEEDS_MODEL.exec(said)?.[1];
	if (verb) return { kind: 'needs_model', verb: verb.toLowerCase() };
	const asks = isQuestion(text) || QUESTION_START.test(said) || QUESTION_WITHIN.test(whole) || MISSES.test(said);
	return { kind: asks ? 'question' : 'statement' };
}

/** It plainly asks, so that it can't be an answer to anything. A word or two may follow: “What's its name again? The blue one.” */
export function isQuestion(text: string): boolean {
	const whole = text.trim();
	if (QUESTION_MARK.test(whole.slice(-QUESTION_END))) return true;
	const said = cutCodePoints(whole, PHRASE_LENGTH).replace(POLITE, '');
	if (said.length >= PHRASE_LENGTH || !ASKS_FIRST.test(said)) return false;
	const after = said
		.split(/[?？.!\n]\s*/u)
		.slice(1)
		.join(' ');
	return (after.match(/[\p{L}\p{N}]+/gu) ?? []).length <= MOST_AFTER;
}

/** Only the end is looked at: a long text is not worth a search. */
function withoutNod(text: string): string {
	return text.slice(0, -NOD_LENGTH) + text.slice(-NOD_LENGTH).replace(NOD, '');
}

/** A text that ends by asking to remember what it said until then; where it said nothing, what the message before it said. */
function saidBefore(text: string): Intent | undefined {
	const whole = withoutNod(text.trim());
	const tail = REMEMBER_BEFORE.exec(whole.slice(-REMEMBER_BEFORE_LENGTH));
	if (!tail || (tail.groups?.mark !== '' && tail.groups?.asks === undefined)) return undefined;
	const [found] = tail;
	const until = /^[.!?…]/u.test(found) ? found.slice(0, 1) : '';
	const said = (whole.slice(0, whole.length - found.length) + until).trim().replace(POLITE, '').trim();
	if (said === '') return { kind: 'remember', text: '', isBefore: true };
	if (isQuestion(said) || MISSES.test(said)) return undefined;
	return { kind: 'remember', text: REMEMBER.test(said) ? rest(said, REMEMBER, REMEMBER_FILLER) : said };
}

/** What follows a phrase at the start of a text, whole, without the words between. */
function rest(text: string, phrase: RegExp, filler: RegExp): string {
	const said = text.trim().replace(POLITE, '').trim() || text.trim();
	return withoutNod(said.replace(phrase, '').replace(filler, ''))
		.replace(/\s+please[.!]*$/i, '')
		.trim();
}

/** “What did I say on 3 May?” and the like. */
function dayQuestion(said: string, now: number): Intent | undefined {
	if (!ASKS_OF_DAY.test(said)) return undefined;
	const named = dayIn(said, now);
	if (!named) return undefined;
	const about = named.rest
		.replace(DAY_WORDS, ' ')
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();
	// “What is on today?” may be about plans that are noted elsewhere; “What did I …” is about that day.
	if (about !== '' && !/\b(?:did|have|had|was|were|habe|haben|hatte|hatten|war)\b/i.test(said)) return undefined;
	return { kind: 'on_day', day: named.day, about };
}

/** “No, it’s …”, “my dentist is now …”. */
function correctionOf(said: string): Intent | undefined {
	if (QUESTION_MARK.test(said)) return undefined;
	const after = CORRECTION.exec(said)?.groups?.rest;
	const value = after === undefined ? undefined : SHORT_CORRECTION.exec(after)?.groups?.value;
	if (value !== undefined) return { kind: 'correction', sentence: '', value };
	const fact = factOf(after ?? said);
	return fact && (after !== undefined || fact.isChange) ? { kind: 'correction', sentence: sentenceOf(fact), value: fact.value } : undefined;
}

/** What to look for, without the words around it and without quotes. */
function searchQuery(rest: string): string {
	return rest
		.replace(SEARCH_FILLER, '')
		.replace(/\s+in (?:my|our|all|the) (?:old |earlier |past |other )?(?:chats?|conversations?|messages?|history)[\s?.!]*$/i, '')
		.replace(/[?.!\s]+$/, '')
		.replace(/^["“'‘«](.*)["”'’»]$/, '$1')
		.trim();
}
