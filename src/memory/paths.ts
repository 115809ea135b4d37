import { LONG_TERM_FILE, LocalDay, type MemoryPath } from '../domain/memory.ts';

/** What the name of a memory file says, and the owner's days. Pure. */

const DAILY = /^memory\/(\d{4}-\d{2}-\d{2})\.md$/;
const LAST_DAY = 99_999_999;

export type FileKind = 'long_term' | 'daily' | 'note';

export function fileKind(file: MemoryPath): FileKind {
	if (file === LONG_TERM_FILE) return 'long_term';
	return dayOfFile(file) === undefined ? 'note' : 'daily';
}

/** The day that a daily file is for, as the owner's clock had it; undefined for other files. */
export function dayOfFile(file: MemoryPath): string | undefined {
	const day = DAILY.exec(file)?.[1];
	// 2026-02-31 in a file's name is a note's name: no day has it.
	return LocalDay.safeParse(day).data;
}

export function dailyFile(day: string): MemoryPath {
	return `memory/${LocalDay.parse(day)}.md` as MemoryPath;
}

/** Sorts as files are shown: MEMORY.md, newest day first, other notes by name. */
export function fileRank(file: MemoryPath): string {
	const day = dayOfFile(file);
	if (day !== undefined) return `1 ${String(LAST_DAY - Number(day.replaceAll('-', ''))).padStart(8, '0')}`;
	return file === LONG_TERM_FILE ? '0' : `2 ${file}`;
}

/** The day it is at `now` where the owner is (mem-7): `2026-11-29`. `timeZone`: an IANA name. */
export function localDay(now: number, timeZone: string): string {
	const { year, month, day } = localParts(now, timeZone);
	return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

/** The instant at which it is noon on this day in this zone; a clock change never falls on noon. */
export function noonOf(day: string, timeZone: string): number {
	const wanted = Date.parse(`${day}T12:00:00Z`);
	const { year, month, day: dayOfMonth, hour, minute } = localParts(wanted, timeZone);
	return wanted - (Date.UTC(year, month - 1, dayOfMonth, hour, minute) - wanted);
}

function localParts(now: number, timeZone: string): Record<'year' | 'month' | 'day' | 'hour' | 'minute', number> {
	const parts = formatOf(timeZone).formatToParts(now);
	const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
	return { year: part('year'), month: part('month'), day: part('day'), hour: part('hour'), minute: part('minute') };
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Making one takes longer than using it ten thousand times. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
	let format = formats.get(timeZone);
	if (!format) {
		format = new Intl.DateTimeFormat('en-US', {
			timeZone,
			calendar: 'gregory',
			hourCycle: 'h23',
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
		});
		formats.set(timeZone, format);
	}
	return format;
}

function pad(value: number, digits: number): string {
	return String(value).padStart(digits, '0');
}
