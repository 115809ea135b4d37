/** What the responder says: plain, short, and honest that it is no AI and about what was saved and what was not. */

export const OWN_NAME = 'Built-in responder (no AI)';

const CONNECT_SHORT = 'For real answers, connect a model in **Settings → Models**.';

export const CONNECT = `To talk with an AI, open **Settings → Models** and pick one of these:

- **Ollama** (free, on this machine): install it from ollama.com, then run \`ollama pull\` with a model's name in a terminal. Hearth finds it by itself.
- **LM Studio** (free, on this machine): download a model there and start its local server. Hearth finds it by itself.
- **OpenAI, Anthropic or another service**: paste your key. It is kept in your system's keychain where there is one, never in a file of Hearth's settings.

A model is only chosen after it has really answered once. I stay here as the one that always works.`;

export const GREETING = `Hello! I'm Hearth's built-in responder: a small program without any AI. I work offline, without an account.

I remember what you tell me to, answer from memory, this chat and your attachments by quoting, search your other chats, work out sums and tell the time. Type **help** for examples.

${CONNECT_SHORT}`;

export const GREETING_AGAIN = 'Hello again. Ask me about this chat, or type **help** for what I can do.';

export const THANKS = "You're welcome.";

export const HELP = `I'm the built-in responder: no AI, just a program that looks things up. This works now:

- **remember** *something*: I write it to your memory, in MEMORY.md. “remember that the boiler is serviced in October”.
- **Ask**: “When is the boiler serviced?” I answer from memory, this chat or an attachment by quoting, and say where.
- **what do you know about** *something*, **what did I do on 3 May**, **what did I note yesterday**
- **forget** *something*: I ask you in the Inbox, and your yes there removes it for good.
- **My dentist is now Dr. Jones**: I offer to replace what I know.
- **search** *words*: looks through all your chats. “search boiler”, “find the Lisbon flight”.
- **every weekday at 9** *do something*, **on the 1st remind me** *of something*, **when a PDF lands in ~/Scans** *do something*: I ask back where that may mean two things, and show you a card before anything is scheduled. Without a model I can only remind you, run workflows and do what I can here.
- **Sums**, **time and date**, **counting**: “15% of 80”, “what day is it?”, “how many words?” for an attachment.


${CONNECT_SHORT}`;

export const WHO = `I'm Hearth's built-in responder: a small program with fixed rules, not an AI. I don't understand or invent anything. I find passages in your memory and your chats and quote them word for word, so that Hearth is useful without a model and without a network.

${CONNECT_SHORT}`;

export const MEMORY_OFF =
	'I can’t reach your memory here, because tools are left out of this chat’s prompt. **Nothing was saved and nothing was removed.**';

export const REMEMBER_WHAT = 'What shall I remember? For example: **remember that the boiler is serviced in October**.';
export const SAVED = 'I wrote this to your memory:';
export const UNDO = 'You can change or undo it in **Memory**.';
export const UNDO_SAVED =
	'I can’t undo anything myself. **Nothing was changed just now.** Under my reply that wrote it there is an **Undo**; **Memory** has one too, in the history of the entry.';
export const UNDO_WAITING = 'Nothing of that was done yet, so there is nothing to undo: reject it in the **Inbox**, and it stays undone.';
export const UNDO_NOTHING =
	'I wrote nothing to your memory in this chat that could be undone. **Nothing was changed.** **Memory** shows every change, and takes back the one that you choose.';
export const KNOWN_ALREADY = 'That is in your memory already, so I wrote nothing:';
export function saveWaits(why: string): string {
	return `**This is not saved yet.** It waits for you in the **Inbox**. ${why}`.trim();
}
export function saveFailed(why: string): string {
	return `**That could not be saved.** ${why}`;
}

export const FORGET_WHAT =
	'What shall I forget? Name one thing, for example: **forget my old address**. I forget entry by entry; **Memory** shows all of them.';
export const FORGET_WAITS =
	'**Nothing is forgotten yet.** I can’t forget by myself: it waits for your yes in the **Inbox**, which removes it for good:';
export const FORGET_WHICH =
	'Several things fit, so I asked for none of them to be forgotten. Say **forget** with the words of the one you mean:';
