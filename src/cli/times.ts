import { InvalidArgumentError } from 'commander';
import { LocalTime } from '../domain/schedule.ts';

/** Times as they are typed at a command line. All are parsers of options: what can't be read is told as a mistake in the command. */

const UNITS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

/** `2026-12-03T09:00`, `2026-12-03 09:00`, `2026-12-03`: the clock on the wall, at midnight where no time is said. */
export function localTimeOf(given: string): LocalTime {
	const text = given.trim().replace(' ', 'T');
	const time = LocalTime.safeParse(text.includes('T') ? text : `${text}T00:00`);
	if (!time.success) throw new InvalidArgumentError('Write it as 2026-12-03T09:00.');
	return time.data;
}

/** A moment: the clock on this machine's wall as `localTimeOf` takes it, or with Z or an offset, or so long from now (`2h`, `3d`). */
export function momentOf(given: string): number {
	const span = spanOf(given);
	if (span !== undefined) return Date.now() + span * 1_000;
	const text = given.trim().replace(' ', 'T');
	const hasOffset = /(Z|[+-]\d{2}:\d{2})$/i.test(text) && text.includes('T');
	// Without an offset a date alone would be taken as one of UTC.
	const local = LocalTime.safeParse(text.includes('T') ? text : `${text}T00:00`);
	const at = hasOffset || local.success ? Date.parse(hasOffset ? text : (local.data ?? '')) : Number.NaN;
	if (Number.isNaN(at))
		throw new InvalidArgumentError('Write it as 2026-12-03, as 2026-12-03T09:00 (+01:00 or Z after it for another zone), or as 2h or 3d.');
	return at;
}

/** Seconds of `90s`, `15m`, `2h`, `1d`, `1w`. */
export function secondsOf(given: string): number {
	const span = spanOf(given);
	if (span === undefined) throw new InvalidArgumentError('Write it as 15m, 2h or 1d.');
	return span;
}

function spanOf(given: string): number | undefined {
	const match = /^(\d{1,6})\s*([smhdw])$/i.exec(given.trim());
	const unit = UNITS[match?.[2]?.toLowerCase() ?? ''];
	return match && unit !== undefined ? Number(match[1]) * unit : undefined;
}
