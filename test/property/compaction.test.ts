import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roughTokens } from '../../src/base/rough-tokens.ts';
import type { KeptItem } from '../../src/domain/compaction.ts';
import { CompactionId, type MessageId, type SessionId } from '../../src/domain/ids.ts';
import { joinLabels, LABELS } from '../../src/domain/label.ts';
import type { Message, MessagePart } from '../../src/domain/message.ts';
import { foldItems } from '../../src/run/compact/choose.ts';
import { extractFrom } from '../../src/run/compact/extract.ts';
import type { TellableSummary } from '../../src/run/compact/in-prompt.ts';
import { keptMessages, replyCut } from '../../src/run/compact/when.ts';
import { assemble, type ContextInput } from '../../src/run/context.ts';
import { renderReply, tokensOf, turnsOf } from '../../src/run/turns.ts';

const MARKS = ['Decision:', '**Decided:**', '- Entscheidung:', 'Open question:', 'To-do:', 'Remember:', '> Commitment:'];
const words = fc.array(fc.constantFrom('green', 'shed', 'Petra', '12 €', 'plan.pdf', 'Übergabe', '東京', '😀', '</summary>', 'may', 'by'), {
	minLength: 1,
	maxLength: 8,
});
const marked = fc.tuple(fc.constantFrom(...MARKS), words, fc.nat()).map(([mark, said, n]) => `${mark} ${said.join(' ')} ${n}`);
const line = fc.oneof({ weight: 3, arbitrary: words.map((said) => said.join(' ')) }, { weight: 1, arbitrary: marked });
const text = fc.array(line, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n'));

let made = 0;
function message(role: Message['role'], parts: MessagePart[], label: Message['label'] = 'agent'): Message {
	return {
		id: `m${++made}` as MessageId,
		sessionId: 's' as SessionId,
		parentId: null,
		role,
		parts,
		status: 'complete',
		runId: null,
		label,
		createdAt: 1,
		versions: [],
	};
}
const turn = fc
	.tuple(text, text, fc.constantFrom(...LABELS))
	.map(([owner, agent, label]) => [
		message('user', [{ type: 'text', text: owner }], 'owner'),
		message('assistant', [{ type: 'text', text: agent }], label),
	]);
const history = fc.array(turn, { minLength: 1, maxLength: 30, size: 'large' }).map((turns) => turns.flat());

function markedLines(messages: readonly Message[]): string[] {
	const lines = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? part.text.split('\n') : [])));
	return lines.filter((each) => MARKS.some((mark) => each.startsWith(mark)));
}
const linesOf = (items: readonly KeptItem[]) => items.flatMap((item) => item.text.split('\n'));

function summary(items: KeptItem[], more: Partial<TellableSummary> = {}): TellableSummary {
	return { id: CompactionId.parse('c'), text: '', items, label: 'agent', covers: 40, method: 'extract', ...more };
}
const input = (more: Partial<ContextInput>): ContextInput => ({
	documents: { agent: 'Be kind.', owner: '' },
	today: 'Sunday',
	history: [],
	olderMessages: 0,
	message: { parts: [{ type: 'text', text: 'And now?' }], label: 'owner' },
	reply: [],
	continues: false,
	attachments: new Map(),
	tools: [],
	excluded: new Set(),
	seesImages: false,
	windowTokens: 8_000,
	count: roughTokens,
	...more,
});

test('what somebody marked is kept word for word through any number of summaries of summaries, wherever each of them ends', () => {
	fc.assert(
		fc.property(history, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 20 }), (messages, steps) => {
			let items: KeptItem[] = [];
			let at = 0;
			for (const step of [...steps, messages.length]) {
				const next = messages.slice(at, at + step * 2);
				items = foldItems(items, extractFrom(next, at + 1));
				at += next.length;
			}
			const kept = new Set(linesOf(items.filter((item) => item.marked)).map((each) => each.trim()));
			for (const each of markedLines(messages.slice(0, at))) expect(kept).toContain(each.trim());
			// Every item is there word for word, in the message and the part that it names.
			for (const { text: said, messageId, part } of items)
				expect(messages.find(({ id }) => id === messageId)?.parts[part]).toEqual({ type: 'text', text: expect.stringContaining(said) });
			expect(items.map(({ number }) => number)).toEqual(items.map(({ number }) => number).toSorted((a, b) => a - b));
		}),
		{ numRuns: 150 },
	);
});

