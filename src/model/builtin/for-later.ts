import { readSentence } from '../../schedule/sentence/read.ts';

/** Whether a message asks for something later, beyond the phrases that say so by themselves. */
export function isForLater(said: string, now: number): boolean {
	if (!STARTS.test(said) || said.endsWith('?')) return false;
	const reading = readSentence(said, { now, zone: ownZone() });
	return reading.kind !== 'unclear';
}

const DEEDS =
	'remind|check|send|summari[sz]e|tell me|look|read|fetch|list|write|run|start|show|give|search|find|make|prepare|open|file|sort|move|back up|notify|ask|update|export|describe';
/** A clause that waits for something; a time with something to do after it: “on Friday I met Anna” has nothing. */
const STARTS = new RegExp(
	String.raw`^(?:when(?:ever)?\s|if\s|as soon as\s|each time\s|every time\s|at start|on start|set (?:up )?(?:me )?a reminder|(?:on|in|at|from|between|starting|next|this|tomorrow|tonight|today|twice|once|the|last|first|fortnightly|quarterly|yearly|annually|${'mon|tues|wednes|thurs|fri|satur|sun'}days?)\b.{0,160}?(?:^|[\s,:])(?:${DEEDS})\b)`,
	'iu',
);

export function ownZone(): string {
	return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
