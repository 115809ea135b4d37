import { sha256 } from '../../base/sha256.ts';

/** A calendar's text taken apart into its events, so that one that is broken spoils no other. Pure. */

/** All that is said of one event: its series and the occurrences that differ. */
export interface EventBlock {
	readonly uid: string;
	/** Unfolded lines, from BEGIN:VEVENT to END:VEVENT, of each of its parts. */
	readonly lines: readonly string[];
	readonly repeats: boolean;
}

export interface CalendarBlocks {
	readonly isCalendar: boolean;
	readonly title: string;
	readonly isCancelled: boolean;
	/** Time zones that it defines, by name. */
	readonly zones: ReadonlyMap<string, readonly string[]>;
	/** Those without a rule first: they are worked out in no time. */
	readonly events: readonly EventBlock[];
	/** Events that do not end. */
	readonly broken: number;
}

const MOST_EVENTS = 50_000;
const LONGEST_LINE = 30_000;
/** Attached files stand in the text, and reminders are the owner's own programs'. */
const NOT_READ = /^(?:ATTACH|X-ALT-DESC|ATTENDEE)[;:]/i;

interface Open {
	name: string;
	lines: string[];
}

export function calendarBlocks(text: string): CalendarBlocks {
	const zones = new Map<string, string[]>();
	const parts: string[][] = [];
	const heads: string[] = [];
	let broken = 0;
	let isCalendar = false;
	let open: Open | undefined;
	/** Parts within the one that is open. */
	let inner: string[] = [];
	for (const line of unfolded(text)) {
		const begun = /^BEGIN:([\w-]+)\s*$/i.exec(line)?.[1]?.toUpperCase();
		const ended = /^END:([\w-]+)\s*$/i.exec(line)?.[1]?.toUpperCase();
		if (begun === 'VCALENDAR') isCalendar = true;
		else if (begun !== undefined && (open === undefined || begun === 'VEVENT')) {
			if (open?.name === 'VEVENT') broken += 1;
			open = { name: begun, lines: [line] };
			inner = [];
		} else if (open === undefined) heads.push(line);
		else if (begun !== undefined) {
			inner.push(begun);
			if (open.name === 'VTIMEZONE') open.lines.push(line);
		} else if (ended !== undefined && inner.at(-1) === ended) {
			inner.pop();
			if (open.name === 'VTIMEZONE') open.lines.push(line);
		} else if (ended === open.name) {
			const { name, lines } = open;
			open = undefined;
			lines.push(line);
			if (name === 'VTIMEZONE') zones.set(propertyOf(lines, 'TZID'), lines);
			else if (name === 'VEVENT') parts.push(lines);
		} else if (open.name === 'VTIMEZONE' || (inner.length === 0 && !NOT_READ.test(line))) open.lines.push(line);
	}
	if (open?.name === 'VEVENT') broken += 1;
	return {
		isCalendar,
		title: plainText(propertyOf(heads, 'X-WR-CALNAME') || propertyOf(heads, 'NAME')),
		isCancelled: propertyOf(heads, 'METHOD').toUpperCase() === 'CANCEL',
		zones,
		events: grouped(parts),
		broken,
	};
}

/** The value of the first such line; empty where there is none. */
export function propertyOf(lines: readonly string[], name: string): string {
	const line = lines.find((one) => isOf(one, name));
	return line === undefined ? '' : line.slice(line.indexOf(':') + 1).trim();
}

export function isOf(line: string, name: string): boolean {
	const after = line[name.length];
	return (after === ':' || after === ';') && line.slice(0, name.length).toUpperCase() === name;
}

/** As RFC 5545 writes text. */
export function plainText(written: string): string {
	return written.replace(/\\([\\;,nN])/g, (_, letter: string) => (letter === 'n' || letter === 'N' ? '\n' : letter)).trim();
}

function grouped(parts: readonly string[][]): EventBlock[] {
	const byUid = new Map<string, string[][]>();
	for (const lines of parts.slice(0, MOST_EVENTS)) {
		const uid = propertyOf(lines, 'UID') || `none:${sha256(lines.join('\n'))}`;
		byUid.set(uid, [...(byUid.get(uid) ?? []), lines]);
	}
	const events = [...byUid].map(([uid, group]) => {
		// The series before what differs from it.
		const ordered = group.sort((a, b) => Number(isDifferent(a)) - Number(isDifferent(b)));
		return { uid, lines: ordered.flat(), repeats: group.some((lines) => lines.some((line) => isOf(line, 'RRULE'))) };
	});
	return events.sort((a, b) => Number(a.repeats) - Number(b.repeats));
}

function isDifferent(lines: readonly string[]): boolean {
	return lines.some((line) => isOf(line, 'RECURRENCE-ID'));
}

function* unfolded(text: string): Generator<string> {
	let pieces: string[] = [];
	for (const line of text.split(/\r\n|\n|\r/)) {
		if (line.startsWith(' ') || line.startsWith('\t')) {
			pieces.push(line.slice(1));
			continue;
		}
		if (pieces.length > 0) yield pieces.join('').slice(0, LONGEST_LINE);
		pieces = [line];
	}
	yield pieces.join('').slice(0, LONGEST_LINE);
}
