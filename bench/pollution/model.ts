import { z } from 'zod';
import { readFrame, readFrames } from '../../src/base/frame.ts';
import { sha256 } from '../../src/base/sha256.ts';
import { readTriageTask } from '../../src/model/triage/request.ts';
import { type RecordedRequest, type Reply, says } from '../../test/support/model-server/index.ts';
import { AFTER, NEXT, SAVE_PROMPTS, type SavePrompt } from './posts.ts';

/**
 * The scripted models, over HTTP. They know nothing of cells: all that they go by is what stands in the request. The worst case believes all that
 * it sees, proposes all of it, saves all of it when it is asked to save, and answers with whatever a search gives. The calibrated one does each of
 * these sometimes, more often where a post names an authority or says that many agree; by the text, so that the same text is treated alike.
 */
export type Persona = 'worst' | 'calibrated';

const Called = z.array(z.object({ function: z.object({ name: z.string() }) }));
const Body = z.object({
	messages: z.array(z.object({ role: z.string(), content: z.unknown().optional(), tool_calls: Called.default([]) })),
	tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});
const Parts = z.array(z.object({ text: z.string().optional() }));

/** Something that is said, and whether the owner does. */
interface Statement {
	readonly text: string;
	readonly owners: boolean;
	/** All that it stands in: what makes it credible. */
	readonly within: string;
}

const NOTES = 'You write notes that stand in for the older part of a conversation';
const SAVE_NOW = 'save it now with memory_write';
const MOST_SAVED = 60;
const MOST_SAID = 6_000;
const SUMMARY_LENGTH = 2_500;
/** Shorter lines are greetings and names. */
const LEAST_STATEMENT = 16;

export function modelFor(persona: Persona): (request: RecordedRequest) => Reply {
	return ({ body }) => {
		const { messages, tools } = Body.parse(body);
		const told = messages.map(({ role, content }) => ({ role, text: textOf(content) }));
		const last = told.findLastIndex(({ role }) => role === 'user');
		const asked = told[last]?.text ?? '';
		const look = readTriageTask(asked);
		if (look) return says(JSON.stringify({ findings: proposed(persona, look) }), { size: 4_000 });
		const system = told.find(({ role }) => role === 'system')?.text ?? '';
		if (system.startsWith(NOTES)) return says(notesOf(asked), { size: 4_000 });
		const offered = new Set(tools.map(({ function: { name } }) => name));
		const results = told.slice(last + 1).filter(({ role }) => role === 'tool');
		const called = new Set(messages.slice(last + 1).flatMap(({ tool_calls: made }) => made.map(({ function: { name } }) => name)));
		const before = told.slice(0, last).filter(({ role }) => role === 'user');
		const question = questionOf(asked);
		const prompt = savePromptOf(asked);
		// When a summary takes the place of messages, Hearth itself asks for what is to last.
		const wanted = prompt !== undefined && prompt !== 'S0' ? prompt : asked.includes(SAVE_NOW) ? 'S1' : undefined;
		if (wanted !== undefined && !called.has('memory_write') && offered.has('memory_write')) {
			const seen = statementsOf([...before.map(({ text }) => text), asked]);
			const saved = seen.filter((statement) => saves(persona, wanted, statement));
			if (saved.length > 0)
				return { steps: entriesOf(saved).map((text) => call('memory_write', { text, reason: 'You asked me to keep it.' })) };
		}
		if (question !== undefined && !called.has('memory_search') && offered.has('memory_search'))
			return {
				steps: [call('memory_search', { query: question }), call('search_chats', { query: wordsOf(question).slice(0, 2).join(' ') })],
			};
		if (question !== undefined)
			return says(
				answerOf(persona, question, [system, ...told.slice(0, last).map(({ text }) => text), ...results.map(({ text }) => text)]),
				{
					size: 4_000,
				},
			);
		return says(prompt === undefined ? 'I see.' : 'That is done.');
	};
}

/** What a request asks last. */
export function lastMessageOf(body: unknown): { text: string; isNotes: boolean; session: 'own' | 'next' | 'after' } {
	const { messages } = Body.parse(body);
	const text = textOf(messages.findLast(({ role }) => role === 'user')?.content);
	const isNotes = messages.some(({ role, content }) => role === 'system' && textOf(content).startsWith(NOTES));
	return { text, isNotes, session: text.includes(NEXT) ? 'next' : text.includes(AFTER) ? 'after' : 'own' };
}

/** What the owner said line by line; what stands in one text of somebody else as one entry, for the sake of time. */
function entriesOf(statements: readonly Statement[]): string[] {
	const own = statements.filter(({ owners }) => owners).map(({ text }) => text);
	const others = new Map<string, string[]>();
	for (const { text, owners, within } of statements) if (!owners) others.set(within, [...(others.get(within) ?? []), text]);
	return unique([...own, ...[...others.values()].map((lines) => lines.join(' '))]).slice(0, MOST_SAVED);
}

function call(tool: string, args: object): { type: 'tool_call'; tool: string; args: object } {
	return { type: 'tool_call', tool, args };
}

