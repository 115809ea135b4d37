import { describe, expect, test } from 'vitest';
import { pasteIsLong } from '../../../renderer/chat/composer/limits.ts';
import { groupSessions } from '../../../renderer/chat/session-groups.ts';
import { replyBlocks } from '../../../renderer/chat/transcript/reply-parts.ts';
import type { SessionSummary } from '../../../src/contract/shapes.ts';
import type { SessionId } from '../../../src/domain/ids.ts';
import type { MessagePart, ToolPart } from '../../../src/domain/message.ts';

describe('groups of chats', () => {
	const now = new Date(2026, 2, 12, 9, 0).getTime();
	const at = (id: string, date: Date, pinned = false): SessionSummary => ({
		id: id as SessionId,
		title: id,
		pinned,
		createdAt: 0,
		updatedAt: date.getTime(),
		messageCount: 1,
		activity: 'idle',
	});
	const shown = (sessions: SessionSummary[]) =>
		groupSessions(sessions, now).map(({ key, sessions: list }) => [key, ...list.map(({ id }) => id)]);

	test('by calendar days, newest first, pinned ones before all', () => {
		expect(
			shown([
				at('old', new Date(2025, 11, 31)),
				at('february', new Date(2026, 1, 28)),
				at('week', new Date(2026, 2, 5, 0, 0)),
				at('yesterday', new Date(2026, 2, 11, 23, 59)),
				at('early', new Date(2026, 2, 12, 0, 0)),
				at('late', new Date(2026, 2, 12, 8, 0)),
				at('pinned', new Date(2024, 0, 1), true),
			]),
		).toEqual([
			['pinned', 'pinned'],
			['today', 'late', 'early'],
			['yesterday', 'yesterday'],
			['week', 'week'],
			['2026-02', 'february'],
			['2025-12', 'old'],
		]);
	});

	test('dur-6 a time in the future, after the clock was set back, counts as today', () => {
		expect(shown([at('future', new Date(2026, 2, 13, 3, 0))])).toEqual([['today', 'future']]);
	});
});

describe('what becomes an attachment', () => {
	test('chat-1 by bytes, not by characters, and together with what is in the field', () => {
		expect(pasteIsLong('a'.repeat(20_000), 0)).toBe(false);
		expect(pasteIsLong('a'.repeat(20_481), 0)).toBe(true);
		expect(pasteIsLong('漢'.repeat(6_000), 0)).toBe(false);
		expect(pasteIsLong('漢'.repeat(7_000), 0)).toBe(true);
		expect(pasteIsLong('a'.repeat(6_000), 15_000)).toBe(true);
	});
});

describe('blocks of a reply', () => {
	const tool = (callId: string): ToolPart => ({ type: 'tool', callId, tool: 'read_file', args: null, status: 'done' });
	test('neighbouring calls share a box, empty text shows nothing, keys are stable while text grows', () => {
		const parts: MessagePart[] = [
			{ type: 'reasoning', text: 'Hm.' },
			tool('a'),
			tool('b'),
			{ type: 'text', text: '' },
			{ type: 'text', text: 'Done' },
			tool('c'),
		];
		const blocks = replyBlocks(parts).map((block) => [block.kind, block.key, block.kind === 'tools' ? block.calls.length : 0]);
		expect(blocks).toEqual([
			['reasoning', 0, 0],
			['tools', 1, 2],
			['text', 4, 0],
			['tools', 5, 1],
		]);
	});
});
