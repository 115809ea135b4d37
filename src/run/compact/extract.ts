import type { KeptItem, KeptKind } from '../../domain/compaction.ts';
import { joinLabels, type Label } from '../../domain/label.ts';
import { type Message, type MessagePart, messageText } from '../../domain/message.ts';
import { cutCodePoints } from '../../domain/text.ts';
import { isListItem, kindOf, LEAVES_OPEN, markOf, namesIn } from './cues.ts';
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
type Found = Pick<KeptItem, 'kind' | 'text' | 'marked'>;

/** Items of whole messages in their order. `number`: of the first one in its chat. */
export function extractFrom(messages: readonly Message[], number: number): KeptItem[] {
	return messages.flatMap((message, index) => {
		const next = messages[index + 1];
		const isOpen = (question: string) => staysOpen(question, message, next);
		return extractParts(message, 0, message.parts.length, number + index, isOpen);
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
	// What a tool read marks nothing: the words are those of whoever wrote the page.
	const lines = linesOf(text);
	let listOf: KeptKind | undefined;
	for (let index = 0; index < lines.length; index += 1) {
		const line = lines[index];
		if (!line || line.text.trim() === '') continue;
		const mark = by === 'tool' ? undefined : markedAt(line.text);
		if (mark?.heading) {
			listOf = mark.kind;
			continue;
		}
		const isListed = listOf !== undefined && (isListItem(line.text) || /^\s{2,}\S/.test(line.text));
		if (!isListed && !mark) listOf = undefined;
		const kind = mark?.kind ?? (isListed ? listOf : undefined);
		if (kind !== undefined) {
			let whole = mark?.text ?? line.text;
			// What stands indented below belongs to it.
			while (isContinued(lines[index + 1]?.text)) whole += `\n${lines[++index]?.text}`;
			marked.push({ kind, text: cutCodePoints(whole.trim(), LONGEST_MARKED), marked: true });
			if (mark?.before) unmarked.push(...recognised(mark.before, by, isOpen));
			continue;
		}
		if (!line.isCode) {
			const found = recognised(line.text, by, isOpen);
			unmarked.push(...found);
			const rest = found.length === 0 ? [line.text] : sentencesOf(line.text).filter((each) => !found.some((item) => item.text === each));
			names.push(...rest.flatMap(namesIn).map((name): Found => ({ kind: 'name', text: name, marked: false })));
		} else names.push(...namesIn(line.text).map((name): Found => ({ kind: 'name', text: name, marked: false })));
	}
	return [...marked, ...fewest(unmarked), ...distinct(names).slice(0, MOST_NAMES)];
}

function isContinued(line: string | undefined): boolean {
	return line !== undefined && /^(?: {2,}|\t)\s*\S/.test(line) && !isListItem(line) && !markOf(line);
}

/** The mark may stand at the start of a later sentence of the line; from there on all of it is meant. */
function markedAt(line: string): { kind: KeptKind; heading: boolean; text: string; before: string } | undefined {
	const mark = markOf(line);
	if (mark) return { ...mark, text: line, before: '' };
	if (!/[:：]/.test(line)) return undefined;
	let at = 0;
	for (const sentence of sentencesOf(line)) {
		at = line.indexOf(sentence, at);
		const inner = at > 0 ? markOf(sentence) : undefined;
		if (inner && !inner.heading) return { ...inner, text: line.slice(at), before: line.slice(0, at) };
		at += sentence.length;
	}
	return undefined;
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
 * Whether nobody answered it. The owner's question is answered by a whole reply that is about it and does not pass; the agent's, by an owner
 * who says something about it, or so briefly that it can be nothing else.
 */
function staysOpen(question: string, message: Message, next: Message | undefined): boolean {
	if (!next) return true;
	const answer = messageText(next);
	if (answer.trim() === '') return true;
	if (message.role === 'user') return next.status !== 'complete' || LEAVES_OPEN.test(answer) || !aboutIt(question, answer);
	return answer.length > BRIEF && !aboutIt(question, answer);
}

const BRIEF = 60;

/** A word of some length in common is enough; a question without any is about whatever follows. */
function aboutIt(question: string, answer: string): boolean {
	const asked = contentWords(question);
	if (asked.size === 0) return true;
	for (const word of contentWords(answer)) if (asked.has(word)) return true;
	return false;
}

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