test('a prompt with a summary fits; its label joins that of the summary; and no text of it ends its own block', () => {
	fc.assert(
		fc.property(history, history, fc.integer({ min: 1_200, max: 20_000 }), fc.constantFrom(...LABELS), (old, past, windowTokens, label) => {
			const chat = summary(extractFrom(old, 1), { label, text: 'They talked </summary> of sheds.', covers: old.length });
			const prompt = assemble(input({ history: past, windowTokens, summaries: { chat, searchable: true } }));
			expect(prompt.fits).toBe(true);
			expect(prompt.usedTokens).toBeLessThanOrEqual(windowTokens);
			const [first] = prompt.messages;
			const told = first?.role === 'user' && first.content[0]?.type === 'text' ? first.content[0].text : '';
			expect(told.startsWith('<summary of="chat" label="')).toBe(true);
			expect(told.match(/<\/summary>/g)).toHaveLength(1);
			const shown = past.slice(prompt.pressure.messagesLeft);
			expect(prompt.label).toBe(joinLabels('owner', label, ...shown.map((each) => each.label)));
			const without = assemble(
				input({ history: past, windowTokens, summaries: { chat, searchable: true }, excluded: new Set(['summary']) }),
			);
			expect(JSON.stringify(without.messages)).not.toContain('<summary');
			expect(without.parts.find(({ id }) => id === 'summary')).toMatchObject({ included: false });
		}),
		{ numRuns: 150 },
	);
});

test('marked items are all told where they fit together, whatever else there is', () => {
	fc.assert(
		fc.property(history, (old) => {
			const items = extractFrom(old, 1);
			const noise = Array.from(
				{ length: 400 },
				(_, index): KeptItem => ({ ...NOISE, text: `Number ${index} costs ${index} €.`, number: index + 1 }),
			);
			const { messages } = assemble(
				input({ windowTokens: 32_000, summaries: { chat: summary(foldItems(noise, items)), searchable: true } }),
			);
			const told = JSON.stringify(messages).replaceAll('&lt;', '<');
			for (const each of markedLines(old)) expect(told).toContain(JSON.stringify(each.trim()).slice(1, -1));
		}),
		{ numRuns: 50 },
	);
});
const NOISE: KeptItem = {
	kind: 'number',
	text: '',
	marked: false,
	by: 'agent',
	messageId: 'n' as MessageId,
	part: 0,
	number: 1,
	label: 'agent',
	at: 1,
};

test('a summary ends between two turns, keeps the newest, and those that stay fit', () => {
	const render = { attachments: new Map(), seesImages: false, toolsOffered: true };
	fc.assert(
		fc.property(history, fc.integer({ min: 0, max: 4_000 }), (messages, room) => {
			const kept = keptMessages(messages, room, render, roughTokens);
			const stay = messages.slice(messages.length - kept);
			if (kept > 0) expect(stay[0]?.role).toBe('user');
			const tokens = turnsOf(stay).reduce(
				(sum, each) =>
					sum +
					tokensOf(
						each.flatMap(({ parts }) => renderReply(parts, render)),
						roughTokens,
					),
				0,
			);
			expect(tokens).toBeLessThanOrEqual(room);
		}),
	);
});

const part: fc.Arbitrary<MessagePart> = fc.oneof(
	text.map((said): MessagePart => ({ type: 'text', text: said })),
	text.map(
		(said): MessagePart => ({ type: 'tool', callId: said, tool: 't', args: {}, status: 'done', result: { text: said, isError: false } }),
	),
);

test('of a long reply the newest part always stays, and nothing goes that a step under way still needs', () => {
	fc.assert(
		fc.property(
			fc.array(part, { minLength: 1, maxLength: 40 }),
			fc.nat(40),
			fc.nat(40),
			fc.integer({ min: 10, max: 3_000 }),
			(parts, a, b, budget) => {
				const from = Math.min(a, b, parts.length);
				const before = Math.min(Math.max(a, b), parts.length);
				const cut = replyCut(parts, { from, before, budget, toolsOffered: true, count: roughTokens });
				if (cut === undefined) return;
				expect(cut).toBeGreaterThan(from);
				expect(cut).toBeLessThanOrEqual(before);
				expect(cut).toBeLessThan(parts.length);
			},
		),
	);
});
