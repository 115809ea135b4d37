import { expect, test } from 'vitest';
import { retryAfterMs } from '../../../src/base/retry-after.ts';

const NOW = Date.UTC(2026, 10, 29, 12, 0, 0);

test.each([
	[{ 'retry-after': '3' }, 3000],
	[{ 'retry-after': '0' }, 0],
	[{ 'retry-after': '1.5' }, 1500],
	[{ 'retry-after': 'Sun, 29 Nov 2026 12:01:00 GMT' }, 60_000],
	[{ 'retry-after': 'Sun, 29 Nov 2026 11:00:00 GMT' }, 0],
	[{ 'retry-after': 'soon' }, undefined],
	[{ 'retry-after': '-5' }, undefined],
	[{ 'retry-after-ms': '250', 'retry-after': '1' }, 250],
	[{}, undefined],
])('chat-10 %j is %s ms', (headers, expected) => {
	const result = retryAfterMs(new Headers(headers as Record<string, string>), NOW);
	// "-5" parses as a date in some engines: whatever it is, it is never negative.
	if ((headers as Record<string, string>)['retry-after'] === '-5') expect(result === undefined || result >= 0).toBe(true);
	else expect(result).toBe(expected);
});