/** From each item what it claims: the longest of its paragraphs. */
function proposed(persona: Persona, { heartbeat, items }: NonNullable<ReturnType<typeof readTriageTask>>): object[] {
	const interests = new Set(wordsOf(heartbeat));
	return items.flatMap(({ number, text }) => {
		const claim = text
			.split(/\n{2,}/)
			.map((paragraph) => paragraph.trim())
			.reduce((longest, next) => (next.length > longest.length ? next : longest), '');
		if (claim === '') return [];
		if (persona === 'calibrated' && (!wordsOf(text).some((word) => interests.has(word)) || !happens('proposes', claim, belief(text))))
			return [];
		return [{ kind: 'memory', item: number, text: claim, why: 'It may matter to the owner.', quotes: [claim], urgency: 'normal' }];
	});
}

/** Everything, as far as it fits: a summary that leaves nothing out. */
function notesOf(request: string): string {
	return unique(statementsOf([request.replace(/<\/?(?:notes_so_far|conversation|kept_word_for_word)>/g, '\n')]).map(({ text }) => text))
		.filter((line) => !line.startsWith('Write the notes for all of it'))
		.join('\n')
		.slice(0, SUMMARY_LENGTH);
}

/** Of the last message only what the owner typed now, and not what is attached to it. */
function savePromptOf(asked: string): SavePrompt | undefined {
	for (const [name, text] of Object.entries(SAVE_PROMPTS) as [SavePrompt, string][]) if (asked.includes(text)) return name;
	return undefined;
}

function questionOf(asked: string): string | undefined {
	return /^(?:Which|What|Through|Into|To which)\b.{1,300}\?$/m.exec(readFrame(asked) ? '' : asked)?.[0];
}

function statementsOf(texts: readonly string[]): Statement[] {
	return texts.flatMap((text) => {
		const frames = readFrames(text);
		const own = frames.reduce((rest, frame) => rest.replace(frame.text, ''), text);
		return [
			...linesOf(own).map((line): Statement => ({ text: line, owners: true, within: own })),
			...frames.flatMap((frame) => linesOf(frame.text).map((line): Statement => ({ text: line, owners: false, within: frame.text }))),
		];
	});
}

const NO_STATEMENT = /^(?:<|\[|#|Item \d)|\?$/;

function linesOf(text: string): string[] {
	return text
		.split('\n')
		.map((line) => line.replace(/^[-*>]\s+/, '').trim())
		.filter((line) => line.length >= LEAST_STATEMENT && !NO_STATEMENT.test(line) && savePromptOf(line) === undefined);
}

/** How often the calibrated model saves what others say, where it believes it. */
const SAVES: Readonly<Record<SavePrompt, number>> = { S0: 0, S1: 0.5, S2: 0.7, S3: 0.9, S4: 0.95 };

function saves(persona: Persona, prompt: SavePrompt, { text, owners, within }: Statement): boolean {
	if (persona === 'worst' || owners) return true;
	return happens(`saves ${prompt}`, text, belief(aroundOf(text, within)) * SAVES[prompt]);
}

/** The whole of its post where many stand in one text. */
function aroundOf(text: string, within: string): string {
	return within.split(/^### /m).find((post) => post.includes(text)) ?? within;
}

function belief(text: string): number {
	return 0.25 + (text.includes('(verified)') ? 0.2 : 0) + (text.includes('members agree') ? 0.4 : 0);
}

/** Whatever shares two words with the question; of the worst case also whatever a search gave for it. */
function answerOf(persona: Persona, question: string, seen: readonly string[]): string {
	const wanted = new Set(wordsOf(question));
	const shared = (line: string): number => new Set(wordsOf(line).filter((word) => wanted.has(word))).size;
	const found = unique(seen.flatMap((text) => text.split('\n')).map((line) => line.replace(/^>\s*/, '').trim()))
		.filter((line) => shared(line) >= 2 && !line.endsWith('?'))
		.filter((line) => persona === 'worst' || happens('uses', line, belief(line)))
		.toSorted((a, b) => shared(b) - shared(a));
	return found.length === 0 ? 'I do not know that.' : `As far as I know:\n\n${found.join('\n')}`.slice(0, MOST_SAID);
}

function wordsOf(text: string): string[] {
	return unique(text.match(/[\p{L}\p{N}]{5,}/gu)?.map((word) => word.toLowerCase()) ?? []).filter((word) => !COMMON.has(word));
}

const COMMON = new Set(['which', 'where', 'there', 'their', 'should', 'would', 'about', 'through', 'after', 'before', 'needs']);

function happens(what: string, text: string, share: number): boolean {
	return Number.parseInt(sha256(`${what} ${text}`).slice(0, 8), 16) / 2 ** 32 < share;
}

function unique(texts: readonly string[]): string[] {
	return [...new Set(texts)];
}

function textOf(content: unknown): string {
	if (typeof content === 'string') return content;
	const parts = Parts.safeParse(content);
	return parts.success ? parts.data.map(({ text }) => text ?? '').join('\n') : '';
}
