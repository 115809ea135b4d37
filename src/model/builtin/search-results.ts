import type { Conversation } from './conversation.ts';
import { isQuestion } from './intent.ts';
import { quote } from './passages.ts';
import { bareWords } from './tokens.ts';
import { foundInChats, isOwnReply, OWN_NAME } from './words.ts';

interface Hit {
	title: string;
	who: string;
	/** Name of the model, of an agent's passage. */
	model: string | undefined;
	day: string;
	text: string;
}

const MOST_SHOWN = 5;
const HEAD = /^\d+\. “(.*)” · (owner|agent|title)(?: \((.*)\))? · (\d{4}-\d{2}-\d{2})$/;

/**
 * A search of the chats as quotes, the owner's own words first where `ownFirst`, without the owner's questions where only `answers` are
 * wanted; undefined where it gave nothing worth showing.
 */
export function presentSearch(
	search: Pick<Conversation['searches'][number], 'query' | 'text' | 'isError'>,
	question: string,
	{ ownFirst = false, answers = false } = {},
): string | undefined {
	if (search.isError) return undefined;
	const found = readHits(search.text);
	const hits = found.filter((hit) => !isEcho(hit, question) && !(answers && hit.who !== 'agent' && isQuestion(hit.text)));
	if (hits.length === 0) return undefined;
	if (ownFirst) hits.sort((a, b) => Number(b.who === 'owner') - Number(a.who === 'owner'));
	const shown = hits.slice(0, MOST_SHOWN).map((hit) => quote({ text: hit.text, place: placeOf(hit) }));
	const more = hits.length > MOST_SHOWN ? [`And ${hits.length - MOST_SHOWN} more. The search at the top of the list shows them all.`] : [];
	return [foundInChats(hits.length, search.query, found.length - hits.length), ...shown, ...more].join('\n\n');
}

/** Reads the passages that `search_chats` gives: a line with number, title, author and day, then the words. */
function readHits(text: string): Hit[] {
	const hits: Hit[] = [];
	for (const line of text.split('\n')) {
		const head = HEAD.exec(line);
		if (head) hits.push({ title: head[1] ?? '', who: head[2] ?? '', model: head[3], day: head[4] ?? '', text: '' });
		else {
			const last = hits.at(-1);
			if (last && line.trim() !== '') last.text = last.text === '' ? line : `${last.text}\n${line}`;
		}
	}
	return hits;
}

/** The owner's own request, which holds the words of course, and the responder's earlier answers to such requests. */
function isEcho(hit: Hit, question: string): boolean {
	const found = bareWords(hit.text);
	if (hit.who === 'agent') return hit.model === undefined ? isOwnReply(hit.text) : hit.model === OWN_NAME;
	return found === bareWords(question) || /^(?:search|find|look for|look up)\b/.test(found);
}

function placeOf({ title, who, model, day }: Hit): string {
	const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));
	const author = who === 'owner' ? 'you' : who === 'agent' ? (model ?? 'the model') : 'title';
	return `“${title}”, ${author}, ${date}`;
}
