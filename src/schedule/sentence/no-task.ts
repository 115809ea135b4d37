/** Sentences that speak of times and ask for nothing to be done then: questions, statements, what is to be changed or not to be. */

const QUESTION =
	/^(?:who|whom|whose|what|when|where|why|which|how|is|are|am|was|were|do|does|did|has|have|had|should|shall|may|might|will(?!\s+you)|would(?!\s+you)|can(?!\s+you)|could(?!\s+you))(?![\p{L}])[\s\S]*\?\s*$/iu;
const CHANGE =
	/^(?:please\s+)?(?:(?:cancel|stop|end|delete|remove|pause|resume|skip|postpone|delay|change|edit|move|reschedule|snooze|mute)(?![\p{L}])[\s\S]{0,80}?(?<![\p{L}])(?:tasks?|reminders?|reminding|schedules?|alarms?|telling|sending|checking)(?![\p{L}])|(?:do\s+not|don['’]?t|never|no\s+longer|stop\s+\p{L}+ing)(?![\p{L}]))/iu;
/** Whose deed it is: nobody is told to do anything. */
const SUBJECT = /^(?:i|he|she|they|we|it|you|there|nobody|somebody|everybody)(?:['’](?:m|s|re|ve|d|ll))?\s+(?!to\s)/iu;
const NOUN = /^(?:the|my|our|your|his|her|its|their|this|that|these|those)\s/iu;

export function noTask(text: string): { message: string; action: string } | undefined {
	if (QUESTION.test(text)) return { message: 'That is a question, and names nothing to be done.', action: 'Ask it in a chat.' };
	if (CHANGE.test(text))
		return { message: 'That changes what is scheduled already, which can’t be said in a sentence.', action: 'Open the task under Tasks.' };
	if (/^yesterday(?![\p{L}])/iu.test(text))
		return { message: 'Yesterday is past.', action: 'Name a time to come, as in “tomorrow at 9:00 …”.' };
	const hour = /^at\s+(?<time>(?:2[5-9]|[3-9]\d):\d{2})(?!\d)/iu.exec(text)?.groups?.time;
	if (hour !== undefined) return { message: `No day has a time ${hour}.`, action: 'Name one between 0:00 and 23:59.' };
	return undefined;
}

/** `first`: the sentence begins with it. A noun after the time may still name what is wanted: “every day at 8 the news”. */
export function isStatement(work: string, first: boolean): boolean {
	return SUBJECT.test(work) || (first && NOUN.test(work));
}
