import type { createStrings } from '../../src/contract/strings/index.ts';
import { LOCALE } from '../../src/contract/strings/index.ts';
import { localDay } from '../../src/domain/local-day.ts';
import { cutCodePoints } from '../../src/domain/text.ts';
import type { WorkTold } from '../host-protocol.ts';

type Strings = ReturnType<typeof createStrings>;

/** A menu is as wide as its longest line. */
const LONGEST_TITLE = 48;
const DAY_MS = 86_400_000;

/** `09:00`, `tomorrow 09:00`, `Fri, 4 Dec 09:00`: by the clock and the calendar of this machine. */
export function whenText(strings: Strings, at: number, now: number): string {
	// Made anew each time: the machine may have moved to another zone.
	const time = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(at);
	if (localDay(at) === localDay(now)) return time;
	if (localDay(at) === localDay(tomorrow(now))) return strings('tray.tomorrow', { time });
	const date = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' }).format(at);
	return strings('tray.onDay', { date, time });
}

export function shortTitle(title: string): string {
	return title.length <= LONGEST_TITLE ? title : `${cutCodePoints(title, LONGEST_TITLE - 1).trimEnd()}…`;
}

/** What comes next, for a menu; undefined where nothing does, and never a time that is past. */
export function nextLine(strings: Strings, { state, tasks }: Pick<WorkTold, 'state' | 'tasks'>, now: number): string | undefined {
	const { next } = tasks;
	if (state === 'paused' || next === undefined || next.at <= now) return undefined;
	return strings('tray.next', { title: shortTitle(next.title), when: whenText(strings, next.at, now) });
}

/** When the line is another one by the passing of time alone; undefined where it never is. */
export function nextLineChangesAt({ tasks }: Pick<WorkTold, 'tasks'>, now: number): number | undefined {
	const at = tasks.next?.at;
	if (at === undefined || at <= now) return undefined;
	return Math.min(at, startOfDay(tomorrow(now)));
}

/** Noon of the next day, which each day has. */
function tomorrow(now: number): number {
	return startOfDay(now) + 1.5 * DAY_MS;
}

function startOfDay(at: number): number {
	return new Date(at).setHours(0, 0, 0, 0);
}
