import type { KeptItem, KeptKind } from '../../domain/compaction.ts';
import { joinLabels, type Label } from '../../domain/label.ts';
import { type Message, type MessagePart, messageText } from '../../domain/message.ts';
import { cutCodePoints } from '../../domain/text.ts';
import { innerMarkOf, isListItem, kindOf, LEAVES_OPEN, type Mark, markOf, namesIn } from './cues.ts';
import { linesOf, sentencesOf } from './sentences.ts';

/** What of a conversation has to outlast its summary, word for word: found by rules, without a model. Pure. */

/** Longest item in UTF-16 units: what somebody marked, and what was only recognised. */
const LONGEST_MARKED = 4_000;
const LONGEST = 600;
/** Unmarked items and names of one part: a table of a thousand numbers is no thousand things to remember. */
const MOST_OF_A_PART = 24;
const MOST_NAMES = 16;
/** Results of tools are read no further, in UTF-16 units. */
const READ_OF_A_RESULT = 20_000;

type By = KeptItem['by'];
type Found = Pick<KeptItem, 'kind' | 'text' | 'marked' | 'weak'>;

/** Items of whole messages in their order. `number`: of the first one in its chat. */
export function extractFrom(messages: readonly Message[], number: number): KeptItem[] {
	return messages.flatMap((message, index) => {
		const next = messages[index + 1];
		return extractParts(message, 0, message.parts.length, number + index, whetherOpen(message, next));
	});
}

/** Items of the parts `from` to before `to` of one message. */
export function extractParts(
	message: Message,
	from: number,
	to: number,
	number: number,
	isOpen: (question: string) => boolean = () => true,
): KeptItem[] {
	return message.parts.slice(from, to).flatMap((part, index) => {
		const found = partFindings(part, message.role === 'user' ? 'owner' : 'agent', isOpen);
		return found.map(
			({ by, label, ...item }): KeptItem => ({
				...item,
				by,
				messageId: message.id,
				part: from + index,
				number,
				label: joinLabels(message.label, label),
				at: message.createdAt,
			}),
		);
	});
}

function partFindings(part: MessagePart, writer: By, isOpen: (question: string) => boolean): (Found & { by: By; label: Label })[] {
	switch (part.type) {
		case 'text':
			return findIn(part.text, writer, isOpen).map((found) => ({ ...found, by: writer, label: writer === 'owner' ? 'owner' : 'agent' }));
		case 'attachment':
			// Its name is whoever's who wrote the file.
			return [{ kind: 'name', text: part.attachment.name, marked: false, by: 'owner', label: 'external' }];
		case 'tool': {
			const label = part.label ?? 'agent';
			if (part.tool === 'ask_owner') return answered(part.args, part.status === 'done' ? part.result?.text : undefined, label);
			const names = stringsIn(part.args).flatMap(namesIn).slice(0, MOST_NAMES);
			const given = part.result?.isError === false ? findIn(cutCodePoints(part.result.text, READ_OF_A_RESULT), 'tool', isOpen) : [];
			return [...names.map((text): Found => ({ kind: 'name', text, marked: false })), ...given].map((found) => ({
				...found,
				by: 'tool',
				label,
			}));
		}
		case 'notice':
		case 'memory':
		case 'reasoning':
			return [];
	}
}

/** The owner's word on a question is a decision, whatever words it has; without an answer the question is open. */
function answered(args: unknown, answer: string | undefined, label: Label): (Found & { by: By; label: Label })[] {
	const asked = args !== null && typeof args === 'object' && 'question' in args ? String(args.question) : '';
	const question: Found = { kind: 'question', text: cutCodePoints(asked.trim(), LONGEST_MARKED), marked: true };
	if (answer === undefined || answer.trim() === '') return question.text === '' ? [] : [{ ...question, by: 'agent', label }];
	const decision: Found = { kind: 'decision', text: cutCodePoints(answer.trim(), LONGEST_MARKED), marked: true };
	return [
		...(question.text === '' ? [] : [{ ...question, marked: false, by: 'agent' as const, label }]),
		{ ...decision, by: 'owner', label },
	];
}

function findIn(text: string, by: By, isOpen: (question: string) => boolean): Found[] {
	const marked: Found[] = [];
	const unmarked: Found[] = [];
	const names: Found[] = [];
	const lines = linesOf(text);
	/** What stands below a heading is meant: its list, or the paragraph right below. */
	let below: { mark: Mark; head: string; state: 'empty' | 'list' | 'paragraph' } | undefined;
	const keep = ({ kind, weak }: Mark, whole: string): void => {
		marked.push({ kind, text: cutCodePoints(whole.trim(), LONGEST_MARKED), marked: true, ...(weak && by === 'agent' && { weak }) });
	};
	for (let index = 0; index < lines.length; index += 1) {
		const line = lines[index];
		if (!line) continue;
		if (line.text.trim() === '') {
			if (below?.state === 'paragraph') below = undefined;
			continue;
		}
		// What a tool read marks nothing: the words are those of whoever wrote the page.
		const mark = by === 'tool' ? undefined : markedAt(line.text);
		if (mark?.heading) {
			below = { mark, head: line.text, state: 'empty' };
			continue;
		}
		if (mark) below = undefined;
		else if (below && !belongsBelow(below.state, line.text)) below = undefined;
		if (mark || below) {
			let whole = mark?.text ?? line.text;
			// What stands indented below belongs to it.
			while (isContinued(lines[index + 1]?.text)) whole += `\n${lines[++index]?.text}`;
			if (below) {
				const isFirst = below.state === 'empty';
				const isList = isListItem(line.text);
				// “Decision:” and its words in the next line are one thing.
				keep(below.mark, isFirst && !isList ? `${below.head}\n${whole}` : whole);
				below = { ...below, state: isList ? 'list' : 'paragraph' };
			} else if (mark) keep(mark, whole);
			if (mark?.before) unmarked.push(...recognised(mark.before, by, isOpen));
			continue;
		}
		const found = line.isCode ? [] : recognised(line.text, by, isOpen);
		unmarked.push(...found);
		const rest = found.length === 0 ? [line.text] : sentencesOf(line.text).filter((each) => !found.some((item) => item.text === each));
		names.push(...rest.flatMap(namesIn).map((name): Found => ({ kind: 'name', text: name, marked: false })));
	}
	return [...marked, ...fewest(unmarked), ...distinct(names).slice(0, MOST_NAMES)];
}

