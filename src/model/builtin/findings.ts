/** Whether the owner asks for what background work found: the inbox is where that is answered, and never a chat (B1). */

const OF_IT =
	'(?: (?:anything|something|out|new|interesting|lately|recently|so far|today|overnight|for me|in the background|since (?:then|yesterday)|while i was (?:away|gone|out)))*';
const WHO = '(?:you|hearth|heartbeat|(?:the )?background work)';
const FIND = '(?:find|found|discover(?:ed)?|notice[d]?|turn(?:ed)? up|come across)';
const ABOUT = String.raw`(?: (?:about|on|regarding|concerning|of) (?<about>\S.*?))?`;
const SHOW = '(?:open|show(?: me)?|see|let me see|go to|take me to|bring up|check|list|read(?: me)?|tell me(?: about)?)';
const WHICH = '(?:any|the|my|your|all|new|pending|open|how many|which|what|more)';

const WAYS = [
	`(?:what (?:did|have|has)|did|have|has) ${WHO}(?: (?:just|already|ever))? ${FIND}${OF_IT}${ABOUT}`,
	`what ${WHO} ${FIND}${OF_IT}`,
	`(?:is there |have you got |do you have |got )?(?:any|anything|something|what(?:['’]?s| is)) (?:new|news)(?: (?:for me|today|lately|in (?:the|my) (?:inbox|feeds?|sources?)))*`,
	`(?:(?:are|is) there |do you have |have you got |${SHOW} )?(?:${WHICH} )*findings?(?: (?:are there|are waiting|do you have|wait(?:ing)?|for me|today))*`,
	`(?:${SHOW} )?(?:(?:the|my) )?inbox`,
	`what(?:['’]?s| is| waits| do i have)(?: waiting)? in (?:the|my) inbox`,
	'was hast du (?:gefunden|entdeckt|bemerkt)',
	'(?:gibt es |hast du )?(?:et)?was neues(?: für mich)?',
	'(?:gibt es )?(?:neue |irgendwelche )?funde',
	'(?:öffne|zeig(?:e)?)(?: mir)? (?:(?:den|die|meinen) )?(?:posteingang|eingang|inbox|funde)',
].map((way) => new RegExp(`^${way}(?:,? (?:please|bitte|now|again))*[\\s?!.]*$`, 'iu'));

/** `about`: of what, where it was said. Undefined where something else is meant. */
export function findingsQuestion(said: string): { about: string } | undefined {
	for (const way of WAYS) {
		const found = way.exec(said);
		if (found) return { about: found.groups?.about?.replace(/[\s?!.]+$/, '') ?? '' };
	}
	return undefined;
}
