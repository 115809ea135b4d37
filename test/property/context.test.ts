import fc from 'fast-check';
import { expect, test } from 'vitest';
import { roughTokens } from '../../src/base/rough-tokens.ts';
import { AttachmentId, type MessageId, type SessionId } from '../../src/domain/ids.ts';
import { joinLabels, LABELS } from '../../src/domain/label.ts';
import type { Message, MessagePart } from '../../src/domain/message.ts';
import { assemble, type ContextInput } from '../../src/run/context.ts';
import { turnsOf } from '../../src/run/turns.ts';

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400, size: 'large' });
const tool = fc.record({
	type: fc.constant('tool' as const),
	callId: fc.uuid(),
	tool: fc.constant('test_pure'),
	args: fc.constantFrom({ value: 'x' }, 'not an object', null),
	status: fc.constantFrom('done' as const, 'stopped' as const),
	result: fc.option(fc.record({ text, isError: fc.boolean() }), { nil: undefined }),
});
const part: fc.Arbitrary<MessagePart> = fc.oneof(
	text.map((words) => ({ type: 'text' as const, text: words })),
	text.map((words) => ({ type: 'reasoning' as const, text: words })),
	tool,
);
let made = 0;
const message = (role: 'user' | 'assistant'): fc.Arbitrary<Message> =>
	fc.record({
		id: fc.constant('').map(() => `m${++made}` as MessageId),
		sessionId: fc.constant('s' as SessionId),
		parentId: fc.constant(null),
		role: fc.constant(role),
		parts: role === 'user' ? text.map((words): MessagePart[] => [{ type: 'text', text: words }]) : fc.array(part, { maxLength: 5 }),
		status: fc.constant('complete' as const),
		runId: fc.constant(null),
		label: fc.constantFrom(...LABELS),
		createdAt: fc.constant(1),
		versions: fc.constant([]),
	});
const history = fc.array(fc.tuple(message('user'), message('assistant')), { maxLength: 25, size: 'large' }).map((turns) => turns.flat());

const input = (more: Partial<ContextInput>): ContextInput => ({
	documents: { agent: 'Be kind.', owner: '' },
	today: 'Sunday',
	history: [],
	olderMessages: 0,
	message: { parts: [{ type: 'text', text: 'And now?' }], label: 'owner' },
	reply: [],
	continues: false,
	attachments: new Map(),
	tools: [{ name: 'test_pure', description: 'reads', parameters: { type: 'object' } }],
	excluded: new Set(),
	seesImages: false,
	windowTokens: 4_000,
	count: roughTokens,
	...more,
});

test('the prompt fits; history leaves in whole turns, oldest first; and what left is said', () => {
	let trimmed = 0;
	fc.assert(
		fc.property(history, fc.integer({ min: 900, max: 4_000 }), fc.boolean(), (past, windowTokens, toolsOut) => {
			const prompt = assemble(input({ history: past, windowTokens, excluded: new Set(toolsOut ? ['tools'] : []) }));
			expect(prompt.fits).toBe(true);
			expect(prompt.usedTokens).toBeLessThanOrEqual(windowTokens);
			// The kept ones are the newest turns, whole.
			const owners = prompt.messages.filter((each) => each.role === 'user').length - 1;
			const kept = turnsOf(past)
				.slice(turnsOf(past).length - owners)
				.flat();
			const whole = assemble(input({ history: kept, windowTokens: 1_000_000, excluded: new Set(toolsOut ? ['tools'] : []) }));
			expect(prompt.messages).toEqual(whole.messages);
			const notice = prompt.notices.find((each) => each.code === 'history_trimmed');
			if (kept.length < past.length) {
				trimmed += 1;
				expect(notice?.values).toEqual({ count: past.length - kept.length, kept: kept.length });
			} else expect(notice).toBeUndefined();
		}),
		{ numRuns: 200 },
	);
	expect(trimmed).toBeGreaterThan(20);
});

