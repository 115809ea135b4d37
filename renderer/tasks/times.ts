import type { Slot } from '../../src/domain/schedule.ts';
import type { Say } from '../ui/strings.tsx';
import { dayStart } from './days.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Times of tasks are written as their sentences are, whatever the clock of the locale: 08:00 in both. */
export const CLOCK = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** What the wall shows at a slot, as a moment of UTC: to be formatted with that zone. */
export function wallOf(local: string): number {
	return Date.parse(`${local.length === 16 ? `${local}:00` : local}Z`);
}

/** `in 25 min`, `in 2 h 25 min`, `in 5 days`; nothing is said of what is past. Days are those of the owner's calendar. */
export function timeUntil(say: Say, at: number, now: number): string {
	const left = at - now;
	if (left <= 0) return '';
	if (left < HOUR) return say('tasks.in.minutes', { minutes: Math.max(1, Math.ceil(left / MINUTE)) });
	if (left < DAY) return say('tasks.in.hours', { hours: Math.floor(left / HOUR), minutes: Math.floor((left % HOUR) / MINUTE) });
	return say('tasks.in.days', { days: Math.round((dayStart(at) - dayStart(now)) / DAY) });
}

/** What is unusual about a slot: its own note, else that clocks were set before it. */
export function clockWords(say: Say, { note, clocks }: Pick<Slot, 'note' | 'clocks'>): string | undefined {
	if (note) return say(`tasks.slot.${note}`);
	return clocks && say(`tasks.clocks.${clocks}`);
}

/** Whether it is today, tomorrow, or another day by the owner's calendar. */
export function nearDay(at: number, now: number): 'today' | 'tomorrow' | 'other' {
	const start = dayStart(at);
	return start === dayStart(now) ? 'today' : start === dayStart(now, 1) ? 'tomorrow' : 'other';
}