export function nothingToForget(subject: string): string {
	return `Nothing in your memory fits “${subject}”, so there is nothing to forget.`;
}
export function forgetFailed(why: string): string {
	return `**Nothing was forgotten.** ${why}`;
}

export const OFFER = 'Your memory says something else:';
export const OFFER_INSTEAD = 'Shall it say this from now on? The old entry stays as what was true until now.';
export const OFFER_END = 'Answer **yes** and I write it; **no** leaves everything as it is.';
export const OFFER_DECLINED = 'I left everything as it is. Nothing was changed.';
export const OFFER_STALE = 'That entry is no longer as I showed it. **Nothing was changed.** Say once more what is so now.';
export const CORRECT_HOW =
	'I can’t tell which entry you mean. **Nothing was changed.** Say it in full, for example: **My dentist is now Dr. Jones**.';
export function nothingToCorrect(sentence: string): string {
	return `I know nothing that this changes, and I saved nothing. To have it remembered, write: **remember that** ${sentence}`;
}

export function foundInMemory(count: number): string {
	return count === 1 ? 'From your memory:' : 'From your memory, best first:';
}
export const NEAREST = 'I can’t tell for sure what answers it. Nearest in your memory:';
export const ONLY_PAST = 'In your memory I found only what is no longer true:';
export const DISAGREE = 'Your memory holds two entries about this that do not agree:';
export function knownOf(subject: string | undefined, count: number): string {
	const entries = count === 1 ? 'one entry' : `${count} entries`;
	return subject === undefined ? `Your long-term memory holds ${entries}:` : `Your memory holds ${entries} about “${subject}”:`;
}
export const EMPTY_MEMORY = 'Your memory is empty so far. To have something remembered, write: **remember that** ….';
export function onDay(day: string, count: number): string {
	return `${count === 1 ? 'One thing was' : `${count} things were`} noted on ${day}:`;
}
export function nothingOnDay(day: string, subject: string): string {
	return subject === ''
		? `Nothing is noted in your memory for ${day}.`
		: `Nothing noted on ${day} fits “${subject}”. Ask **what did I note on ${day}** to see all of that day.`;
}
export function moreOf(count: number): string[] {
	return count > 0 ? [`And ${count} more. **Memory** shows them all.`] : [];
}

export const SCHEDULE = `I can't do things at set times here: the tool for it is left out. **Nothing was scheduled, so please don't rely on it.**`;

/** `said`: the words of the call that made it. */
export function scheduled(said: string): string {
	return `**Scheduled.** ${said.replace(/^Scheduled\. /, '').replace(/The owner sees it under Tasks\.$/, 'You see it under **Tasks**.')}`;
}

export function reminded(said: string): string {
	return `**Set.** ${said.replace(/^The owner will be/, 'You will be')}`;
}

export function notScheduled(why: string, action?: string): string {
	return `**Nothing was scheduled.** ${why.replace(/ ?Nothing was scheduled\./, '')}${action === undefined ? '' : ` ${action}`}`;
}

export function whichOne(question: string, choices: readonly string[]): string {
	return `**Nothing was scheduled yet.** ${question}\n\n${choices.map((choice) => `- ${choice}`).join('\n')}\n\nSay the whole sentence again, as you mean it.`;
}

export const WORKFLOW =
	"I can't do that from a chat. Workflows are under **Timeline → Workflows**: their files are listed there, such as **onboarding**, which needs no model. Choose one and press **Start…**; what was started is seen, answered and stopped there, too.";

/** `said`: the words of the call that opened it: they hold the number, and nothing of a finding. */
export function inboxOpened(said: string): string {
	const waiting = said.replace('The inbox was opened. ', '');
	return `I opened the **Inbox** for you. ${waiting} What you approve there becomes memory, and I answer from it. At a terminal: \`hearth findings list\`.`;
}
export const INBOX_ELSEWHERE =
	'What background work found waits in the **Inbox**. I can’t read it, and I can’t open the Inbox from here. What you approve there becomes memory, and I answer from it.';

export const SEARCH_WHAT = 'What shall I look for? For example: **search boiler**.';

export const SEARCH_OFF = "I can't look through your other chats here, because tools are left out of this chat's prompt.";

export const NOTED = `I can't chat about that: I'm a program without AI. It stays in this chat, and I can find it again when you ask.

${CONNECT_SHORT} Type **help** for what I can do.`;

