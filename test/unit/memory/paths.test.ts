import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MemoryPath } from '../../../src/domain/memory.ts';
import { dailyFile, dayOfFile, fileKind, fileRank, localDay, noonOf } from '../../../src/memory/paths.ts';

const path = (text: string) => MemoryPath.parse(text);

test('what the name of a file says', () => {
	expect(fileKind(path('MEMORY.md'))).toBe('long_term');
	expect(fileKind(path('memory/2026-02-28.md'))).toBe('daily');
	for (const note of ['memory/2026-02-29.md', 'memory/2026-13-01.md', 'memory/a/2026-02-28.md', 'memory/2026-02-28 trip.md'])
		expect([note, fileKind(path(note)), dayOfFile(path(note))]).toEqual([note, 'note', undefined]);
	expect(dayOfFile(dailyFile('2024-02-29'))).toBe('2024-02-29');
});

test('files sort as they are shown: MEMORY.md, newest day first, then notes', () => {
	const files = ['memory/b.md', 'memory/2025-12-31.md', 'memory/a.md', 'MEMORY.md', 'memory/2026-01-01.md', 'memory/0999-01-01.md'].map(
		path,
	);
	expect(files.toSorted((left, right) => (fileRank(left) < fileRank(right) ? -1 : 1))).toEqual([
		'MEMORY.md',
		'memory/2026-01-01.md',
		'memory/2025-12-31.md',
		'memory/0999-01-01.md',
		'memory/a.md',
		'memory/b.md',
	]);
});

test('mem-7 noon of a day is on that day at noon, in every zone and on days when clocks change', () => {
	const zones = Intl.supportedValuesOf('timeZone');
	const days = fc.date({ min: new Date('1990-01-01'), max: new Date('2060-01-01'), noInvalidDate: true });
	fc.assert(
		fc.property(fc.constantFrom(...zones), days, (zone, date) => {
			const day = date.toISOString().slice(0, 10);
			// On the one day that a zone left out, to change the side of the date line, there was no noon.
			if (
				['Pacific/Apia', 'Pacific/Fakaofo', 'Pacific/Enderbury', 'Pacific/Kanton', 'Pacific/Kiritimati', 'Pacific/Kwajalein'].includes(zone)
			)
				return;
			const noon = noonOf(day, zone);
			expect([zone, localDay(noon, zone)]).toEqual([zone, day]);
			const time = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(noon);
			expect([zone, day, time]).toEqual([zone, day, '12:00']);
		}),
		{ numRuns: 1_000 },
	);
});
