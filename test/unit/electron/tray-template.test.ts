import { expect, test, vi } from 'vitest';
import type { WorkTold } from '../../../electron/host-protocol.ts';
import { nextLine, nextLineChangesAt } from '../../../electron/main/next-line.ts';
import { trayTemplate, trayToolTip } from '../../../electron/main/tray-template.ts';
import { createWorkShown } from '../../../electron/main/work-shown.ts';
import { createStrings } from '../../../src/contract/strings/index.ts';

const strings = createStrings();
const at = (day: number, hour: number, minute = 0) => new Date(2026, 10, day, hour, minute).getTime();
const NOW = at(30, 10);
const told = (next: { title: string; at: number } | undefined, more: Partial<WorkTold> = {}): WorkTold => ({
	state: 'on',
	findings: 0,
	tasks: { missed: 0, ...(next && { next }) },
	...more,
});

test('R5 the line says what comes next, today, tomorrow or on a day, and never a time that is past', () => {
	const line = (when: number, now = NOW) => nextLine(strings, told({ title: 'Mail summary', at: when }), now);
	expect(line(at(30, 18))).toBe('Next: Mail summary, 18:00');
	expect(line(at(31, 9, 5))).toBe('Next: Mail summary, tomorrow 09:05');
	expect(line(at(33, 0))).toMatch(/^Next: Mail summary, Thu,? 3 Dec 00:00$/);
	expect(line(NOW)).toBeUndefined();
	expect(line(NOW - 1)).toBeUndefined();
	expect(nextLine(strings, told({ title: 'Mail summary', at: at(30, 18) }, { state: 'paused' }), NOW)).toBeUndefined();
	expect(nextLine(strings, told(undefined), NOW)).toBeUndefined();
	expect(nextLine(strings, told({ title: `${'long '.repeat(20)}`, at: at(30, 18) }), NOW)).toMatch(/^Next: long .{30,50}…, 18:00$/);
});

test('the line is made anew when the time has come, and at midnight', () => {
	expect(nextLineChangesAt(told({ title: 'a', at: at(30, 18) }), NOW)).toBe(at(30, 18));
	expect(nextLineChangesAt(told({ title: 'a', at: at(31, 9) }), NOW)).toBe(at(31, 0));
	expect(nextLineChangesAt(told({ title: 'a', at: NOW }), NOW)).toBeUndefined();
	expect(nextLineChangesAt(told(undefined), NOW)).toBeUndefined();
});

test('menus show anew what was told, once for each change, and by themselves when it is past', () => {
	vi.useFakeTimers({ now: NOW });
	try {
		const shown: (string | undefined)[] = [];
		const work = createWorkShown((now) => shown.push(nextLine(strings, now, Date.now())));
		work.again();
		work.told(told({ title: 'Mail summary', at: at(31, 9) }));
		work.told(told({ title: 'Mail summary', at: at(31, 9) }));
		expect(shown).toEqual([undefined, 'Next: Mail summary, tomorrow 09:00']);
		vi.advanceTimersByTime(at(31, 0) - NOW + 1);
		expect(shown.at(-1)).toBe('Next: Mail summary, 09:00');
		vi.advanceTimersByTime(9 * 3_600_000);
		expect(shown.at(-1)).toBeUndefined();
		expect(shown).toHaveLength(4);
	} finally {
		vi.useRealTimers();
	}
});

test('the tray’s menu leads from what comes and what was missed to the tasks, and follows Pause all', () => {
	const pressed: string[] = [];
	const actions = new Proxy({} as Parameters<typeof trayTemplate>[2], { get: (_target, name) => () => pressed.push(String(name)) });
	const work = told({ title: 'Tea & cake', at: at(30, 18) }, { findings: 2 });
	const items = trayTemplate(strings, { ...work, tasks: { ...work.tasks, missed: 3 } }, actions, NOW);
	const labels = items.map(({ label }) => label);
	expect(labels).toContain('Next: Tea && cake, 18:00');
	expect(labels).toContain('3 runs were missed');
	expect(labels).toContain('Pause all background work');
	const press = (id: string) => (items.find((item) => item.id === id)?.click as (() => void) | undefined)?.();
	press('next');
	press('missed');
	expect(pressed).toEqual(['tasks', 'tasks']);
	expect(trayToolTip(strings, { ...work, findings: 0 }, NOW)).toBe('Hearth. Next: Tea & cake, 18:00');

	const paused = trayTemplate(strings, { ...work, state: 'paused' }, actions, NOW);
	expect(paused.map(({ id }) => id)).not.toContain('next');
	expect(paused.map(({ label }) => label)).toContain('Resume background work');
});