export const NOTED_AGAIN = 'It stays in this chat. Ask a question about it, or type **help**.';

export const EMPTY = 'That message is empty. Type **help** for what I can do.';

export const NO_IMAGES = "I can't see images. A model that sees can: look in **Settings → Models**.";

export function foundHere(count: number): string {
	return count === 1 ? 'I found this passage that fits:' : `I found ${count} passages that fit:`;
}

/** `requests`: passages beside these in which the owner only asked for them. */
export function foundInChats(count: number, query: string, requests: number): string {
	const beside = requests === 0 ? '' : `, besides ${requests === 1 ? 'a request' : `${requests} requests`} to look for it`;
	return count === 1 ? `One passage in your chats holds “${query}”${beside}:` : `${count} passages in your chats hold “${query}”${beside}:`;
}

export function nothingHere(searched: readonly string[]): string {
	const [first] = searched;
	const where =
		first === undefined
			? 'in your memory and in this chat'
			: `in your memory and in this chat, and nothing in your other chats for “${searched.join('” or “')}”`;
	return `I found nothing that fits ${where}. I can only quote what is written there; I don't know anything else.

${CONNECT_SHORT}`;
}

export function nothingInChats(query: string): string {
	return `Nothing in your chats holds “${query}”. I look for the words as they are: try fewer, or other ones.`;
}

export function searchFailed(query: string): string {
	return `The search for “${query}” failed. Try again.`;
}

export function needsModel(verb: string): string {
	return `I can't ${verb === 'tldr' || verb === 'tl;dr' ? 'summarise' : verb} anything: that needs an AI, and I'm a program without one.`;
}

export const CONNECT_HINT = CONNECT_SHORT;

const OWN_STARTS = [
	"Hello! I'm Hearth's built-in responder",
	'Hello again. Ask me about this chat',
	"You're welcome.",
	"I'm the built-in responder",
	"I'm Hearth's built-in responder",
	'I can’t reach your memory here',
	'What shall I remember?',
	'I wrote this to your memory:',
	'I can’t undo anything myself.',
	'Nothing of that was done yet',
	'I wrote nothing to your memory in this chat',
	'That is in your memory already',
	'**This is not saved yet.**',
	'**That could not be saved.**',
	'What shall I forget?',
	'**Nothing is forgotten yet.**',
	'**Nothing was forgotten.**',
	'Several things fit, so I asked',
	'Nothing in your memory fits “',
	'Your memory says something else:',
	'I left everything as it is.',
	'That entry is no longer as I showed it.',
	'I can’t tell which entry you mean.',
	'I know nothing that this changes',
	'From your memory',
	'In your memory I found only',
	'I can’t tell for sure that this answers it',
	'Your memory holds ',
	'Your long-term memory holds ',
	'Your memory is empty so far.',
	'Nothing is noted in your memory for ',
	'Nothing noted on ',
	"I can't do things at set times",
	'**Scheduled.**',
	'**Set.**',
	'**Nothing was scheduled.**',
	'**Nothing was scheduled yet.**',
	"I can't do that from a chat.",
	"I can't chat about that",
	"I can't look through your other chats",
	"I can't read for meaning",
	"I can't see images.",
	'One passage in your chats holds “',
	'Nothing in your chats holds “',
	'To talk with an AI, open',
	'I opened the **Inbox** for you.',
	'What background work found waits in the **Inbox**.',
	'What shall I look for?',
	'It stays in this chat.',
	'That message is empty.',
	'I found nothing that fits in ',
	'The search for “',
];
const OWN_PATTERNS = [
	/^(?:One thing was|\d+ things were) noted on /,
	/^\d+ passages in your chats hold “/,
	/^I found (?:this passage that fits|\d+ passages that fit):/,
	/^I can't \S+ anything: that needs an AI/,
	/^\S.* = \*\*[^*]+\*\*$/,
	/^It is (?:\p{L}+ at |\p{L}+,? )?\d.{0,60}\.$/u,
	/^“.*”: [\d,]+ words?, [\d,]+ characters?, [\d,]+ lines?\.$/m,
];

/** Whether a reply is the responder's own: it must not quote its own quotes. */
export function isOwnReply(text: string): boolean {
	const start = text.trimStart();
	return OWN_STARTS.some((own) => start.startsWith(own)) || OWN_PATTERNS.some((own) => own.test(start));
}