function belongsBelow(state: 'empty' | 'list' | 'paragraph', line: string): boolean {
	return state !== 'list' || isListItem(line) || /^\s{2,}\S/.test(line);
}

function isContinued(line: string | undefined): boolean {
	return line !== undefined && /^(?: {2,}|\t)\s*\S/.test(line) && !isListItem(line) && !markOf(line);
}

/** The mark may stand behind other words: then the sentence that it is in and the rest of the line are meant. */
function markedAt(line: string): (Mark & { text: string; before: string }) | undefined {
	const mark = markOf(line);
	if (mark) return { ...mark, text: line, before: '' };
	const inner = /[:：]/.test(line) ? innerMarkOf(line) : undefined;
	if (!inner) return undefined;
	let start = 0;
	let at = 0;
	for (const sentence of sentencesOf(line)) {
		at = line.indexOf(sentence, at);
		if (at > inner.at) break;
		start = at;
		at += sentence.length;
	}
	return { ...inner.mark, text: line.slice(start), before: line.slice(0, start) };
}

function recognised(line: string, by: By, isOpen: (question: string) => boolean): Found[] {
	return sentencesOf(line).flatMap((sentence): Found[] => {
		if (sentence.length > LONGEST) return [];
		const kind = kindOf(sentence, by);
		if (kind === undefined || (kind === 'question' && !isOpen(sentence))) return [];
		return [{ kind, text: sentence, marked: false }];
	});
}

const RANK: readonly KeptKind[] = ['decision', 'commitment', 'question', 'note', 'number', 'name'];

/** The most of a part, those that matter more first, in their order. */
function fewest(found: readonly Found[]): Found[] {
	const unique = distinct(found);
	if (unique.length <= MOST_OF_A_PART) return unique;
	const kept = new Set(unique.toSorted((a, b) => RANK.indexOf(a.kind) - RANK.indexOf(b.kind)).slice(0, MOST_OF_A_PART));
	return unique.filter((item) => kept.has(item));
}

function distinct(found: readonly Found[]): Found[] {
	const seen = new Set<string>();
	return found.filter(({ text }) => !seen.has(text) && seen.add(text));
}

/**
 * Whether nobody answered a question. The owner's is answered by a whole reply that is about it and does not pass; the agent's, by an owner who says
 * something about it, or so briefly that it can be nothing else.
 */
function whetherOpen(message: Message, next: Message | undefined): (question: string) => boolean {
	const answer = next && messageText(next);
	if (!next || answer === undefined || answer.trim() === '') return () => true;
	let said: Set<string> | undefined;
	/** A word of some length in common is enough; a question without any is about whatever follows. */
	const isAbout = (question: string): boolean => {
		const asked = contentWords(question);
		said ??= contentWords(answer);
		return asked.size === 0 || [...asked].some((word) => said?.has(word));
	};
	if (message.role !== 'user') return (question) => answer.length > BRIEF && !isAbout(question);
	const passes = next.status !== 'complete' || LEAVES_OPEN.test(answer);
	return (question) => passes || !isAbout(question);
}

const BRIEF = 60;

/** Stems, roughly: the first letters of the long words. */
function contentWords(text: string): Set<string> {
	return new Set(
		[...text.toLowerCase().matchAll(/\p{L}{4,}|\p{N}{2,}/gu)].map(([word]) => word.slice(0, 6)).filter((word) => !COMMON.has(word)),
	);
}

const COMMON = new Set(
	'what when where which whose there their this that these those with from have will would should could about does your they them then than been were into some also only just like want need please know think wann wie warum welche welch dass eine einen einer eines sind haben werden wird kann könnte sollte nicht auch noch oder aber über unter dieser diese dieses ihre ihnen mein meine unser wenn dann denn mehr sehr bitte'
		.split(' ')
		.map((word) => word.slice(0, 6)),
);

function stringsIn(value: unknown): string[] {
	if (typeof value === 'string') return [cutCodePoints(value, LONGEST)];
	if (Array.isArray(value)) return value.flatMap(stringsIn);
	return value !== null && typeof value === 'object' ? Object.values(value).flatMap(stringsIn) : [];
}
