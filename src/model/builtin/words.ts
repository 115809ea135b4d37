/** What the responder says: plain, short, and honest that it is no AI and that nothing was saved. */

export const OWN_NAME = 'Built-in responder (no AI)';

const CONNECT_SHORT = 'For real answers, connect a model in **Settings → Models**.';

export const CONNECT = `To talk with an AI, open **Settings → Models** and pick one of these:

- **Ollama** (free, on this machine): install it from ollama.com, then run \`ollama pull\` with a model's name in a terminal. Hearth finds it by itself.
- **LM Studio** (free, on this machine): download a model there and start its local server. Hearth finds it by itself.
- **OpenAI, Anthropic or another service**: paste your key. It is kept in your system's keychain where there is one, never in a file of Hearth's settings.

A model is only chosen after it has really answered once. I stay here as the one that always works.`;

export const GREETING = `Hello! I'm Hearth's built-in responder: a small program without any AI. I work offline, without an account.

I can quote what was said in this chat and in your attachments, search your other chats, work out sums and tell the time. Type **help** for examples.

${CONNECT_SHORT}`;

export const GREETING_AGAIN = 'Hello again. Ask me about this chat, or type **help** for what I can do.';

export const THANKS = "You're welcome.";

export const HELP = `I'm the built-in responder: no AI, just a program that looks things up. This works now:

- **Ask about this chat or an attachment**: “When is the boiler serviced?” I answer with the passages that fit, and say where they are.
- **search** *words*: looks through all your chats. “search boiler”, “find the Lisbon flight”.
- **Sums**: “12 * 7 + 3”, “15% of 80”.
- **Time and date**: “what time is it?”, “what day is it?”
- **Counting**: “how many words?” for an attachment.

These come with a later version, and I'll say so when you try them: **remember** …, **forget** …, **every weekday at 9** ….

${CONNECT_SHORT}`;

export const WHO = `I'm Hearth's built-in responder: a small program with fixed rules, not an AI. I don't understand or invent anything. I find passages in your chats and quote them word for word, so that Hearth is useful without a model and without a network.

${CONNECT_SHORT}`;

export const REMEMBER = `I can't remember that: *remember* comes with a later version of Hearth. **Nothing was saved to a memory.**

What you wrote stays in this chat, though, and **search** finds it again from any chat.`;

export const FORGET = `I can't forget things on request: *forget* comes with a later version of Hearth. **Nothing was removed.**

There is no memory yet that could hold it. A whole chat can be deleted from the list on the left.`;

export const SCHEDULE = `I can't do things at set times: schedules and reminders come with a later version of Hearth. **Nothing was scheduled, so please don't rely on it.**`;

export const NO_MEMORY =
	'I have no memory of you: that comes with a later version of Hearth. I can only look at what is written in your chats.';

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
	const where = first === undefined ? 'in this chat' : `in this chat, and nothing in your other chats for “${searched.join('” or “')}”`;
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
	"I can't remember that: *remember*",
	"I can't forget things on request",
	"I can't do things at set times",
	"I can't chat about that",
	"I can't look through your other chats",
	"I can't read for meaning",
	"I can't see images.",
	'I have no memory of you',
	'One passage in your chats holds “',
	'Nothing in your chats holds “',
	'To talk with an AI, open',
	'What shall I look for?',
	'It stays in this chat.',
	'That message is empty.',
	'I found nothing that fits in this chat',
	'The search for “',
];
const OWN_PATTERNS = [
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
