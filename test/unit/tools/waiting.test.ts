import { expect, test } from 'vitest';
import { delegateTool } from '../../../src/tools/delegate.ts';
import { planTool } from '../../../src/tools/plan.ts';
import { waitForEventTool } from '../../../src/tools/wait-for-event.ts';
import { waitUntilTool } from '../../../src/tools/wait-until.ts';
import { millisecondsOf } from '../../../src/tools/when.ts';
import { toolContext } from '../../support/tool-context.ts';

const NOW = new Date(2026, 11, 3, 8, 0).getTime();
const waitUntil = waitUntilTool({ now: () => NOW });
const until = (args: object) => waitUntil.wait?.(waitUntil.schema.parse(args), NOW);

test.each([
	['2026-12-03T09:00', new Date(2026, 11, 3, 9, 0).getTime()],
	['2026-12-03 09:00', new Date(2026, 11, 3, 9, 0).getTime()],
	['2026-12-04', new Date(2026, 11, 4).getTime()],
	['2028-02-29', new Date(2028, 1, 29).getTime()],
	['2026-12-03T09:00:30Z', Date.UTC(2026, 11, 3, 9, 0, 30)],
	['2026-12-03T09:00+02:00', Date.UTC(2026, 11, 3, 7, 0)],
])('a time as a model writes it: %s', (text, at) => {
	expect(millisecondsOf(text)).toBe(at);
});

test.each(['tomorrow', '2026-13-40', '2026-02-31T09:00', '2027-02-29', '2026-06-31T00:00Z', '09:00', '12/3/2026', ''])(
	'“%s” is no time, and the model hears how to write one',
	(text) => {
		expect(millisecondsOf(text)).toBeNaN();
		expect(waitUntil.schema.safeParse({ at: text }).error?.issues[0]?.message).toContain('2026-12-03T09:00');
	},
);

test('wait_until waits for a time of day or for minutes, needs one of the two, and does not wait for what is past', async () => {
	expect(until({ at: '2026-12-03T09:00', note: 'the post' })).toEqual({ kind: 'timer', dueAt: NOW + 3_600_000, note: 'the post' });
	expect(until({ in_minutes: 0.5 })).toEqual({ kind: 'timer', dueAt: NOW + 30_000, note: '' });
	expect(until({ at: '2026-12-03T08:00' })).toBeUndefined();
	expect((await waitUntil.run({ note: '' }, toolContext())).text).toMatch(/It is now Thursday,? 3 December 2026 at 08:00\.$/);
	for (const args of [{}, { at: '2026-12-04', in_minutes: 5 }]) expect(() => until(args)).toThrow('Give either at or in_minutes.');
	for (const args of [{ in_minutes: 0 }, { in_minutes: -1 }, { in_minutes: 1e9 }])
		expect(waitUntil.schema.safeParse(args).success).toBe(false);
});

test('wait_for_event and delegate say what they wait for', () => {
	expect(waitForEventTool.wait?.({ name: 'signed', note: 'n', until: '2026-12-04T00:00' }, NOW)).toEqual({
		kind: 'event',
		name: 'signed',
		note: 'n',
		until: new Date(2026, 11, 4).getTime(),
	});
	expect(waitForEventTool.schema.safeParse({ name: 'Not A Name' }).success).toBe(false);
	expect(delegateTool.wait?.({ task: 'Read it', tools: ['read_file'] }, NOW)).toEqual({
		kind: 'child',
		task: 'Read it',
		tools: ['read_file'],
	});
});

test('plan gives the whole plan back, changes nothing where a part of it can’t be, and asks for something to do', async () => {
	const made = await planTool.run({ add: [{ text: 'Look' }, { text: 'Write' }] }, toolContext());
	expect(made).toMatchObject({ text: '1. [pending] Look\n2. [pending] Write', summary: '0 of 2', isError: false });
	const plan = made.plan;
	const changed = await planTool.run({ update: [{ id: '1', state: 'skipped', note: 'known' }] }, toolContext({ plan }));
	expect(changed).toMatchObject({ text: '1. [skipped] Look (known)\n2. [pending] Write', summary: '1 of 2' });
	const refused = await planTool.run(
		{ add: [{ text: 'More' }], update: [{ id: '1', state: 'doing' }] },
		toolContext({ plan: changed.plan }),
	);
	expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('Step 1 is skipped') });
	expect(refused.plan).toBeUndefined();
	expect(await planTool.run({}, toolContext())).toMatchObject({ isError: true });
});
