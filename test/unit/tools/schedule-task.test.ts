import { expect, test } from 'vitest';
import type { TaskDraft } from '../../../src/domain/task.ts';
import { scheduleTaskTool } from '../../../src/tools/schedule-task.ts';
import { toolContext } from '../../support/tool-context.ts';

const NOW = Date.parse('2026-11-30T09:00Z');
const AT = { runId: toolContext().runId, sessionId: toolContext().sessionId };

function tool({ zone = 'Europe/Berlin' } = {}) {
	const clock = { at: NOW, now: () => clock.at };
	const made: { draft: TaskDraft; label: string; makeKey: string }[] = [];
	const place = { zone };
	const made_ = scheduleTaskTool({
		clock,
		zone: () => place.zone,
		sources: () => [],
		check: () => undefined,
		make: async (task) => {
			if (!made.some(({ makeKey }) => makeKey === task.makeKey)) made.push(task);
			return 'task' as never;
		},
	});
	return { clock, made, place, tool: made_ };
}

const SENTENCE = { sentence: 'every weekday at 9:00 remind me to stand up' };

test('sch-6 what it touches is the card’s own words and hash, whose card shows all that would be made', () => {
	const { tool: schedule } = tool();
	const touches = schedule.touches?.(SENTENCE, AT) as never[];
	expect(touches).toMatchObject([{ sink: 'task', title: 'Stand up', zone: 'Europe/Berlin', readAt: NOW }]);
	const card = schedule.card?.(SENTENCE, touches);
	expect(card).toMatchObject({ draft: { work: { kind: 'reminder', text: 'Stand up' } }, zone: 'Europe/Berlin', next: { length: 5 } });
	expect(touches).toMatchObject([{ restated: card?.restated, shownHash: card?.shownHash }]);
});

test('B3 what was shown stays the same while the question waits, a time counted from now too; in another zone it is another card', () => {
	const { tool: schedule, clock, place } = tool();
	for (const args of [{ sentence: 'in 3 hours remind me to leave' }, SENTENCE]) {
		clock.at = NOW;
		const before = schedule.touches?.(args, AT) as never[];
		clock.at = NOW + 3_600_000;
		expect(schedule.touches?.(args, { ...AT, before })).toEqual(before);
		expect(schedule.touches?.(args, AT)).not.toEqual(before);
	}
	const before = schedule.touches?.(SENTENCE, AT) as never[];
	place.zone = 'Asia/Tokyo';
	expect(schedule.touches?.(SENTENCE, { ...AT, before })).not.toEqual(before);
});

test('R2 a call that is made again makes no second task; outside words are lifted by the yes, no further', async () => {
	const { tool: schedule, made } = tool();
	const touches = schedule.touches?.(SENTENCE, AT) as never[];
	for (const label of ['agent', 'agent', 'external', 'owner'] as const)
		await schedule.run(SENTENCE, toolContext({ touches, label, idempotencyKey: label }));
	expect(made.map(({ label, makeKey }) => [makeKey, label])).toEqual([
		['agent', 'agent'],
		['external', 'approved'],
		['owner', 'agent'],
	]);
});

test('times that passed while the question waited are refused in words, and so is another card than the one that was shown', async () => {
	const { tool: schedule, made, clock } = tool();
	const args = { sentence: 'in 20 minutes remind me to check the oven' };
	const touches = schedule.touches?.(args, AT) as never[];
	clock.at = NOW + 21 * 60_000;
	await expect(schedule.run(args, toolContext({ touches }))).rejects.toThrow('All of its times passed while the question waited.');
	await expect(schedule.run(SENTENCE, toolContext({ touches }))).rejects.toThrow('not the one that the owner was shown');
	await expect(schedule.run(SENTENCE, toolContext())).rejects.toThrow('not the one that the owner was shown');
	expect(made).toEqual([]);
});

test('what is not clear is handed back as a question with sentences that are; nothing is asked of the owner in its place', () => {
	const { tool: schedule } = tool();
	const touches = (args: Parameters<NonNullable<typeof schedule.touches>>[0]) => () => schedule.touches?.(args, AT);
	expect(touches({ sentence: 'next Friday at 9:00 check the mail' })).toThrow(
		/Which Friday[\s\S]*- Friday 4 December 2026: on 4 December 2026 at 9:00 check the mail/,
	);
	expect(touches({ sentence: 'check the mail' })).toThrow('Nothing was scheduled.');
	for (const args of [
		{},
		{ ...SENTENCE, prompt: 'Look.' },
		{ at: '2026-12-01T09:00' },
		{ prompt: 'Look.' },
		{ at: '2026-12-01T09:00', prompt: 'Look.', remind: 'Look.' },
		{ at: '2026-12-01T09:00', cron: '0 9 * * *', prompt: 'Look.' },
	])
		expect(touches(args)).toThrow('Give either sentence, or exactly one of at and cron');
	expect(touches({ cron: '61 9 * * *', prompt: 'Look.' })).toThrow();
	expect(touches({ at: '2026-11-29T09:00', prompt: 'Look.' })).toThrow();
});

test('what it is to do and when, in fields of their own', () => {
	const { tool: schedule } = tool();
	const card = (args: Parameters<NonNullable<typeof schedule.touches>>[0]) =>
		schedule.card?.(args, schedule.touches?.(args, AT) as never[]);
	expect(card({ cron: '0 9 * * 1-5', zone: 'America/New_York', prompt: 'Summarise my mail.' })).toMatchObject({
		zone: 'America/New_York',
		draft: { title: 'Summarise my mail.', work: { kind: 'prompt', text: 'Summarise my mail.' } },
	});
	expect(card({ at: '2026-12-25T15:00', remind: 'Call', title: 'Grandma' })).toMatchObject({
		next: [{ local: expect.stringContaining('2026-12-25T15:00') }],
		draft: { title: 'Grandma', work: { kind: 'reminder', text: 'Call' } },
	});
});
