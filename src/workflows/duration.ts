/** Spans of time as people write them: `90 s`, `10 minutes`, `3 days`, `1h 30m`, `2 weeks`. Pure. */

const UNITS: readonly (readonly [names: RegExp, ms: number])[] = [
	[/^(s|secs?|seconds?)$/, 1_000],
	[/^(m|mins?|minutes?)$/, 60_000],
	[/^(h|hrs?|hours?)$/, 3_600_000],
	[/^(d|days?)$/, 86_400_000],
	[/^(w|weeks?)$/, 604_800_000],
];
const MOST_CHARS = 100;
const LONGEST_MS = 10 * 366 * 86_400_000;

export type Duration = { readonly ok: true; readonly ms: number } | { readonly ok: false; readonly problem: string };

export function readDuration(text: string): Duration {
	if (text.length > MOST_CHARS) return { ok: false, problem: notADuration(text) };
	const pieces = [...text.trim().matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)\s*/gi)];
	const whole = pieces.map(([piece]) => piece).join('');
	if (pieces.length === 0 || whole.length !== text.trim().length) return { ok: false, problem: notADuration(text) };
	let ms = 0;
	for (const [, count = '', unit = ''] of pieces) {
		const known = UNITS.find(([names]) => names.test(unit.toLowerCase()));
		if (!known) return { ok: false, problem: notADuration(text) };
		ms += Number(count) * known[1];
	}
	if (ms < 1_000) return { ok: false, problem: `“${text}” is less than a second.` };
	if (ms > LONGEST_MS) return { ok: false, problem: `“${text}” is more than ten years.` };
	return { ok: true, ms: Math.round(ms) };
}

function notADuration(text: string): string {
	return `“${text.slice(0, 60)}” is not a duration. Write a number and a unit (s, minutes, hours, days, weeks), such as 90 s, 3 days, 1h 30m.`;
}