test('every tool call is followed by its own result, and its arguments are an object', () => {
	fc.assert(
		fc.property(history, fc.array(part, { maxLength: 6 }), (past, reply) => {
			const { messages } = assemble(input({ history: past, reply }));
			messages.forEach((each, index) => {
				const next = messages[index + 1];
				if (each.role === 'assistant')
					for (const call of each.toolCalls) {
						expect(next).toMatchObject({ role: 'tool', callId: call.callId });
						expect(call.args).toBeTypeOf('object');
					}
				if (each.role === 'tool') expect(messages[index - 1]).toMatchObject({ role: 'assistant', toolCalls: [{ callId: each.callId }] });
			});
		}),
	);
});

test('B2 the label is the least trusted of everything that is really in the prompt', () => {
	fc.assert(
		fc.property(history, fc.constantFrom(...LABELS), (past, label) => {
			const prompt = assemble(input({ history: past, message: { parts: [{ type: 'text', text: 'x' }], label }, windowTokens: 3_000 }));
			const kept = past.slice(past.length - 2 * (prompt.messages.filter((each) => each.role === 'user').length - 1));
			expect(prompt.label).toBe(joinLabels(label, ...kept.map((each) => each.label)));
		}),
	);
});

const file = (id: string, kind: 'text' | 'image' = 'text'): MessagePart => ({
	type: 'attachment',
	attachment: { id: AttachmentId.parse(id), name: `${id}.txt`, mime: 'text/plain', bytes: 1, kind, textChars: 1 },
});

test('a long attachment is cut to what fits, between code points, and the notice says how much of it is there', () => {
	const huge = '😀 words and more words '.repeat(40_000);
	const prompt = assemble(
		input({
			message: { parts: [{ type: 'text', text: 'Read this' }, file('big')], label: 'owner' },
			attachments: new Map([['big', { text: huge }]]),
			windowTokens: 8_000,
		}),
	);
	expect(prompt.fits).toBe(true);
	expect(prompt.usedTokens).toBeGreaterThan(5_000);
	expect(prompt.label).toBe('external');
	expect(prompt.notices).toMatchObject([{ code: 'attachment_trimmed', values: { name: 'big.txt' } }]);
	expect(JSON.stringify(prompt.messages)).not.toMatch(/\\ud83d(?!\\ude00)/i);
});

test('M6 a part that the owner took out is not in the prompt, and nor is its label', () => {
	const given = {
		message: { parts: [{ type: 'text' as const, text: 'Read this' }, file('a'), file('b', 'image')], label: 'owner' as const },
		attachments: new Map([
			['a', { text: 'SECRET WORDS' }],
			['b', { text: '', base64: 'AAAA' }],
		]),
	};
	const with_ = assemble(input(given));
	expect(JSON.stringify(with_.messages)).toContain('SECRET WORDS');
	expect(with_.notices).toMatchObject([{ code: 'images_not_seen', values: { name: 'b.txt' } }]);
	const without = assemble(input({ ...given, excluded: new Set(['attachment:a', 'attachment:b', 'agent', 'tools']) }));
	expect(JSON.stringify(without.messages) + without.system).not.toMatch(/SECRET WORDS|Be kind/);
	expect(without.tools).toEqual([]);
	expect(without.label).toBe('owner');
	expect(without.parts.filter((each) => !each.included).map((each) => each.id)).toEqual(['agent', 'tools', 'attachment:a', 'attachment:b']);
});

test('a message that is too long by itself is named', () => {
	const prompt = assemble(input({ message: { parts: [{ type: 'text', text: 'words '.repeat(9_000) }], label: 'owner' } }));
	expect(prompt.fits).toBe(false);
	expect(prompt.overflow().shape).toMatchObject({
		code: 'model_context_overflow',
		message: expect.stringContaining('Your message is the biggest part'),
	});
});
