import type { Conversation } from './conversation.ts';
import { quote } from './passages.ts';
import { foundInChats, isOwnReply } from './words.ts';

interface Hit {
	title: string;
	who: string;
	day: string;
	text: string;
}

const MOST_SHOWN = 5;
const HEAD = /^\d+\. “(.*)” · (owner|agent|title) · (\d{4}-\d{2}-\d{2})$/;

/** A search of the chats as quotes; undefined where it gave nothing worth showing. */
export function presentSearch(search: Conversation['searches'][number], question: string): string | undefined {
	if (search.isError) return undefined;
	const all = readHits(search.text).filter((hit) => !isEcho(hit, question));
	const hits = all.filter((hit) => !all.some((other) => isTitleOf(hit, other)));
	if (hits.length === 0) return undefined;
	const shown = hits.slice(0, MOST_SHOWN).map((hit) => quote({ text: hit.text, place: placeOf(hit) }));
	const more = hits.length > MOST_SHOWN ? [`And ${hits.length - MOST_SHOWN} more. The search at the top of the list shows them all.`] : [];
	return [foundInChats(hits.length, search.query), ...shown, ...more].join('\n\n');
}

/** Reads the passages that `search_chats` gives: a line with number, title, author and day, then the words. */
function readHits(text: string): Hit[] {
	const hits: Hit[] = [];
	for (const line of text.split('\n')) {
		const head = HEAD.exec(line);
		if (head) hits.push({ title: head[1] ?? '', who: head[2] ?? '', day: head[3] ?? '', text: '' });
		else {
			const last = hits.at(-1);
			if (last && line.trim() !== '') last.text = last.text === '' ? line : `${last.text}\n${line}`;
		}
	}
	return hits;
}

/** The owner's own request, which holds the words of course, and the responder's earlier answers to such requests. */
function isEcho(hit: Hit, question: string): boolean {
	const found = plain(hit.text);
	if (hit.who === 'agent') return isOwnReply(hit.text);
	return found === plain(question) || /^(?:search|find|look for|look up)\b/.test(found);
}

/** A chat is named after its first message: its title says nothing that the message doesn't. */
function isTitleOf(title: Hit, hit: Hit): boolean {
	return title.who === 'title' && hit.who !== 'title' && plain(hit.text).startsWith(plain(title.text.replace(/…$/, '')));
}

function plain(text: string): string {
	return text
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]+/gu, ' ')
		.trim();
}

function placeOf({ title, who, day }: Hit): string {
	const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
	const author = who === 'owner' ? 'you' : who === 'agent' ? 'the model' : 'title';
	return `“${title}”, ${author}, ${date}`;
}
